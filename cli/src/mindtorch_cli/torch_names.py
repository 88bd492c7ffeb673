"""The names of torch that a source file uses, found by reading it.

Nothing of the file is run. A name is followed from the import that binds it: ``torch.nn.Linear``
and ``Linear`` after ``from torch.nn import Linear`` are the same name; so is
``getattr(torch.nn, "Linear")``. What is used only where its absence is provided for (in a ``try``
that catches the error, below ``hasattr``, after an assignment) is *optional*; what is there for
type checkers alone is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Use", "uses"]

#: Errors that say that a name is not there, and what catches them.
_CAUGHT = frozenset(
    ("ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException")
)
#: Functions that import the module of a name.
_IMPORTERS = frozenset(("import_module", "__import__"))


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a name of torch."""

    name: str
    """The full name, as ``torch.nn.Linear``."""
    line: int
    """1 is the first."""
    optional: bool
    """Whether the file provides for its absence."""
    method: bool = False
    """Whether it is a method that is called on something, which may be no tensor."""
    stored: bool = False
    """Whether it is assigned to."""


def uses(source: str, filename: str = "<source>") -> Iterator[Use]:
    """The uses of torch's names in *source*, in order of their lines.

    Raises SyntaxError.
    """
    reader = _Reader()
    reader.read(ast.parse(source, filename))
    given = {use.name for use in reader.found if use.stored}
    for use in sorted(reader.found, key=lambda use: (use.line, use.name)):
        # What the file assigns is there, whatever torch has.
        own = not use.stored and any(f"{use.name}.".startswith(f"{name}.") for name in given)
        yield replace(use, optional=True) if own else use


