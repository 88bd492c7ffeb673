"""``mindtorch check``: which names of torch a program uses that mindtorch lacks."""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import mindtorch
import typer
from mindtorch.core.unavailable import why_refused
from rich.console import RenderableType

from .lazy_group import command
from .relevant_code import relevant
from .render import ASIDE, BAD, GOOD, Json, emit, examples, plain, table
from .torch_names import Use, uses

app = command()

#: Names that are accepted and change nothing, and what is true instead. A name stands for all that
#: begins with it.
WITHOUT_EFFECT = {
    "torch.backends.cuda": "a switch of CUDA's libraries",
    "torch.backends.cudnn": "a switch of a library of CUDA's",
    "torch.backends.mkl": "a switch of MKL's",
    "torch.backends.mkldnn": "a switch of oneDNN's",
    "torch.compile": "the function runs eagerly",
    "torch.compiler": "there is no compiler: all runs eagerly",
    "torch._dynamo": "there is no compiler: all runs eagerly",
    "torch._inductor": "there is no compiler: all runs eagerly",
    **{
        f"torch.jit.{name}": "scripted and traced functions run eagerly"
        for name in "script trace freeze optimize_for_inference set_fusion_strategy fuser".split()
    },
    "torch.set_float32_matmul_precision": "products are computed in full precision",
    "torch.nn.Module.compile": "the module runs eagerly",
}
#: What a method may be called on that is no tensor.
_OTHERS = (*(list, dict, set, str, bytes, tuple, int, float, Path), type(re.compile("")), Iterator)


#: Namespaces of ops and classes that are torch's; what is in others somebody else brings.
_SPACES = frozenset(
    "aten c10d debugprims export higher_order inductor mkl mkldnn onednn prim prims profiler "
    "quantized rngprims symm_mem".split()
)

_TITLES = {
    "missing": "Missing here",
    "not torch's": "Missing here, and in torch itself",
    "refused": "Refused when called",
    "no effect": "Accepted, without effect",
}


@app.command(
    epilog=examples(
        "check train.py",
        "check src/ --all",
        "check -m transformers",
        "check train.py --json",
    )
)
def check(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Python files, folders, notebooks.")
    ],
    module: Annotated[
        bool,
        typer.Option("--module", "-m", help="The paths are names of installed packages."),
    ] = False,
    every: Annotated[
        bool,
        typer.Option("--all", help="Also list names whose absence the program provides for."),
    ] = False,
    json: Json = False,
) -> None:
    """Read programs without running them: which names of torch are missing here?

    Each name of torch that a source uses is looked up in mindtorch. It is listed where it is
    missing, where it refuses when it is called, or where it is accepted and does nothing. A name is
    optional where the source provides for its absence, as in a "try" that catches ImportError.
    Names that torch lacks as well, as devices and ops of extensions, are listed for themselves.
    Methods are looked up by their names alone, for nobody knows what they will be called on. The
    exit code is 1 where a name is missing that is not optional.
    """
    files = list(_files([_package(each) if module else Path(each) for each in paths]))
    data = report(files)
    if not every:
        data["names"] = [each for each in data["names"] if not each["optional"]]
    emit(data, json, tables)
    if data["missing"]:
        raise typer.Exit(1)


def _package(name: str) -> Path:
    """Where an installed package lies; it is not imported."""
    spec = find_spec(name.partition(".")[0])
    if spec is None or spec.origin is None:
        raise typer.BadParameter(f"there is no package '{name}' in this environment.")
    path = Path(spec.origin)
    path = path.parent if spec.submodule_search_locations else path
    for part in name.split(".")[1:]:
        path = path / part
    if not path.exists() and path.with_suffix(".py").exists():
        path = path.with_suffix(".py")
    if not path.exists():
        raise typer.BadParameter(f"there is no module '{name}' in this environment.")
    return path


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """The sources below *paths*."""
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*.py") if p.is_file())
        elif path.exists():
            yield path
        else:
            raise typer.BadParameter(f"file '{path}' does not exist.")


def report(files: Iterable[Path]) -> dict[str, Any]:
    """What *files* use that is missing or does nothing, each name with its first lines."""
    names: dict[tuple[str, str], dict[str, Any]] = {}
    unread: list[dict[str, str]] = []
    known: set[str] = set()
    count = 0
    for path in files:
        count += 1
        try:
            source = _source(path)
            used, places = _may_use(source)
            known.update(used)
            # Only what may be listed has its syntax read, which takes ten times as long.
            found = _uses(source, places, path) if places else []
        except (SyntaxError, UnicodeDecodeError, ValueError, OSError) as error:
            unread.append({"file": str(path), "error": f"{type(error).__name__}: {error}"})
            continue
        for use in found:
            _note(names, use, path)
    listed = sorted(
        names.values(), key=lambda each: (each["state"], each["optional"], each["name"])
    )
    missing = [each for each in listed if each["state"] == "missing"]
    return {
        "files": count,
        "used": len(known),
        "missing": sum(not each["optional"] for each in missing),
        "optional": sum(each["optional"] for each in missing),
        "not_torchs": sum(each["state"] == "not torch's" for each in listed),
        "refused": sum(each["state"] == "refused" for each in listed),
        "no_effect": sum(each["state"] == "no effect" for each in listed),
        "unread": unread,
        "names": listed,
    }


