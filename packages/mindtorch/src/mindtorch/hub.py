"""``torch.hub``: models of GitHub repositories and local folders, and files of the web."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
import types
import uuid
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlparse
from urllib.request import Request, urlopen

from . import serialization
from .core.warning import warn

__all__ = [
    "download_url_to_file",
    "get_dir",
    "help",
    "list",
    "load",
    "load_state_dict_from_url",
    "set_dir",
]

#: The part of a file's name that says how its SHA-256 begins.
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_PATH_SEP_PATTERN = re.compile(r"[/\\]")
_TRUSTED_REPO_OWNERS = ("facebookresearch", "facebookincubator", "pytorch", "fairinternal")
ENV_GITHUB_TOKEN = "GITHUB_TOKEN"
ENV_TORCH_HOME = "TORCH_HOME"
ENV_XDG_CACHE_HOME = "XDG_CACHE_HOME"
DEFAULT_CACHE_DIR = "~/.cache"
VAR_DEPENDENCY = "dependencies"
MODULE_HUBCONF = "hubconf.py"
READ_DATA_CHUNK = 128 * 1024
_hub_dir: str | None = None


class _Faketqdm:
    """A progress bar in plain text, for where tqdm is not installed."""

    def __init__(
        self,
        total: int | None = None,
        disable: bool = False,
        unit: Any = None,
        *args: Any,
        **kw: Any,
    ) -> None:
        self.total = total
        self.disable = disable
        self.n = 0

    def update(self, n: int) -> None:
        """Say that *n* more bytes are there."""
        if not self.disable:
            self.n += n
            whole = self.total
            done = f"{self.n:.1f} bytes" if whole is None else f"{100 * self.n / float(whole):.1f}%"
            print(f"\r{done}", end="", file=sys.stderr, flush=True)

    def set_description(self, *args: Any, **kwargs: Any) -> None:
        """Take no notice: plain text has no description."""

    def write(self, s: str) -> None:
        """Write a line beside the bar."""
        sys.stderr.write(f"{s}\n")

    def close(self) -> None:
        """End the line."""
        self.disable = True

    def __enter__(self) -> _Faketqdm:
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        if not self.disable:
            sys.stderr.write("\n")


try:
    from tqdm import tqdm
except ImportError:
    tqdm = _Faketqdm


@contextlib.contextmanager
def _add_to_sys_path(path: str) -> Iterator[None]:
    path = os.fspath(path)
    sys.path.insert(0, path)
    try:
        yield
    finally:
        sys.path.remove(path)


def _import_module(name: str, path: str) -> types.ModuleType:
    """The module in the file *path*; nobody else finds it by its name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _remove_if_exists(path: str) -> None:
    if os.path.isfile(path):
        os.remove(path)
    elif os.path.isdir(path):
        shutil.rmtree(path)


def _git_archive_link(repo_owner: str, repo_name: str, ref: str) -> str:
    return f"https://github.com/{repo_owner}/{repo_name}/zipball/{ref}"


def _load_attr_from_module(module: types.ModuleType, func_name: str) -> Any:
    return getattr(module, func_name, None)


def _get_torch_home() -> str:
    cache = os.path.join(os.getenv(ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR), "torch")
    return os.path.expanduser(os.getenv(ENV_TORCH_HOME, cache))


def _parse_repo_info(github: str) -> tuple[str, str, str]:
    """Owner, name and branch of ``owner/name[:branch]``.

    Without a branch it is ``main`` if there is one, else ``master``; without a network, whichever
    of them is in the cache. Raises RuntimeError if neither is.
    """
    if ":" in github:
        repo, ref = github.split(":")
    else:
        repo, ref = github, ""
    repo_owner, repo_name = repo.split("/")
    if ref:
        return repo_owner, repo_name, ref
    try:
        with urlopen(f"https://github.com/{repo_owner}/{repo_name}/tree/main/"):
            return repo_owner, repo_name, "main"
    except HTTPError as error:
        if error.code != 404:
            raise
        return repo_owner, repo_name, "master"
    except URLError as error:
        for branch in ("main", "master"):
            if os.path.exists(f"{get_dir()}/{repo_owner}_{repo_name}_{branch}"):
                return repo_owner, repo_name, branch
        raise RuntimeError(
            "It looks like there is no internet connection and the repo could not be found in "
            f"the cache ({get_dir()})"
        ) from error


