"""The stub of a namespace: every name that it offers, and where a checker finds it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from mindtorch import Tensor
from mindtorch_storage import DType

from . import rows
from .hints import definitions
from .homes import absolute, defined, home, imported, loaded_by, seen_at, sources, tree
from .layout import define, used
from .layout import imports as imports_of
from .python import parameters_of, returns_of
from .tensor import tensor_class
from .written import fragments

_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
HEAD = "# Written by `python -m tests.stubs --write`; see tests/stubs.\n"
ROOT = "mindtorch"
#: The names of ``torch`` that need no namespace; the root has them from there.
BASE = "mindtorch.aten.torch"
#: Where class ``Tensor`` is.
TENSOR = "mindtorch.tensor"
#: Hints of plain values.
_PLAIN = {bool: "_bool", int: "_int", float: "_float", str: "_str", type(None): "None"}
#: What every module has.
_OF_MODULES = vars(ModuleType("")).keys() | set(
    "__all__ __annotate__ __annotations__ __builtins__ __cached__ __dir__ __file__ __getattr__ "
    "__path__".split()
)


class Facade:
    """The stub of *module*, made name by name."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.space: ModuleType = import_module(module)
        self.own = defined(module)
        self.by_hand = fragments(module)
        self.imports: set[str] = set()
        self.body: list[str] = []
        self.bound: set[str] = set()

    def text(self) -> str:
        """The whole stub."""
        base = self._base()
        for name in self.names():
            if name not in base:
                self.add(name)
        needed = self._complete()
        lines = [*imports_of(needed), *sorted(self.imports), "", *self.body]
        return HEAD + "\n".join(lines) + "\n"

    def _base(self) -> set[str]:
        """The names that this namespace has from the one under it, all of them at once."""
        if self.module != ROOT:
            return set()
        under = Facade(BASE)
        self.imports.add(f"from {BASE} import *")
        same = [n for n in under.names() if self.value(n, self) is under.value(n)]
        # What is private, or has the name of a submodule, comes by its name alone.
        alone = {n for n in same if n.startswith("_") or f"{ROOT}.{n}" in sources()}
        for name in alone:
            self.bind(BASE, name, name)
        self.bound |= set(same)
        return set(same)

    def names(self) -> list[str]:
        """What is offered, and what the library itself imports from here."""
        space = vars(self.space)
        offered = set(space.get("__all__", ()))
        if "__dir__" in space or not offered:
            offered |= set(dir(self.space))
        asked = {n for n in imported(self.module) if f"{self.module}.{n}" not in sources()}
        offered |= asked
        imports = [node for node in tree(self.module).body if isinstance(node, ast.ImportFrom)]
        offered |= {a.name for node in imports for a in node.names if a.asname == a.name}
        # Others ask a module for what it defines itself also by names that are not offered.
        private = {n for n in self.own if n[0] == "_"}
        values = {n for n in private if not isinstance(self.own[n], _DEFINITIONS)}
        offered = (offered | self.own.keys()) - (values - asked)
        offered |= {*self._later(), *self._parts(), "__version__"}
        return sorted(n for n in offered - _OF_MODULES if self.value(n, self) is not self)

    def value(self, name: str, default: Any = None) -> Any:
        """What *name* is here; something unknown where an optional package lacks."""
        try:
            return getattr(self.space, name, default)
        except ImportError:
            return ModuleType(name) if f"{self.module}.{name}" in sources() else object()

    def _later(self) -> Iterator[str]:
        """The submodules that the namespace imports when it is asked for them."""
        find = vars(self.space).get("__getattr__")
        for name in sources() if find else ():
            above, _, last = name.rpartition(".")
            if above == self.module:
                try:
                    found = find(last)
                except AttributeError:
                    continue
                except ImportError:  # of an optional package
                    found = ModuleType(name)
                if isinstance(found, ModuleType):
                    yield last

    def _parts(self) -> Iterator[str]:
        """The submodules that an import loads, which makes attributes of them."""
        if self.module in (ROOT, TENSOR):
            return  # where they are the library's own
        for name in loaded_by(self.module):
            above, _, last = name.rpartition(".")
            if above == self.module and not last.startswith("_"):
                yield last

    def _complete(self) -> set[str]:
        """Define what hints in the body name; return the names that are common to all stubs."""
        common: set[str] = set()
        while True:
            open_ = sorted(used(self.body) - self.bound - common - vars(builtins).keys())
            if not open_:
                return common
            for name in open_:
                if name in self.by_hand:
                    self.bound.add(name)
                    self.body[:0] = self.by_hand[name]
                elif not self._imported_by_source(name):
                    if name in self.own:
                        self.define(name, stripped(self.own[name]))
                    else:
                        common.add(name)

    def _imported_by_source(self, name: str) -> bool:
        """Import *name* as the source does, if the source has definitions that go into the stub."""
        for node in ast.walk(tree(self.module)):
            if isinstance(node, (ast.ImportFrom, ast.Import)):
                for alias in node.names:
                    if name == (alias.asname or alias.name):
                        as_name = f" as {alias.asname}" if alias.asname else ""
                        line = f"import {alias.name}{as_name}"
                        if isinstance(node, ast.ImportFrom):
                            line = f"from {absolute(self.module, node)} {line}"
                        self.imports.add(line)
                        self.bound.add(name)
                        return True
        return False

    def add(self, name: str) -> None:
        """Write *name*."""
        value = self.value(name)
        if value is Tensor and name in self.own:
            self.define(name, tensor_class(self.by_hand["Tensor"]))
        elif name in self.by_hand:
            self.define(name, self.by_hand[name])
        elif isinstance(value, ModuleType) and self.add_module(name, value):
            return
        elif isinstance(value, FunctionType) and id(value) in rows.functions():
            self.define(name, definitions(name, rows.functions()[id(value)]))
        elif isinstance(value, DType):
            self.define(name, [f"{name}: _dtype"])
        elif isinstance(self.own.get(name), _DEFINITIONS):
            self.define(name, stripped(self.own[name]))
        else:
            self.add_value(name, value)

    def define(self, name: str, lines: list[str]) -> None:
        """Put *lines*, which define *name*, into the body."""
        self.bound.add(name)
        self.body += lines

    def bind(self, place: str, there: str, name: str) -> None:
        """Import *there* of *place* as *name*, for others to import it from here."""
        submodule = f"{self.module}.{there}"
        if place == "." and seen_at(submodule) != submodule:
            place = seen_at(submodule).rpartition(".")[0]
        elif place in sources():
            place = seen_at(place)
        if there == name:
            self.bound.add(name)
            self.imports.add(f"from {place} import {name} as {name}")
        else:  # a stub hands on what it imports only where the name stays the same
            self.imports.add(f"from {place} import {there} as _{name}_")
            self.bound.add(f"_{name}_")
            self.define(name, [f"{name} = _{name}_"])

    def add_module(self, name: str, value: ModuleType) -> bool:
        """A submodule, or another module; whether it is one that is imported by its name."""
        above, _, last = value.__name__.rpartition(".")
        if f"{self.module}.{name}" in sources():
            self.bind(".", name, name)
        elif value.__name__ in sources() and above:
            self.bind(above, last, name)
        return type(value) is ModuleType or name in self.bound

    def add_value(self, name: str, value: Any) -> None:
        """What is defined elsewhere; or by no source, and then its class says what it is."""
        found = home(name, value, but=self.module)
        if found is not None:
            self.bind(*found, name)
        elif isinstance(value, FunctionType):
            self.define(name, define(name, parameters_of(value), returns_of(value)))
        else:
            self.define(name, [f"{name}: {self._class_of(value)}"])

    def _class_of(self, value: Any) -> str:
        hint = _PLAIN.get(type(value))
        if hint is None:
            kind = home(type(value).__name__, type(value))
            if kind is None:
                return "Any"
            hint = f"_{kind[1].lstrip('_')}"
            self.bound.add(hint)
            self.imports.add(f"from {kind[0]} import {kind[1]} as {hint}")
        return hint


