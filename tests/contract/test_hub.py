"""``torch.hub``: local folders, repositories in the cache, and files of the web."""

from __future__ import annotations

import io
import zipfile
from urllib.error import HTTPError, URLError

import pytest

from .both_frameworks import ours, torch
from .hearing import hearing

pytestmark = pytest.mark.oracle

CONF = '''
dependencies = ["json"]
X = 3
def model(n=1, *, k=2):
    """A model."""
    return (n, k)
def other():
    return 0
def _hidden():
    return 1
'''


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A folder with a hubconf.py, and a cache of their own for both frameworks."""
    monkeypatch.delenv("TORCH_HUB", raising=False)
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "hubconf.py").write_text(CONF)
    lacking = tmp_path / "lacking"
    lacking.mkdir()
    (lacking / "hubconf.py").write_text('dependencies = ["nope_a", "nope_b"]\ndef model(): pass\n')
    for t in (ours, torch):
        monkeypatch.setattr(t.hub, "_hub_dir", None)
    return tmp_path


def both(monkeypatch, places, program):
    """What both frameworks do, each with a home of its own, which is no part of it."""
    outcomes = []
    for t in (ours, torch):
        home = places / "home"
        monkeypatch.setenv("TORCH_HOME", str(home))
        with hearing() as heard:
            try:
                result = ("value", program(t))
            except Exception as error:
                result = (type(error).__name__, str(error))
        outcomes.append((result, [(str(w.message), w.category) for w in heard]))
        if home.exists():
            home.rename(places / f"home of {t.__name__}")
    assert outcomes[0] == outcomes[1]
    return outcomes[0][0]


@pytest.mark.parametrize(
    "program",
    [
        lambda h, p: h.load(str(p / "repo"), "model", 3, source="local", k=5),
        lambda h, p: h.load(p / "repo", "model", source="LOCAL"),
        lambda h, p: h._load_local(str(p / "repo"), "other"),
        lambda h, p: h.load(str(p / "repo"), "model", source="x"),
        lambda h, p: h.load(str(p / "repo"), "nope", source="local"),
        lambda h, p: h.load(str(p / "repo"), "X", source="local"),
        lambda h, p: h.load(str(p / "repo"), 3, source="local"),
        lambda h, p: h.load(str(p / "lacking"), "model", source="local"),
        lambda h, p: h.load(str(p), "model", source="local"),
        lambda h, p: h._parse_repo_info("a/b:c"),
        lambda h, p: h._parse_repo_info("a/b:c:d"),
        lambda h, p: h._parse_repo_info("a"),
        lambda h, p: h.set_dir(None),
        lambda h, p: h.get_dir() == str(p / "home" / "hub"),
        lambda h, p: h._get_torch_home() == str(p / "home"),
    ],
)
def test_local_folders(program, places, monkeypatch):
    both(monkeypatch, places, lambda t: program(t.hub, places))


def test_the_folder_can_be_set(places, monkeypatch):
    def program(t):
        t.hub.set_dir(places / "there")
        return t.hub.get_dir()

    both(monkeypatch, places, program)


def cached(t, places, name):
    """Put the repository *name* into the cache."""
    import shutil

    shutil.copytree(places / "repo", f"{t.hub.get_dir()}/{name}")


@pytest.mark.parametrize(
    "call",
    [
        lambda h: h.list("own/repo:main"),
        lambda h: h.help("own/repo:main", "model"),
        lambda h: h.load("own/repo:main", "model", 5, verbose=False),
        lambda h: h.load("own/repo:main", "model", trust_repo=None),
        lambda h: h.load("own/repo:main", "model", trust_repo=True),
    ],
)
def test_repositories_in_the_cache(call, places, monkeypatch):
    def program(t):
        cached(t, places, "own_repo_main")
        return call(t.hub)

    assert both(monkeypatch, places, program)[0] == "value"


@pytest.mark.parametrize("answer", ["y", "n", "", "what"])
@pytest.mark.parametrize("trust", [False, "check", None, True])
def test_the_user_is_asked_before_a_strangers_code_runs(answer, trust, places, monkeypatch):
    asked = []

    def say(prompt):
        asked.append(prompt)
        return answer

    monkeypatch.setattr("builtins.input", say)

    def program(t):
        with monkeypatch.context() as m:
            asked.clear()
            m.setattr(t.hub, "urlopen", repository_of({}))
            found = answer_of(lambda: t.hub.load("new/repo:v1", "model", 4, trust_repo=trust))
            trusted = open(f"{t.hub.get_dir()}/trusted_list").read()
            return found, list(asked), trusted

    both(monkeypatch, places, program)


def answer_of(fn):
    try:
        return fn()
    except Exception as error:
        return type(error).__name__, str(error)


def repository_of(opened):
    """What stands in for ``urlopen``: GitHub with one repository."""

    def urlopen(request, *args, **kwargs):
        url = getattr(request, "full_url", request)
        opened[url] = opened.get(url, 0) + 1
        if "api.github.com" in url:
            first = "branches?per_page=100&page=1" in url
            return answering(b'[{"name": "v1", "commit": {"sha": "abcdef"}}]' if first else b"[]")
        if "/zipball/" in url:
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w") as packed:
                packed.writestr("new-repo-abcdef/", "")
                packed.writestr("new-repo-abcdef/hubconf.py", CONF)
            return answering(data.getvalue())
        raise HTTPError(url, 404, "Not Found", {}, io.BytesIO(b""))

    return urlopen


def answering(data):
    import email.message
    from urllib.response import addinfourl

    headers = email.message.Message()
    headers["Content-Length"] = str(len(data))
    return addinfourl(io.BytesIO(data), headers, "http://x", 200)


def test_a_repository_is_downloaded_once(places, monkeypatch, capsys):
    def program(t):
        opened = {}
        with monkeypatch.context() as m:
            m.setattr(t.hub, "urlopen", repository_of(opened))
            first = t.hub.load("new/repo:v1", "model", 4, trust_repo=True)
            again = t.hub.load("new/repo:v1", "model", 5, trust_repo=True)
            anew = t.hub.load("new/repo:v1", "model", trust_repo=True, force_reload=True)
        home = __import__("pathlib").Path(t.hub.get_dir())
        said = capsys.readouterr()
        files = sorted(str(p.relative_to(home)) for p in home.rglob("*") if "__pyc" not in str(p))
        return first, again, anew, opened, files, said.out, said.err

    assert both(monkeypatch, places, program)[0] == "value"


@pytest.mark.parametrize("kind", ["404", "off", "cached"])
def test_the_branch_is_looked_for(kind, places, monkeypatch):
    def urlopen(url, *args, **kwargs):
        if kind == "404":
            raise HTTPError(url, 404, "Not Found", {}, io.BytesIO(b""))
        raise URLError("off")

    def program(t):
        with monkeypatch.context() as m:
            m.setattr(t.hub, "urlopen", urlopen)
            if kind == "cached":
                cached(t, places, "own_repo_master")
            return t.hub._parse_repo_info("own/repo")

    both(monkeypatch, places, program)


def test_a_ref_of_another_repository_is_refused(places, monkeypatch):
    def program(t):
        with monkeypatch.context() as m:
            m.setattr(t.hub, "urlopen", repository_of({}))
            return t.hub.list("new/repo:v2", trust_repo=True)

    assert both(monkeypatch, places, program)[0] == "ValueError"


def test_files_are_downloaded(places, monkeypatch, capsys):
    source = places / "data.bin"
    source.write_bytes(bytes(range(256)) * 2000)

    def program(t):
        there = places / f"got by {t.__name__}"
        t.hub.download_url_to_file(source.as_uri(), str(there), progress=False)
        whole = there.read_bytes() == source.read_bytes()
        wrong = answer_of(
            lambda: t.hub.download_url_to_file(
                source.as_uri(), str(there) + "2", hash_prefix="abcdef", progress=False
            )
        )
        left = sorted(p.name for p in places.iterdir() if p.name.startswith(there.name))
        return whole, wrong, len(left), capsys.readouterr().out

    assert both(monkeypatch, places, program)[0] == "value"


def test_states_are_loaded_from_a_url(places, monkeypatch, capsys):
    import hashlib

    torch.save({"a": torch.ones(2)}, places / "sd.pth")
    digest = hashlib.sha256((places / "sd.pth").read_bytes()).hexdigest()
    named = places / f"sd-{digest[:8]}.pth"
    named.write_bytes((places / "sd.pth").read_bytes())
    (places / "sd-00000000.pth").write_bytes(named.read_bytes())

    def program(t):
        load = t.hub.load_state_dict_from_url
        found = load(named.as_uri(), progress=False, check_hash=True)
        again = load(named.as_uri(), progress=False)
        other = load((places / "sd.pth").as_uri(), str(places / "d"), file_name="x.pth")
        wrong = answer_of(lambda: load((places / "sd-00000000.pth").as_uri(), check_hash=True))
        out = capsys.readouterr().out.count("Downloading")
        return [d["a"].tolist() for d in (found, again, other)], wrong, out

    monkeypatch.setattr(ours.hub, "tqdm", ours.hub._Faketqdm)
    monkeypatch.setattr(torch.hub, "tqdm", torch.hub._Faketqdm)
    seen = []
    for t in (ours, torch):
        monkeypatch.setenv("TORCH_HOME", str(places / t.__name__))
        seen.append(program(t))
        if (places / "d").exists():
            (places / "d" / "x.pth").unlink()
    assert seen[0] == seen[1]


def test_archives_stay_in_their_folder(tmp_path):
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("../outside.py", "x = 1")
    with zipfile.ZipFile(path) as packed, pytest.raises(ValueError, match="outside"):
        ours.hub._safe_extract_zip(packed, str(tmp_path / "in"))
    assert not (tmp_path / "outside.py").exists()