def _read_url(url: str | Request) -> str:
    with urlopen(url) as answer:
        return str(answer.read().decode(answer.headers.get_content_charset("utf-8")))


def _validate_not_a_forked_repo(repo_owner: str, repo_name: str, ref: str) -> None:
    """Raise ValueError unless *ref* is a branch, tag or commit of the repository itself."""
    headers = {"Accept": "application/vnd.github.v3+json"}
    if token := os.environ.get(ENV_GITHUB_TOKEN):
        headers["Authorization"] = f"token {token}"
    for kind in ("branches", "tags"):
        page = 0
        while True:
            page += 1
            url = (
                f"https://api.github.com/repos/{repo_owner}/{repo_name}/{kind}"
                f"?per_page=100&page={page}"
            )
            found = json.loads(_read_url(Request(url, headers=headers)))
            if not found:
                break
            for entry in found:
                if entry["name"] == ref or entry["commit"]["sha"].startswith(ref):
                    return
    raise ValueError(
        f"Cannot find {ref} in https://github.com/{repo_owner}/{repo_name}. "
        "If it's a commit from a forked repo, please call hub.load() with forked repo directly."
    )


def _safe_extract_zip(zip_file: zipfile.ZipFile, extract_to: str) -> None:
    """Unpack below *extract_to*. Raises ValueError for members that would lie elsewhere."""
    root = os.path.realpath(extract_to)
    for member in zip_file.namelist():
        place = os.path.realpath(os.path.join(root, member))
        if os.path.isabs(member) or os.path.commonpath([root, place]) != root:
            raise ValueError(f"Archive entry with absolute or outside path: {member}")
    zip_file.extractall(extract_to)


def _get_cache_or_reload(
    github: str,
    force_reload: bool,
    trust_repo: Any,
    verbose: bool = True,
    skip_validation: bool = False,
) -> str:
    """The folder of the repository, downloaded unless it is in the cache."""
    hub_dir = get_dir()
    os.makedirs(hub_dir, exist_ok=True)
    repo_owner, repo_name, ref = _parse_repo_info(github)
    normal = _PATH_SEP_PATTERN.sub("_", ref)  # branches may have slashes
    name = "_".join((repo_owner, repo_name, normal))
    repo_dir = os.path.join(hub_dir, name)
    _check_repo_is_trusted(repo_owner, repo_name, name, trust_repo)
    if not force_reload and os.path.exists(repo_dir):
        if verbose:
            sys.stderr.write(f"Using cache found in {repo_dir}\n")
        return repo_dir
    if not skip_validation:
        _validate_not_a_forked_repo(repo_owner, repo_name, ref)
    archive = os.path.join(hub_dir, normal + ".zip")
    _remove_if_exists(archive)
    url = _git_archive_link(repo_owner, repo_name, ref)
    try:
        sys.stdout.write(f'Downloading: "{url}" to {archive}\n')
        download_url_to_file(url, archive, progress=False)
    except HTTPError as error:
        if error.code != 300:  # a branch and a tag of one name: the branch is meant
            raise
        warnings.warn(
            f"The ref {ref} is ambiguous. Perhaps it is both a tag and a branch in the repo? "
            "Torchhub will now assume that it's a branch. "
            "You can disambiguate tags and branches by explicitly passing refs/heads/branch_name "
            "or refs/tags/tag_name as the ref. That might require using skip_validation=True."
        )
        url = _git_archive_link(repo_owner, repo_name, f"refs/heads/{ref}")
        download_url_to_file(url, archive, progress=False)
    with zipfile.ZipFile(archive) as packed:
        unpacked = os.path.join(hub_dir, packed.infolist()[0].filename)
        _remove_if_exists(unpacked)
        _safe_extract_zip(packed, hub_dir)
    _remove_if_exists(archive)
    _remove_if_exists(repo_dir)
    shutil.move(unpacked, repo_dir)
    return repo_dir