def _source(path: Path) -> str:
    """A file's Python; of a notebook its cells."""
    if path.suffix == ".ipynb":
        import json

        cells = json.loads(path.read_text("utf-8")).get("cells", [])
        code = ["".join(c.get("source", ())) for c in cells if c.get("cell_type") == "code"]
        # Lines for the notebook itself are no Python.
        return re.sub(r"(?m)^(\s*)[%!].*$", r"\1pass", "\n".join(code))
    with tokenize.open(path) as file:
        return file.read()


_ALIASES = re.compile(
    r"import[ \t]+(torch[\w.]*)(?:[ \t]+as[ \t]+(\w+))?"
    r"|from[ \t]+(torch[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)"
)
_MANY_IMPORTED = re.compile(r"^[ \t]*import[ \t][^\n]*,[^\n]*\btorch\b", re.MULTILINE)
#: A name that stands in a call as text.
_TEXTS = (
    re.compile(r"etattr\(\s*([\w.]+)\s*,\s*[\"'](\w+)()"),
    re.compile(r"import_\w+\(()()\s*[\"'](torch[\w.]*)"),
)


def _bound(source: str) -> tuple[dict[str, str], list[int]]:
    """What the imports of *source* bind, as far as it is torch's: name here -> torch's name.

    And where they stand.
    """
    bound: dict[str, str] = {}
    places = []
    for found in _ALIASES.finditer(source):
        module, alias, origin, imported = found.groups()
        places.append(found.start())
        if module:
            bound[alias or "torch"] = module if alias else "torch"
            bound.setdefault(module, module)
            continue
        for each in re.sub(r"#[^\n]*", "", imported).strip("()").split(","):
            words = each.split()
            if words and words[0].isidentifier() and words[-1].isidentifier():
                bound[words[-1]] = f"{origin}.{words[0]}"
    for found in _MANY_IMPORTED.finditer(source):
        bound["torch"] = "torch"
        places.append(found.start())
    return bound, places


@cache
def _chains(first: str) -> re.Pattern[str]:
    """Chains of attributes that begin with a name."""
    return re.compile(rf"{first}((?:\.\w+)+)")  # which it is quick to look for


@cache
def _odd_methods() -> re.Pattern[str]:
    """Calls of the methods that may be listed."""
    odd = sorted(name for name in _tensor_methods() if _method_state(name))
    return re.compile(rf"\.({'|'.join(odd)})\(" if odd else r"(?!)")


def _may_use(source: str) -> tuple[set[str], list[int]]:
    """The names that *source* may use, and where it may do what is to be listed, with its imports.

    By a quick look that knows no syntax. No places where nothing is to be listed.
    """
    if "torch" not in source:
        return set(), []
    bound, imports = _bound(source)
    found = [(meant, -1) for meant in bound.values()]
    for first, meant in bound.items():
        for chain in _chains(first).finditer(source):
            before = source[chain.start() - 1 : chain.start()]
            if not (before.isalnum() or before in ("_", ".")):
                found.append((f"{meant}{chain[1]}", chain.start()))
    for pattern in _TEXTS:
        for call in pattern.finditer(source):
            first, dot, rest = call[1].partition(".")
            if first in bound:
                found.append((f"{bound[first]}{dot}{rest}.{call[2]}", call.start()))
            elif call[3]:
                found.append((call[3], call.start()))
    found = [(name, place) for name, place in found if f"{name}.".startswith("torch.")]
    places = [place for name, place in found if _state(name)]
    if found:
        places += [call.start() for call in _odd_methods().finditer(source)]
    return {name for name, _ in found}, [*imports, *places] if places else []


def _uses(source: str, places: list[int], path: Path) -> list[Use]:
    """The uses in *source*; only what is around *places* is parsed where that is enough."""
    try:
        return list(uses(relevant(source, places), str(path)))
    except SyntaxError:  # a line that is no statement begins as one
        return list(uses(source, str(path)))


def _note(names: dict[tuple[str, str], dict[str, Any]], use: Use, path: Path) -> None:
    """Enter *use* into *names* if it is to be listed."""
    state = _method_state(use.name.rpartition(".")[2]) if use.method else _state(use.name)
    if not state or (use.stored and state != "no effect" and _first_missing(use.name) == use.name):
        return  # what a program assigns need not be there
    # What lacks a name lacks the shortest part of it; methods are named without what has them.
    name = use.name if use.method else _first_missing(use.name) or use.name
    each = names.setdefault(
        (state, name),
        {
            "name": name,
            "state": state,
            "optional": True,
            "why": _reason(state, name),
            "method": use.method,
            "places": [],
        },
    )
    each["optional"] = each["optional"] and use.optional
    place = {"file": str(path), "line": use.line, "optional": use.optional}
    if place not in each["places"]:
        each["places"].append(place)