def stripped(statement: ast.stmt) -> list[str]:
    """A definition without the bodies of its functions."""
    copy = ast.parse(ast.unparse(statement)).body[0]
    for node in ast.walk(copy):
        if isinstance(node, ast.ClassDef):
            doc = ast.get_docstring(node, clean=False)
            node.body = [*_attributes(node), *node.body[doc is not None :]]
            node.body = node.body or [ast.Expr(ast.Constant(...))]
    for node in ast.walk(copy):
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Expr(ast.Constant(...))]
    return ast.unparse(copy).replace(":\n    ...", ": ...").splitlines()


def _attributes(node: ast.ClassDef) -> list[ast.stmt]:
    """What methods of a class set on ``self``, as annotations of the class."""
    known = {s.target.id for s in node.body
             if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}  # fmt: skip
    known |= {s.name for s in node.body if isinstance(s, _DEFINITIONS)}
    known |= {t.id for s in node.body if isinstance(s, ast.Assign)
              for t in s.targets if isinstance(t, ast.Name)}  # fmt: skip
    found: dict[str, str] = {}
    for each in ast.walk(node):
        targets = each.targets if isinstance(each, ast.Assign) else ()
        if isinstance(each, ast.AnnAssign):
            targets = [each.target]
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self":
                    exact = isinstance(each, ast.AnnAssign)
                    hint = ast.unparse(each.annotation) if exact else "Any"
                    if part.attr not in known and (exact or part.attr not in found):
                        found[part.attr] = hint
    return ast.parse("\n".join(f"{name}: {hint}" for name, hint in found.items())).body