def _check_repo_is_trusted(
    repo_owner: str, repo_name: str, owner_name_branch: str, trust_repo: Any
) -> None:
    """Ask, warn or remember, as *trust_repo* says. Raises Exception if the user says no."""
    hub_dir = get_dir()
    path = os.path.join(hub_dir, "trusted_list")
    Path(path).touch()
    trusted = [line.strip() for line in Path(path).read_text().splitlines()]
    # What was downloaded before there was a list is trusted.
    cached = next(os.walk(hub_dir))[1]
    owner_name = f"{repo_owner}_{repo_name}"
    is_trusted = (
        owner_name in trusted or owner_name_branch in cached or repo_owner in _TRUSTED_REPO_OWNERS
    )
    if trust_repo is False or (trust_repo == "check" and not is_trusted):
        answer = input(
            f"The repository {owner_name} does not belong to the list of trusted repositories and "
            "as such cannot be downloaded. Do you trust this repository and wish to add it to the "
            "trusted list of repositories (y/N)?"
        )
        _heed(answer.lower(), f"Unrecognized response {answer}.")
        if is_trusted:
            print("The repository is already trusted.")
    if not is_trusted:
        with open(path, "a") as file:
            file.write(owner_name + "\n")


def _heed(answer: str, not_understood: str) -> None:
    """Go on where *answer* is yes."""
    if answer in ("n", "no", ""):
        raise Exception("Untrusted repository.")
    if answer not in ("y", "yes"):
        raise ValueError(not_understood)


