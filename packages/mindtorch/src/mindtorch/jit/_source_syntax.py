"""What the source of a script may say, and what it means in Python.

A script's syntax is Python's, with types written out. Types go here; what they make of a value (a
number of a tensor) is done; and attributes are read and set through functions, ``getattr`` and
``setattr``, that decide when they run.
"""

from __future__ import annotations

import ast
from typing import Any

from ._prim_ops import OPS

__all__ = ["check", "check_name", "meaning"]

#: What source may consist of.
_SYNTAX = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign,
    ast.AugAssign, ast.For, ast.While, ast.If, ast.With, ast.withitem, ast.Expr, ast.Pass,
    ast.Break, ast.Continue, ast.Assert, ast.Call, ast.keyword, ast.Attribute, ast.Subscript,
    ast.Slice, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.Constant, ast.UnaryOp, ast.USub,
    ast.UAdd, ast.Not, ast.Load, ast.Store, ast.Starred, ast.Delete, ast.Del,
)  # fmt: skip
#: Names of Python's form that operators, and methods of classes, may have.
_NAMES = frozenset(OPS) | frozenset(
    "__init__ __new__ __enter__ __exit__ __len__ __getitem__ __setitem__ __contains__ __iter__ "
    "__getstate__ __setstate__ __call__ __bool__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ "
    "__add__ __sub__ __mul__ __truediv__ __str__ __forked_function".split()
)
#: The types that ``annotate`` makes numbers of.
NUMBERS = ("int", "float", "bool", "complex", "number")


def check_name(name: str) -> None:
    if name.startswith("__") and name.endswith("__") and name not in _NAMES:
        raise RuntimeError(f"the source of a script may not name {name}")


def check(node: ast.AST) -> None:
    """Raise RuntimeError for syntax and names that no script has."""
    for each in ast.walk(node):
        if not isinstance(each, _SYNTAX):
            raise RuntimeError(f"the source of a script has no {type(each).__name__}")
        if isinstance(each, ast.Attribute):
            check_name(each.attr)
        if isinstance(each, ast.Name) and each.id != "__torch__":
            check_name(each.id)


def _is_operator(node: ast.Attribute) -> bool:
    """Whether *node* is ``torch.name``, ``ops.library``, its ``name``, or ``CONSTANTS.c0``."""
    match node.value:
        case ast.Name(id="torch" | "ops" | "CONSTANTS"):
            return True
        case ast.Attribute(value=ast.Name(id="ops")):
            return True
    return False


def meaning(statement: ast.stmt) -> ast.Module:
    """A module of *statement* as Python runs it. Changes the statement."""
    return ast.fix_missing_locations(ast.Module([_Meaning().visit(statement)], []))


class _Meaning(ast.NodeTransformer):
    """What source means in Python: types go, and values that they make are made."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = []
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Reads are checked when they run; what is written is an attribute of ``self``."""
        if _is_operator(node):
            return node
        value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load):
            read = ast.Name("getattr", ast.Load())
            made = ast.Call(read, [value, ast.Constant(node.attr)], [])
            return ast.copy_location(made, node)
        raise RuntimeError("the source of a script sets no such attribute")

    def visit_Assign(self, node: ast.Assign) -> Any:
        """``self.name = value`` is a call of ``setattr``."""
        (target,) = node.targets
        if not isinstance(target, ast.Attribute):
            return self.generic_visit(node)
        args = [self.visit(target.value), ast.Constant(target.attr), self.visit(node.value)]
        made = ast.Expr(ast.Call(ast.Name("setattr", ast.Load()), args, []))
        return ast.copy_location(made, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called in ("annotate", "unchecked_cast"):
            kind, value = node.args
            value = self.visit(value)
            if called == "annotate" and isinstance(kind, ast.Name) and kind.id in NUMBERS:
                make = ast.Name("number", ast.Load())
                args = [value, ast.Constant(kind.id)]
                value = ast.copy_location(ast.Call(make, args, []), node)
            return value
        if called == "isinstance":
            kinds = getattr(node.args[1], "elts", [node.args[1]])
            names = ast.List([ast.Constant(ast.unparse(kind)) for kind in kinds], ast.Load())
            node.args[1:] = [names]
            node.args[0] = self.visit(node.args[0])
            return node
        if called == "uninitialized":
            return ast.copy_location(ast.Constant(None), node)
        return self.generic_visit(node)