def _reason(state: str, name: str) -> str:
    if state == "missing":
        return ""
    return _whose(name) if state == "not torch's" else _refused(name) or _why(name)


@cache
def _state(name: str) -> str:
    """What is to be said of a name; nothing where it does what torch's does."""
    missing = _first_missing(name)
    if missing is not None:
        return "not torch's" if _whose(missing) else "missing"
    if _refused(name):
        return "refused"
    return "no effect" if _why(name) else ""


def _whose(name: str) -> str:
    """Whose a name is that torch itself lacks; nothing of those that it has."""
    _, first, *rest = name.split(".")
    if first in ("ops", "classes"):
        return "" if not rest or rest[0] in _SPACES else "an extension registers it"
    return "" if first in _root_names() else "a plugin brings it, or torch had it once"


@cache
def _root_names() -> frozenset[str]:
    """The names in torch itself, those of modules among them."""
    return frozenset(Path(__file__).with_name("root_names.txt").read_text("utf-8").split())


def _refused(name: str) -> str:
    """What a name lacks, so that it refuses when it is called."""
    return why_refused(_look_up(name)[1])


def _why(name: str) -> str:
    """What is true of a name that has no effect; one that only asks is true."""
    if name.rpartition(".")[2].startswith(("is_", "get_")):
        return ""
    while name:
        if name in WITHOUT_EFFECT:
            return WITHOUT_EFFECT[name]
        name = name.rpartition(".")[0]
    return ""


def _first_missing(name: str) -> str | None:
    """The shortest part of a name that is not there; what hangs off a value is not looked at."""
    return _look_up(name)[0]


@cache
def _look_up(name: str) -> tuple[str | None, Any]:
    """The shortest part of a name that is not there, and else what it means.

    Of what hangs off a value it is the value.
    """
    parts = name.split(".")
    holder: Any = mindtorch
    path = "mindtorch"
    for i, part in enumerate(parts[1:], 2):
        whole_class = isinstance(holder, type) and issubclass(holder, mindtorch.Tensor)
        if not isinstance(holder, ModuleType) and not whole_class:
            return None, holder
        path = f"{path}.{part}"
        try:
            holder = getattr(holder, part)
        except Exception:  # some spaces of torch say in other errors that they lack a name
            try:
                holder = import_module(path)
            except ImportError:
                return ".".join(parts[:i]), None
    return None, holder


@cache
def _tensor_methods() -> frozenset[str]:
    """The methods of torch's Tensor, without those that other things have as well."""
    text = Path(__file__).with_name("tensor_methods.txt").read_text("utf-8")
    others = {name for kind in _OTHERS for name in dir(kind)}
    return frozenset(text.split()) - others


@cache
def _method_state(name: str) -> str:
    """The same of a method, if it is one of a tensor."""
    if name not in _tensor_methods():
        return ""
    if not hasattr(mindtorch.Tensor, name):
        return "missing"
    return "refused" if _refused(f"torch.Tensor.{name}") else ""


def tables(data: dict[str, Any]) -> Iterator[RenderableType]:
    """A row a name, and the verdict."""
    for state, title in _TITLES.items():
        chosen = [each for each in data["names"] if each["state"] == state]
        if not chosen:
            continue
        made = table("name", "where", "", title=title, fold=("name", "where", ""))
        for each in chosen:
            first, more = each["places"][0], len(each["places"]) - 1
            where = f"{_short(first['file'])}:{first['line']}" + (
                f" and {more} more" if more else ""
            )
            aside = each["why"] or ("if it is a tensor" if each["method"] else "")
            if each["optional"] and state in ("missing", "not torch's"):
                aside = "optional"
            made.add_row(plain(each["name"]), plain(where), plain(aside, ASIDE))
        yield made
    for each in data["unread"]:
        yield plain(f"{each['file']} could not be read: {each['error']}", BAD)
    files = "1 file uses" if data["files"] == 1 else f"{data['files']} files use"
    counts = Counter(data)
    said = f"{files} {data['used']} names of torch; {counts['missing'] or 'none'} missing"
    if data["optional"]:
        said += f", {data['optional']} more that the program can do without"
    if data["not_torchs"]:
        said += f", {data['not_torchs']} that torch lacks too"
    if data["refused"]:
        said += f", {data['refused']} refused when called"
    if data["no_effect"]:
        said += f", {data['no_effect']} without effect"
    yield plain(said, BAD if data["missing"] else GOOD)


def _short(path: str) -> str:
    """A path from here where it lies below; of an installed package from the package."""
    found = Path(path).resolve()
    for folder in (*[p for p in found.parents if p.name == "site-packages"], Path.cwd()):
        if found.is_relative_to(folder):
            return str(found.relative_to(folder))
    return path
