"""What a module of a program checks of its arguments before it runs."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..aten.symbolic_numbers import SymInt
from ..fx import Node
from ..fx.experimental._symbolic_context import with_sympy
from ..nn import Module
from ..tensor import Tensor

__all__ = ["GuardsFn", "InputGuard", "expected_of", "guards_of"]


class InputGuard(NamedTuple):
    """A condition on ``args``, and what is said where it does not hold."""

    code: str
    text: str


class GuardsFn(Module):
    """Raises AssertionError for arguments that a program was not exported for.

    :param guards: what must hold of the arguments, in the order in which it is looked at.
    """

    def __init__(self, guards: list[InputGuard]) -> None:
        super().__init__()
        self._guards = guards
        self._checks: list[Callable[..., Any]] = [
            eval(f"lambda args: {guard.code}", {"math": math})
            for guard in guards  # our own code
        ]

    def __reduce__(self) -> Any:
        return GuardsFn, (self._guards,)

    def forward(self, *args: Any) -> None:
        """Look at sizes, and at values of what is no tensor."""
        for check, guard in zip(self._checks, self._guards, strict=True):
            if not check(args):
                raise AssertionError(f"Guard failed: {guard.text}")


def expected_of(node: Node) -> Any:
    """The sizes of a tensor, symbols and None among them, or a value that is always the same."""
    value = node.meta.get("val")
    sizes = value.shape if isinstance(value, Tensor) else node.meta.get("sizes")
    return value if sizes is None else tuple(sizes)


def guards_of(
    placeholders: list[Node], names: list[str], ranges: Mapping[Any, Any], assumed: list[str]
) -> list[InputGuard]:
    """What must hold of the arguments.

    :param names: what they are called.
    :param ranges: those of their sizes that are symbols.
    :param assumed: what else was assumed, as code of these names (``L['x'].size()[0]``).
    """
    made = _Guards(ranges)
    for i, (node, name) in enumerate(zip(placeholders, names, strict=True)):
        expected = expected_of(node)
        if isinstance(expected, tuple):
            for dim, size in enumerate(expected):
                made.of_size(f"args[{i}].size()[{dim}]", f"{name}.size()[{dim}]", size)
        elif isinstance(expected, SymInt):
            made.of_size(f"args[{i}]", name, expected)
        elif expected is not None:
            made.of_value(f"args[{i}]", name, expected)
    made.derived()
    for code in assumed:
        actual = shown = code
        for i, name in enumerate(names):
            for local in _locals(name):
                actual = actual.replace(local, f"args[{i}]")
                shown = shown.replace(local, name)
        if only_computes(actual):
            made.add(actual, ast.unparse(ast.parse(shown, mode="eval")))
    return made.found


def _locals(name: str) -> list[str]:
    """The code of ``x[0]``: ``L['x'][0]``; of ``x_1`` also ``L['x'][1]``, one of several."""
    base, bracket, rest = name.partition("[")
    found = [f"L['{base}']{bracket}{rest}"]
    several, _, number = base.rpartition("_")
    if several and number.isdigit():
        found.append(f"L['{several}'][{number}]{bracket}{rest}")
    return found


#: What a condition on sizes is made of, and the functions and attributes in it.
_NODES = (
    ast.Expression, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Subscript,
    ast.Call, ast.Attribute, ast.Name, ast.Load, ast.cmpop, ast.boolop, ast.operator, ast.unaryop,
)  # fmt: skip
_NAMES = frozenset(("args", "min", "max", "float", "int", "abs"))
_ATTRIBUTES = frozenset(("size", "stride", "storage_offset"))


def only_computes(code: str) -> bool:
    """Whether *code*, which may come from a file, is arithmetic of sizes and nothing else."""
    try:
        nodes = list(ast.walk(ast.parse(code, mode="eval")))
    except SyntaxError:
        return False
    return all(
        isinstance(node, _NODES)
        and not isinstance(node, ast.LShift | ast.MatMult)
        and (not isinstance(node, ast.Name) or node.id in _NAMES)
        and (not isinstance(node, ast.Attribute) or node.attr in _ATTRIBUTES)
        and (not isinstance(node, ast.Constant) or type(node.value) in (int, float, bool))
        and (not isinstance(node, ast.Call) or not node.keywords)
        and not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _is_large(node))
        for node in nodes
    )


def _is_large(power: ast.BinOp) -> bool:
    exponent = power.right
    return not (isinstance(exponent, ast.Constant) and exponent.value in range(9))


class _Guards:
    def __init__(self, ranges: Mapping[Any, Any]) -> None:
        self.ranges = ranges
        self.found: list[InputGuard] = []
        #: Where an expression was read first.
        self.first: dict[Any, tuple[str, str]] = {}
        self.later: list[tuple[str, str, Any]] = []

    def add(self, code: str, text: str) -> None:
        """One more."""
        self.found.append(InputGuard(code, text))

    def of_value(self, code: str, name: str, value: Any) -> None:
        """A value that is always the same."""
        if isinstance(value, float) and not math.isfinite(value):
            special = "math.isnan({})" if math.isnan(value) else f"{{}} == {_infinity(value)}"
            self.add(special.format(code), special.format(name))
        else:
            self.add(f"{code} == {value!r}", f"{name} == {value!r}")

    def of_size(self, code: str, name: str, size: Any) -> None:
        """A size that is a number, or a symbol; nothing is known of None."""
        if isinstance(size, SymInt) and size.node.maybe_as_int() is not None:
            size = size.node.maybe_as_int()
        if isinstance(size, int):
            self.add(f"{code} == {size}", f"{name} == {size}")
            return
        expr = size.node.expr if isinstance(size, SymInt) else None
        if expr is None or expr not in self.ranges:
            return
        if len(expr.free_symbols) == 1:
            self.later.append((code, name, expr))
        if expr in self.first:
            other_code, other_name = self.first[expr]
            self.add(f"{code} == {other_code}", f"{name} == {other_name}")
            return
        self.first[expr] = code, name
        known = self.ranges[expr]
        if known.lower > 2:
            self.add(f"{code} >= {known.lower}", f"{name} >= {known.lower}")
        if not math.isinf(known.upper):
            self.add(f"{code} <= {known.upper}", f"{name} <= {known.upper}")

    def derived(self) -> None:
        """Sizes that follow from one symbol, which is no size itself."""
        alone = [each for each in self.later if not each[2].free_symbols <= self.first.keys()]
        if alone:
            related = with_sympy(f"{__package__}._related_sizes").related
            self.found += [InputGuard(*each) for each in related(alone)]


def _infinity(value: float) -> str:
    return "math.inf" if value > 0 else "-math.inf"
