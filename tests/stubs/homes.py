"""Where a value is defined, as a type checker sees it: the module and the name there.

At run time a class or function says of itself where torch has it. The sources say where it is.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from tests.workspace import ROOT

#: What is looked through: the packages whose sources have hints.
PACKAGES = {
    "mindtorch": "packages/mindtorch/src/mindtorch",
    "mindtorch_autograd": "packages/autograd/src/mindtorch_autograd",
    "mindtorch_dispatch": "packages/dispatch/src/mindtorch_dispatch",
    "mindtorch_npu": "packages/npu/src/mindtorch_npu",
    "mindtorch_storage": "packages/storage/src/mindtorch_storage",
}
#: Where modules lie that are imported as if they lay at the top (see ``mindtorch/__init__.py``).
PATHS = ("compat", "paths")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@cache
def sources() -> dict[str, Path]:
    """The file of every module, by its name."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            if parts[: len(PATHS)] == PATHS:
                parts = parts[len(PATHS) :]
            name = ".".join((package, *parts)).removesuffix(".__init__")
            found.setdefault(name, path)
    return found


def file_of(module: str) -> Path:
    """Where a checker looks for *module*: by its name."""
    path = sources()[module]
    above = path.parent
    if above.parts[-len(PATHS) :] == PATHS:
        return above.parents[len(PATHS) - 1] / path.name
    return path


def seen_at(module: str) -> str:
    """The name by which a checker finds *module*: the plain path of a private one has no stub."""
    package, _, path = module.partition(".")
    if path.startswith("_") and not path.startswith("__") and file_of(module) != sources()[module]:
        return ".".join((package, *PATHS, path))
    return module


@cache
def tree(module: str) -> ast.Module:
    """The source of *module*."""
    return ast.parse(sources()[module].read_text("utf-8"))


@cache
def defined(module: str) -> dict[str, ast.stmt]:
    """What the source of *module* defines at its top: the statement, by name."""
    found: dict[str, ast.stmt] = {}
    for statement in _statements(tree(module).body):
        if isinstance(statement, _DEFINITIONS):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name) and target.id not in found:
                    found[target.id] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found.setdefault(statement.target.id, statement)
    return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, (ast.If, ast.Try)):
            yield from _statements(statement.body)
            yield from _statements(statement.orelse)
        else:
            yield statement


#: A statement that imports from a module, wherever it stands: to parse all sources takes seconds.
_IMPORT = re.compile(
    r"^[ \t]*(from[ \t]+[.\w]+[ \t]+import[ \t]+(?:\((?:[^)#]|#[^\n]*)*\)|[^\n(]+))", re.MULTILINE
)


@cache
def _all_imports() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module, source in sources().items():
        for text in _IMPORT.findall(source.read_text("utf-8")):
            try:
                (node,) = ast.parse(text).body
            except SyntaxError:
                continue  # words of a docstring
            assert isinstance(node, ast.ImportFrom)
            names = found.setdefault(absolute(module, node), set())
            names |= {alias.name for alias in node.names}
    return found


def imported(module: str) -> set[str]:
    """The names that other modules of the packages import from *module*."""
    return _all_imports().get(module, set()) - {"*"}


def absolute(module: str, node: ast.ImportFrom) -> str:
    """The module that an import in *module* names."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    is_package = sources()[module].name == "__init__.py"
    parts = parts[: len(parts) - node.level + is_package]
    return ".".join([*parts, *([node.module] if node.module else [])])


@cache
def _imports_of(module: str) -> frozenset[str]:
    """The modules that *module* imports at its top, and the packages that they are in."""
    found = set()
    for node in _statements(tree(module).body):
        if isinstance(node, ast.ImportFrom):
            place = absolute(module, node)
            found |= {place, *(f"{place}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    parts = (name.split(".") for name in found)
    names = {".".join(p[:n]) for p in parts for n in range(1, len(p) + 1)}
    return frozenset(names & sources().keys())


def loaded_by(module: str) -> set[str]:
    """The modules that are loaded when *module* has been imported."""
    found, open_ = set(), {module}
    while open_:
        name = open_.pop()
        found.add(name)
        open_ |= _imports_of(name) - found
    return found


#: Values by identity -> where modules hold them, and under which name.
_index: dict[int, list[tuple[str, str]]] = {}
_indexed: set[str] = set()


def _held(value: Any) -> list[tuple[str, str]]:
    for name in [n for n in sys.modules if n not in _indexed and n in sources()]:
        _indexed.add(name)
        for key, held in vars(sys.modules[name]).items():
            if type(key) is str and type(held) is not ModuleType:
                _index.setdefault(id(held), []).append((name, key))
    return _index.get(id(value), [])


def home(name: str, value: Any, *, but: str = "") -> tuple[str, str] | None:
    """The module, other than *but*, and the name there under which *value* is defined."""
    if not isinstance(value, (type, FunctionType)) and type(value).__module__ == "builtins":
        return None  # a plain value: others may hold the same by chance
    values = [value]
    if isinstance(value, FunctionType):
        values.append(unwrap(value))
    found = []
    for each in values:
        for module, key in _held(each):
            statement = defined(module).get(key)
            if module == but or statement is None:
                continue
            plain = isinstance(statement, _DEFINITIONS)
            if callable(each) and not plain and not _is_alias(statement):
                continue  # made by a call: its type is lost
            found.append((not plain, key != name, key.startswith("_"), module, key))
    return min(found)[3:] if found else None


def _is_alias(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(value, (ast.Name, ast.Attribute)) or isinstance(statement, ast.AnnAssign)
