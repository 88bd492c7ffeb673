"""The node of a symbolic number: an expression of sizes, whose value in this run is known.

Arithmetic gives new nodes, comparisons give truths, and a truth or number that is asked for becomes
a guard in the environment that the symbols belong to. While operators are written into a graph,
what is computed here is written there, too.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import sympy
from mindtorch_dispatch.modes import DISPATCH, PRE_DISPATCH

from ...aten import symbolic_numbers as sn
from ...core.unavailable import offer_listed
from ...utils._sympy import functions as f
from ...utils._sympy.functions import opaque
from ...utils._sympy.numbers import int_oo

__all__ = ["SymNode", "method_to_operator"]

_OPERATORS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in "add sub mul mod pow eq ne lt le gt ge".split()},
    **{name: getattr(operator, name) for name in "truediv neg and_ or_ lshift rshift".split()},
    **{f"bitwise_{name}": getattr(operator, f"{name}_") for name in ("and", "or")},
    "bitwise_xor": operator.xor,
    "int_floordiv": operator.floordiv,
    "int_truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "abs": operator.abs,
    **{name: getattr(math, name) for name in ("floor", "ceil", "trunc")},
    **{name: getattr(sn, name) for name in ("sym_max", "sym_min", "sym_not", "sym_ite")},
    "sym_float": sn.sym_float,
    "sym_sqrt": sn.sym_sqrt,
}


def method_to_operator(method: str) -> Callable[..., Any]:
    """What Python calls a method of nodes."""
    return _OPERATORS[method]


def _mod(a: Any, b: Any) -> Any:
    plain = a.is_nonnegative and b.is_nonnegative
    return f.Mod(a, b) if plain else f.PythonMod(a, b)


_OF_INTS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "int_floordiv": f.FloorDiv,
    "truediv": f.IntTrueDiv,
    "mod": _mod,
    "pow": operator.pow,
    "sym_max": f.Max,
    "sym_min": f.Min,
    "lshift": lambda a, b: a * 2**b,
    "rshift": lambda a, b: f.FloorDiv(a, 2**b),
}
_OF_FLOATS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": f.FloatTrueDiv,
    "mod": _mod,
    "int_floordiv": lambda a, b: f.ToFloat(f.FloorToInt(f.FloatTrueDiv(a, b))),
    "pow": f.FloatPow,
    "sym_max": f.Max,
    "sym_min": f.Min,
}
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": sympy.Eq, "ne": sympy.Ne, "lt": sympy.Lt, "le": sympy.Le, "gt": sympy.Gt, "ge": sympy.Ge,
    "and_": sympy.And, "or_": sympy.Or,
}  # fmt: skip


class SymNode:
    """A number that is computed of sizes.

    :param expr: what of them, in sympy.
    :param shape_env: the environment of its symbols.
    :param pytype: int, float or bool.
    :param constant: the number, where it is one that the program wrote down.
    """

    __slots__ = ("__weakref__", "_expr", "constant", "pytype", "shape_env")

    def __init__(
        self, expr: Any, shape_env: Any, pytype: type, hint: Any = None, constant: Any = None
    ) -> None:
        self._expr, self.shape_env, self.pytype, self.constant = expr, shape_env, pytype, constant

    @property
    def expr(self) -> Any:
        """The expression, with what is known of its symbols by now."""
        return self.shape_env.replace(self._expr)

    @property
    def hint(self) -> Any:
        """The value in this run; None where it depends on data."""
        found = self.shape_env.hint(self.expr)
        return None if found is None else self.pytype(found)

    def has_hint(self) -> bool:
        """Whether the value in this run is known."""
        return self.hint is not None

    def require_hint(self, fallback: Any = None) -> Any:
        """The value in this run; *fallback* where it depends on data. Raises there without one."""
        found = self.hint
        if found is None and fallback is None:
            raise self.shape_env.data_dependent(self.expr)
        return fallback if found is None else found

    def representative(self) -> Any:
        """The value in this run, or where it depends on data one that it could have."""
        return self.pytype(self.shape_env.representatives.of(self._expr))

    def depends_on_data(self) -> bool:
        """Whether it has no value in this run."""
        env = self.shape_env
        return env.depends_on_data and not self.expr.free_symbols <= env.backed_var_to_val.keys()

    def maybe_as_int(self) -> int | None:
        """The number, if it is one whatever the sizes."""
        return int(self.expr) if self.expr.is_number else None

    def maybe_as_float(self) -> float | None:
        """The number, if it is one whatever the sizes."""
        return float(self.expr) if isinstance(self.expr, sympy.Number) else None

    def maybe_as_bool(self) -> bool | None:
        """The truth, if it is one whatever the sizes."""
        return bool(self.expr) if self.expr in (sympy.true, sympy.false) else None

    def is_int(self) -> bool:
        """Whether it is a whole number."""
        return self.pytype is int

    def is_float(self) -> bool:
        """Whether it is a float."""
        return self.pytype is float

    def is_bool(self) -> bool:
        """Whether it is a truth."""
        return self.pytype is bool

    def is_nested_int(self) -> bool:
        """False: a ragged size is another kind of node."""
        return False

    def is_symbolic(self) -> bool:
        """True."""
        return True

    def is_constant(self) -> bool:
        """Whether the program wrote it down."""
        return self.constant is not None

    def nested_int(self) -> int | None:
        """None: it is no ragged size."""
        return None

    def stands_for(self) -> None:
        """None: in arguments of ops it stays what it is."""
        return None

    def clone(self) -> SymNode:
        """Itself."""
        return self

    def __str__(self) -> str:
        return f"{self.expr}"

    def __repr__(self) -> str:
        return f"SymNode({self._expr}, shape_env={self.shape_env}, pytype={self.pytype})"

    def _graph_repr(self) -> str:
        return f"{self.expr}"

    # -- numbers -----------------------------------------------------------------------------------

    def number(self, value: Any) -> SymNode:
        """The node of a number that the program wrote down."""
        return SymNode(sympy.sympify(value), self.shape_env, type(value), constant=value)

    def _made(self, name: str, operands: tuple[Any, ...], expr: Any, kind: type) -> SymNode:
        made = SymNode(expr, self.shape_env, kind)
        record(method_to_operator(name), operands, made)
        return made

    def _with(self, name: str, other: Any) -> Any:
        if not isinstance(other, SymNode):
            if not isinstance(other, (bool, int, float)):
                return NotImplemented
            promoted = self.pytype is float and name not in ("and_", "or_")
            other = self.number(float(other) if promoted else other)
        a, b = self.expr, other.expr
        if b.is_Boolean and name not in _RELATIONS and b in (sympy.true, sympy.false):
            b = sympy.Integer(int(bool(b)))
        if name in _RELATIONS:
            return self._made(name, (self, other), _RELATIONS[name](a, b), bool)
        if float in (self.pytype, other.pytype):
            a = f.ToFloat(a) if self.pytype is not float else a
            b = f.ToFloat(b) if other.pytype is not float else b
            return self._made(name, (self, other), _OF_FLOATS[name](a, b), float)
        kind = float if name == "truediv" else int
        return self._made(name, (self, other), _OF_INTS[name](a, b), kind)

    def product(self, others: list[SymNode], factor: int) -> SymNode:
        """The product with others and a number; it is written into no graph."""
        expr = self.expr * factor
        for other in others:
            expr = expr * other.expr
        return SymNode(expr, self.shape_env, int)

    def is_unbounded(self) -> bool:
        """Whether it has no upper bound."""
        return math.isinf(self.shape_env.bound_sympy(self.expr).upper)

    def is_inside_operator(self) -> bool:
        """Whether an operator asks, and not the program."""
        return bool(self.shape_env.inside_operators)

    def is_one(self) -> bool:
        """Whether it is 1 in this run, and from now on."""
        if self._expr.is_Symbol:
            return False
        return bool(self.shape_env.evaluate_expr(sympy.Eq(self.expr, 1)))

    def neg(self) -> SymNode:
        """The number with the other sign."""
        return self._made("neg", (self,), -self.expr, self.pytype)

    def abs(self) -> SymNode:
        """The number without its sign."""
        return self._made("abs", (self,), abs(self.expr), self.pytype)

    def sym_float(self) -> SymNode:
        """The number as a float."""
        return self._made("sym_float", (self,), f.ToFloat(self.expr), float)

    def trunc(self) -> SymNode:
        """The number without what is behind its point."""
        return self._made("trunc", (self,), f.TruncToInt(self.expr), int)

    def floor(self) -> SymNode:
        """The whole number below."""
        return self._made("floor", (self,), f.FloorToInt(self.expr), int)

    def ceil(self) -> SymNode:
        """The whole number above."""
        return self._made("ceil", (self,), f.CeilToInt(self.expr), int)

    def is_integer(self) -> SymNode:
        """Whether the number is whole."""
        if self.pytype is int:
            return SymNode(sympy.true, self.shape_env, bool)
        whole = sympy.Eq(f.ToFloat(f.FloorToInt(self.expr)), self.expr)
        return SymNode(whole, self.shape_env, bool)

    def unary_math(self, name: str) -> SymNode:
        """A function of Python's math."""
        number = self.expr if self.pytype is float else f.ToFloat(self.expr)
        return self._made(f"sym_{name}", (self,), opaque(name)(number), float)

    # -- truths ------------------------------------------------------------------------------------

    def sym_not(self) -> SymNode:
        """The other truth."""
        return self._made("sym_not", (self,), sympy.Not(self.expr), bool)

    def sym_ite(self, then: Any, other: Any) -> SymNode:
        """One of two numbers."""
        then = then if isinstance(then, SymNode) else self.number(then)
        other = other if isinstance(other, SymNode) else self.number(other)
        chosen = sympy.Piecewise((then.expr, self.expr), (other.expr, True))
        return self._made("sym_ite", (self, then, other), chosen, then.pytype)

    # -- guards ------------------------------------------------------------------------------------

    def guard_int(self, file: str = "", line: int = 0) -> int:
        """The number of this run, and from now on."""
        return int(self.shape_env.evaluate_number(self.expr))

    int_ = guard_int

    def guard_float(self, file: str = "", line: int = 0) -> float:
        """The number of this run, and from now on."""
        return float(self.shape_env.evaluate_number(self.expr))

    def guard_bool(self, file: str = "", line: int = 0) -> bool:
        """The truth of this run, and from now on."""
        return bool(self.shape_env.evaluate_expr(self.expr))

    bool_ = guard_bool

    def guard_size_oblivious(self, file: str = "", line: int = 0) -> bool:
        """As :meth:`guard_bool`."""
        return self.guard_bool(file, line)

    def expect_true(self, file: str = "", line: int = 0) -> bool:
        """Take the truth for granted, where the sizes do not say it: it is checked in each run."""
        return bool(self.shape_env.guard_or_defer_runtime_assert(self.expr, f"{file}:{line}"))

    def constrain(self, min: int | None, max: int | None, size: bool) -> None:
        """Let the number be in a range, where it is a symbol that depends on data.

        :param size: it is one of a tensor.
        """
        if self.expr.is_Symbol and self.shape_env.is_unbacked_symint(self.expr):
            low, high = -int_oo if min is None else min, int_oo if max is None else max
            self.shape_env.constrain_symbol_range(self.expr, low, high)
            if size:
                self.shape_env.size_like.add(self.expr)

    def statically_known_true(self, file: str = "", line: int = 0) -> bool:
        """Whether it is true whatever the sizes."""
        return self.shape_env._maybe_evaluate_static(self.expr) is sympy.true

    def guard_or_false(self, file: str = "", line: int = 0) -> bool:
        """The truth; False where it depends on data."""
        return bool(self.shape_env.evaluate_expr(self.expr, fallback_value=False))

    def guard_or_true(self, file: str = "", line: int = 0) -> bool:
        """The truth; True where it depends on data."""
        return bool(self.shape_env.evaluate_expr(self.expr, fallback_value=True))


def _method(name: str) -> Callable[[SymNode, Any], Any]:
    def method(self: SymNode, other: Any) -> Any:
        return self._with(name, other)

    method.__name__, method.__qualname__ = name, f"SymNode.{name}"
    method.__doc__ = f"``{name}`` of two numbers."
    return method


def _text(self: SymNode) -> str:
    """The expression."""
    return f"{self.expr}"


_text.__name__, _text.__qualname__ = "str", "SymNode.str"
SymNode.str = _text  # type: ignore[attr-defined]  # a method of this name would hide the type
for _name in (*_OF_INTS, *_RELATIONS):
    setattr(SymNode, _name, _method(_name))


def record(function: Callable[..., Any], operands: tuple[Any, ...], made: SymNode) -> None:
    """Tell the graph that is being written what a node was computed of."""
    for mode in reversed((*DISPATCH.modes, *PRE_DISPATCH.modes)):
        symbols = getattr(mode, "symbols", None)
        if symbols is not None:
            symbols.computed(function, operands, made)
            return


offer_listed(globals())