#: Fields of nodes in which there are no others.
_PLAIN = ("ctx", "op", "ops", "id", "attr", "arg", "name", "names", "kind", "type_comment")
#: Of each kind of nodes the fields that may hold others.
_PARTS: dict[type, tuple[str, ...]] = {
    kind: tuple([field for field in kind._fields if field not in _PLAIN])
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


class _Reader:
    """Collects uses; names that imports bind are known in the whole file from there on."""

    def __init__(self) -> None:
        self.found: list[Use] = []
        #: The name here by which each of them goes.
        self._by: list[str] = []
        self._bound: dict[str, str] = {}
        #: What the function that is read assigns to, and what it says is not its own.
        self._assigned: set[str] = set()
        self._global_names: set[str] = set()
        self._optional = 0
        #: Whether annotations stay texts.
        self._as_texts = False

    def read(self, node: Any) -> None:
        """Look at *node* and what is in it."""
        special = _SPECIAL.get(type(node))
        if special is None:
            self._read_parts(node)
        else:
            special(self, node)

    def _read_parts(self, node: Any) -> None:
        for field in _PARTS[type(node)]:
            value = getattr(node, field)
            if type(value) is list:
                for each in value:
                    if each is not None:
                        self.read(each)
            elif isinstance(value, ast.AST):
                self.read(value)

    def _read_all(self, nodes: Any) -> None:
        for each in nodes:
            self.read(each)

    def _guarded(self, guarded: bool, nodes: Any) -> None:
        """Read *nodes*, whose names are optional if *guarded*."""
        self._optional += guarded
        self._read_all(nodes)
        self._optional -= guarded

    def _add(self, name: str, node: Any, by: str = "", **facts: bool) -> None:
        self.found.append(Use(name, node.lineno, bool(self._optional), **facts))
        self._by.append(by)

    def _leaf(self, node: Any) -> None:
        pass

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._assigned.add(node.id)

    def _global(self, node: ast.Global | ast.Nonlocal) -> None:
        self._global_names.update(node.names)

    # Imports --------------------------------------------------------------------------------------

    def _import(self, node: ast.Import) -> None:
        for each in node.names:
            if each.name == "torch" or each.name.startswith("torch."):
                self._add(each.name, node)
                if each.asname:
                    self._bound[each.asname] = each.name
                else:
                    self._bound["torch"] = "torch"

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if module == "__future__":
            self._as_texts |= any(each.name == "annotations" for each in node.names)
        if node.level or not (module == "torch" or module.startswith("torch.")):
            return
        self._add(module, node)
        for each in node.names:
            if each.name != "*":
                self._add(f"{module}.{each.name}", each)
                self._bound[each.asname or each.name] = f"{module}.{each.name}"

    # Names ----------------------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> None:
        name, by = self._full(node)
        if name:
            self._add(name, node, by, stored=not isinstance(node.ctx, ast.Load))
        else:
            self.read(node.value)

    def _full(self, node: ast.expr) -> tuple[str, str]:
        """The name that a chain of attributes means, if it begins with one of torch's, and that."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._bound:
            return "", ""
        return ".".join([self._bound[node.id], *reversed(parts)]), node.id

    def _call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and not self._full(function)[0]:
            self._add(f"torch.Tensor.{function.attr}", function, method=True)
        self._called_by_text(node)
        self._read_parts(node)

    def _called_by_text(self, node: ast.Call) -> None:
        """``getattr(torch, "x")``, ``setattr(torch, "x", …)``, ``import_module("torch.x")``."""
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        texts = [getattr(each, "value", None) for each in node.args]
        if called in _IMPORTERS and texts and isinstance(texts[0], str):
            if f"{texts[0]}.".startswith("torch."):
                self._add(texts[0], node)
        elif called in ("getattr", "setattr") and len(texts) > 1 and isinstance(texts[1], str):
            holder, by = self._full(node.args[0])
            if holder:
                default = called == "getattr" and len(texts) > 2
                self._optional += default
                self._add(f"{holder}.{texts[1]}", node, by, stored=called == "setattr")
                self._optional -= default

    # What provides for absence --------------------------------------------------------------------

    def _try(self, node: ast.Try) -> None:
        self._guarded(any(_catches(handler.type) for handler in node.handlers), node.body)
        self._read_all((*node.handlers, *node.orelse, *node.finalbody))

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        self._read_all(node.items)
        self._guarded(any(_suppresses(item.context_expr) for item in node.items), node.body)

    def _if(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if "TYPE_CHECKING" in test and "not" not in test:
            self._read_all(node.orelse)  # what is imported else is for annotations only
            return
        self.read(node.test)
        guarded = "hasattr(" in test or "version" in test.lower() or "_available" in test
        self._guarded(guarded, (*node.body, *node.orelse))

    def _if_expression(self, node: ast.IfExp) -> None:
        self._guarded("hasattr(" in ast.unparse(node.test), (node.test, node.body, node.orelse))

    # Functions ------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._read_all((*node.decorator_list, *node.args.defaults))
        self._read_all(each for each in node.args.kw_defaults if each is not None)
        if not self._as_texts:
            self._read_all(a.annotation for a in _arguments(node) if a.annotation is not None)
            if node.returns is not None:
                self.read(node.returns)
        # What a function's arguments are called hides what an import has bound.
        names = {each.arg for each in _arguments(node)}
        hidden = {name: self._bound.pop(name) for name in names if name in self._bound}
        outside, start = (self._assigned, self._global_names), len(self.found)
        self._assigned, self._global_names = set(), set()
        self._read_all(node.body)
        self._forget(start, self._assigned - self._global_names)
        self._assigned, self._global_names = outside
        self._bound.update(hidden)

    def _forget(self, start: int, own: set[str]) -> None:
        """What a function assigns to is its *own* name in all of it, and none of torch's."""
        if not own.isdisjoint(self._by[start:]):
            kept = [i for i in range(start, len(self._by)) if self._by[i] not in own]
            self.found[start:] = [self.found[i] for i in kept]
            self._by[start:] = [self._by[i] for i in kept]

    def _annotated(self, node: ast.AnnAssign) -> None:
        if not self._as_texts:
            self.read(node.annotation)
        self.read(node.target)
        if node.value is not None:
            self.read(node.value)


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    given = node.args
    found = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return found + [each for each in (given.vararg, given.kwarg) if each is not None]


def _catches(caught: ast.expr | None) -> bool:
    """Whether what is *caught* has the error of a name that is not there."""
    if caught is None:
        return True
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(isinstance(each, ast.Name) and each.id in _CAUGHT for each in kinds)


def _suppresses(context: ast.expr) -> bool:
    """Whether *context* is ``suppress(ImportError)`` or the like."""
    if not isinstance(context, ast.Call):
        return False
    called = getattr(context.func, "id", getattr(context.func, "attr", ""))
    return called == "suppress" and any(_catches(each) for each in context.args)


_SPECIAL: dict[type, Callable[[_Reader, Any], None]] = {
    ast.Import: _Reader._import,
    ast.ImportFrom: _Reader._import_from,
    ast.Attribute: _Reader._attribute,
    ast.Call: _Reader._call,
    ast.Try: _Reader._try,
    ast.TryStar: _Reader._try,
    ast.With: _Reader._with,
    ast.AsyncWith: _Reader._with,
    ast.If: _Reader._if,
    ast.IfExp: _Reader._if_expression,
    ast.FunctionDef: _Reader._function,
    ast.AsyncFunctionDef: _Reader._function,
    ast.AnnAssign: _Reader._annotated,
    ast.Name: _Reader._name,
    ast.Global: _Reader._global,
    ast.Nonlocal: _Reader._global,
    ast.Constant: _Reader._leaf,
}
