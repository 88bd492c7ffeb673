"""The names of torch that a source file uses, found by reading it.

Nothing of the file is run. A name is followed from the import that binds it: ``torch.nn.Linear``
and ``Linear`` after ``from torch.nn import Linear`` are the same name. What is used only where its
absence is provided for (in a ``try`` that catches the error, below ``hasattr``, for type checkers)
is *optional*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Use", "uses"]

#: Errors that say that a name is not there, and what catches them.
_CAUGHT = frozenset(
    ("ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException")
)


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


def uses(source: str, filename: str = "<source>") -> Iterator[Use]:
    """The uses of torch's names in *source*, in order of their lines.

    Names in ``if TYPE_CHECKING:`` are left out. Raises SyntaxError.
    """
    visitor = _Visitor()
    visitor.visit(ast.parse(source, filename))
    return iter(sorted(visitor.found, key=lambda use: (use.line, use.name)))


class _Visitor(ast.NodeVisitor):
    """Collects uses; names that imports bind are known in the whole file from there on."""

    def __init__(self) -> None:
        self.found: list[Use] = []
        self._bound: dict[str, str] = {}
        self._optional = 0

    def _add(self, name: str, node: ast.AST, *, method: bool = False) -> None:
        line: int = getattr(node, "lineno")  # noqa: B009  (all nodes that come here have one)
        self.found.append(Use(name, line, bool(self._optional), method))

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            if each.name == "torch" or each.name.startswith("torch."):
                self._add(each.name, node)
                if each.asname:
                    self._bound[each.asname] = each.name
                else:
                    self._bound["torch"] = "torch"

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level or not (module == "torch" or module.startswith("torch.")):
            return
        self._add(module, node)
        for each in node.names:
            if each.name != "*":
                self._add(f"{module}.{each.name}", each)
                self._bound[each.asname or each.name] = f"{module}.{each.name}"

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = self._full(node)
        if name is not None and isinstance(node.ctx, ast.Load):
            self._add(name, node)
        elif name is None:
            self.generic_visit(node)

    def _full(self, node: ast.expr) -> str | None:
        """The name that a chain of attributes means, if it begins with one of torch's."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._bound:
            return None
        return ".".join([self._bound[node.id], *reversed(parts)])

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and self._full(function) is None:
            self._add(f"torch.Tensor.{function.attr}", function, method=True)
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        guarded = any(_catches(handler) for handler in node.handlers)
        self._optional += guarded
        for each in node.body:
            self.visit(each)
        self._optional -= guarded
        for other in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(other)

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if "TYPE_CHECKING" in test and "not" not in test:
            # Such imports bind names for annotations only.
            for other in node.orelse:
                self.visit(other)
            return
        guarded = "hasattr(" in test or "version" in test.lower() or "_available" in test
        self.visit(node.test)
        self._optional += guarded
        for each in (*node.body, *node.orelse):
            self.visit(each)
        self._optional -= guarded

    def visit_IfExp(self, node: ast.IfExp) -> None:
        guarded = "hasattr(" in ast.unparse(node.test)
        self._optional += guarded
        self.generic_visit(node)
        self._optional -= guarded

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        # What an argument is called hides what an import has bound.
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        hidden = {name: self._bound.pop(name) for name in names if name in self._bound}
        self.generic_visit(node)
        self._bound.update(hidden)

    visit_AsyncFunctionDef = visit_FunctionDef


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether *handler* catches the error of a name that is not there."""
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(each, ast.Name) and each.id in _CAUGHT for each in caught)