def _check_module_exists(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _check_dependencies(m: types.ModuleType) -> None:
    dependencies = _load_attr_from_module(m, VAR_DEPENDENCY)
    if dependencies is None:
        return
    missing = [name for name in dependencies if not _check_module_exists(name)]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")


def _load_entry_from_hubconf(m: types.ModuleType, model: str) -> Callable[..., Any]:
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a string of function name")
    _check_dependencies(m)
    entry: Callable[..., Any] | None = _load_attr_from_module(m, model)
    if entry is None or not callable(entry):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return entry


def get_dir() -> str:
    """The folder of what is downloaded: what was set, or ``hub`` in torch's home in the cache."""
    if os.getenv("TORCH_HUB"):
        warnings.warn("TORCH_HUB is deprecated, please use env TORCH_HOME instead")
    if _hub_dir is not None:
        return _hub_dir
    return os.path.join(_get_torch_home(), "hub")


def set_dir(d: str | os.PathLike[str]) -> None:
    """Set the folder of what is downloaded."""
    global _hub_dir
    _hub_dir = os.path.expanduser(d)


def list(
    github: str,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = "check",
    verbose: bool = True,
) -> Any:
    """The names of the models that the repository offers."""
    repo_dir = _get_cache_or_reload(github, force_reload, trust_repo, verbose, skip_validation)
    with _add_to_sys_path(repo_dir):
        conf = _import_module(MODULE_HUBCONF, os.path.join(repo_dir, MODULE_HUBCONF))
    return [n for n in dir(conf) if callable(getattr(conf, n)) and not n.startswith("_")]


def help(
    github: str,
    model: str,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = "check",
) -> str | None:
    """The docstring of a model of the repository."""
    repo_dir = _get_cache_or_reload(github, force_reload, trust_repo, True, skip_validation)
    with _add_to_sys_path(repo_dir):
        conf = _import_module(MODULE_HUBCONF, os.path.join(repo_dir, MODULE_HUBCONF))
    return _load_entry_from_hubconf(conf, model).__doc__


def load(
    repo_or_dir: str,
    model: str,
    *args: Any,
    source: str = "github",
    trust_repo: Any = "check",
    force_reload: bool = False,
    verbose: bool = True,
    skip_validation: bool = False,
    **kwargs: Any,
) -> Any:
    """What the entry *model* of a repository, or of a local folder, returns for the arguments.

    Raises ValueError for a *source* other than ``"github"`` and ``"local"``, RuntimeError if the
    repository has no such entry or needs packages that are not installed.
    """
    kind = source.lower()
    if kind == "github":
        repo_or_dir = _get_cache_or_reload(
            repo_or_dir, force_reload, trust_repo, verbose, skip_validation
        )
    elif kind != "local":
        raise ValueError(f'Unknown source: "{kind}". Allowed values: "github" | "local".')
    return _load_local(repo_or_dir, model, *args, **kwargs)


def _load_local(hubconf_dir: str, model: str, *args: Any, **kwargs: Any) -> Any:
    with _add_to_sys_path(hubconf_dir):
        conf = _import_module(MODULE_HUBCONF, os.path.join(hubconf_dir, MODULE_HUBCONF))
        return _load_entry_from_hubconf(conf, model)(*args, **kwargs)


def download_url_to_file(
    url: str, dst: str, hash_prefix: str | None = None, progress: bool = True
) -> None:
    """Download *url* into the file *dst*, with a bar of progress on stderr.

    Raises RuntimeError if the SHA-256 of what came does not begin with *hash_prefix*; then, as
    after any other error, there is no file.
    """
    dst = os.path.expanduser(dst)
    with urlopen(Request(url, headers={"User-Agent": "torch.hub"})) as answer:
        lengths = answer.info().get_all("Content-Length") or []
        size = int(lengths[0]) if lengths else None
        # A neighbour of the file, so that the move at the end is atomic.
        for _ in range(tempfile.TMP_MAX):
            partial = f"{dst}.{uuid.uuid4().hex}.partial"
            try:
                file = open(partial, "w+b")  # noqa: SIM115  (closed below)
            except FileExistsError:
                continue
            break
        else:
            raise FileExistsError(errno.EEXIST, "No usable temporary file name found")
        try:
            digest = hashlib.sha256() if hash_prefix is not None else None
            with (
                file,
                tqdm(
                    total=size,
                    disable=not progress,
                    unit="B",
                    unit_scale=True,
                    unit_divisor=1024,
                ) as bar,
            ):
                while chunk := answer.read(READ_DATA_CHUNK):
                    file.write(chunk)
                    if digest is not None:
                        digest.update(chunk)
                    bar.update(len(chunk))
            if digest is not None and hash_prefix is not None:
                found = digest.hexdigest()
                if found[: len(hash_prefix)] != hash_prefix:
                    raise RuntimeError(
                        f'invalid hash value (expected "{hash_prefix}", got "{found}")'
                    )
            shutil.move(partial, dst)
        finally:
            if os.path.exists(partial):
                os.remove(partial)


def _is_legacy_zip_format(filename: str) -> bool:
    """Whether it is a zip file around one file of ``torch.save``, not such a file itself."""
    if not zipfile.is_zipfile(filename):
        return False
    with zipfile.ZipFile(filename) as packed:
        return len(packed.infolist()) == 1


def _legacy_zip_load(
    filename: str, model_dir: str, map_location: Any, weights_only: bool
) -> dict[str, Any]:
    warn(
        "Falling back to the old format < 1.6. This support will be "
        "deprecated in favor of default zipfile format introduced in 1.6. "
        "Please redo torch.save() to save it in the new zipfile format.",
        DeprecationWarning,
    )
    with zipfile.ZipFile(filename) as packed:
        members = packed.infolist()
        if len(members) != 1:
            raise RuntimeError("Only one file(not dir) is allowed in the zipfile")
        _safe_extract_zip(packed, model_dir)
        unpacked = os.path.join(model_dir, members[0].filename)
    return serialization.load(  # type: ignore[no-any-return]  # a state dict
        unpacked, map_location=map_location, weights_only=weights_only
    )


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> dict[str, Any]:
    """What ``torch.load`` reads from *url*, downloaded once into *model_dir*.

    With *check_hash* the file's name says how its SHA-256 begins: ``name-0123abcd.pth``.
    """
    if os.getenv("TORCH_MODEL_ZOO"):
        warnings.warn("TORCH_MODEL_ZOO is deprecated, please use env TORCH_HOME instead")
    if model_dir is None:
        model_dir = os.path.join(get_dir(), "checkpoints")
    os.makedirs(model_dir, exist_ok=True)
    filename = file_name if file_name is not None else os.path.basename(urlparse(url).path)
    cached = os.path.join(model_dir, filename)
    if not os.path.exists(cached):
        sys.stdout.write(f'Downloading: "{url}" to {cached}\n')
        match = HASH_REGEX.search(filename) if check_hash else None
        download_url_to_file(url, cached, match.group(1) if match else None, progress=progress)
    if _is_legacy_zip_format(cached):
        return _legacy_zip_load(cached, model_dir, map_location, weights_only)
    return serialization.load(  # type: ignore[no-any-return]  # a state dict
        cached, map_location=map_location, weights_only=weights_only
    )
