"""``torch.SymInt`` and its kin: numbers that stand for sizes, and what is computed of them.

What a number is, its *node* knows: a ragged size of nested tensors (``nested``), or an expression
of sizes with its value in one run (``fx.experimental.sym_node``). Here are the operators, which
hand on to the node, and the functions that take numbers of either kind.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

from ..call.intercept import overridable, overrides
from ..core.module_names import as_called

__all__ = [
    "SymBool",
    "SymFloat",
    "SymInt",
    "sym_float",
    "sym_fresh_size",
    "sym_int",
    "sym_ite",
    "sym_max",
    "sym_min",
    "sym_not",
    "sym_sqrt",
    "sym_sum",
]

_NUMBERS = (builtins.bool, builtins.int, builtins.float)


def node_of(value: Any) -> Any:
    """The node of a symbol; a number stands for itself."""
    return value.node if isinstance(value, _Symbolic) else value


def of_node(node: Any) -> Any:
    """The symbolic number of a node, by its type; a number as it is."""
    if isinstance(node, _NUMBERS):
        return node
    kind = getattr(node, "pytype", builtins.int)
    if kind is builtins.int:
        return SymInt(node)
    return SymFloat(node) if kind is builtins.float else SymBool(node)


def settled(number: Any) -> Any:
    """The number that a symbol is whatever the sizes; a symbol that is none as it is."""
    known = number.node.maybe_as_int() if isinstance(number, SymInt) else None
    return number if known is None else known


class _Symbolic:
    """What symbolic numbers of all types have."""

    __slots__ = ("__weakref__", "node")

    def __init__(self, node: Any) -> None:
        self.node = node

    def __repr__(self) -> str:
        return str(self.node)

    def __sym_float__(self) -> Any:
        return of_node(self.node.sym_float())


def _binary(name: str) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        if not isinstance(other, (_Symbolic, *_NUMBERS)):
            return NotImplemented
        return of_node(getattr(self.node, name)(node_of(other)))

    return _named(operator, "binary_magic_impl")


def _named(function: Callable[..., Any], name: str) -> Any:
    """*function* as torch names what it makes operators of."""
    function.__name__, function.__qualname__ = name, f"_make_user_magic.<locals>.{name}"
    function.__module__ = as_called("mindtorch.fx.experimental.sym_node")
    return function


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return of_node(getattr(self.node.number(other), name)(self.node))

    return _named(operator, "rbinary_magic_impl")


def _unary(name: str) -> Callable[[Any], Any]:
    def operator(self: Any) -> Any:
        return of_node(getattr(self.node, name)())

    return _named(operator, "unary_magic_impl")


class _Number(_Symbolic):
    """What ints and floats have."""

    __slots__ = ()

    __eq__ = _binary("eq")
    __ne__ = _binary("ne")
    __lt__ = _binary("lt")
    __le__ = _binary("le")
    __gt__ = _binary("gt")
    __ge__ = _binary("ge")
    __add__ = __radd__ = _binary("add")
    __mul__ = __rmul__ = _binary("mul")
    __sub__ = _binary("sub")
    __rsub__ = _reflected("sub")
    __truediv__ = _binary("truediv")
    __rtruediv__ = _reflected("truediv")
    __floordiv__ = _binary("int_floordiv")
    __rfloordiv__ = _reflected("int_floordiv")
    __mod__ = _binary("mod")
    __rmod__ = _reflected("mod")
    __pow__ = _binary("pow")
    __rpow__ = _reflected("pow")
    __neg__ = _unary("neg")
    __abs__ = _unary("abs")
    __sym_max__ = _binary("sym_max")
    __sym_min__ = _binary("sym_min")
    __trunc__ = _unary("trunc")
    __floor__ = _unary("floor")
    __ceil__ = _unary("ceil")

    def __pos__(self) -> Any:
        return self

    def __bool__(self) -> bool:
        return builtins.bool(self != 0)


class SymInt(_Number):
    """A whole number that is not known in advance: a size.

    What can be computed with it, its *node* knows; all else raises AttributeError, as in torch.
    Where Python needs the number itself, it becomes the one of this run, and is that from then on.
    """

    __slots__ = ()

    @property
    def stands_for(self) -> Any:
        """What it is in arguments of ops: a number, or itself where a mode takes symbols."""
        stands_for = self.node.stands_for()
        return self if stands_for is None else stands_for

    __and__ = __rand__ = _binary("bitwise_and")
    __or__ = __ror__ = _binary("bitwise_or")
    __xor__ = __rxor__ = _binary("bitwise_xor")
    __lshift__ = _binary("lshift")
    __rshift__ = _binary("rshift")

    def __int__(self) -> int:
        return builtins.int(self.node.int_())

    __index__ = __int__

    def __float__(self) -> float:
        return builtins.float(self.node.int_())

    def __round__(self, ndigits: int | None = None) -> Any:
        return self

    def __hash__(self) -> int:
        if not self.node.is_nested_int():
            raise TypeError("unhashable type: non-nested SymInt")
        return hash(self.node)

    def as_integer_ratio(self) -> tuple[Any, int]:
        """Itself, and 1."""
        return self, 1

    def __sym_int__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> SymInt:
        return self

    def __reduce__(self) -> Any:
        return builtins.int, (builtins.int(self),)


class SymFloat(_Number):
    """A float that is computed of sizes."""

    __slots__ = ()

    def __float__(self) -> float:
        return builtins.float(self.node.guard_float("", 0))

    def __int__(self) -> int:
        return builtins.int(builtins.float(self))

    def __sym_int__(self) -> Any:
        return of_node(self.node.trunc())

    def is_integer(self) -> Any:
        """Whether it is whole."""
        return of_node(self.node.is_integer())

    def __hash__(self) -> int:
        return hash(builtins.float(self))

    def __deepcopy__(self, memo: Any) -> SymFloat:
        return self


class SymBool(_Symbolic):
    """A truth that depends on sizes. Asked for it, it is that of this run, from then on."""

    __slots__ = ()

    __and__ = __rand__ = _binary("and_")
    __or__ = __ror__ = _binary("or_")
    __eq__ = _binary("eq")
    __sym_not__ = _unary("sym_not")

    def __bool__(self) -> bool:
        return builtins.bool(self.node.bool_())

    def __int__(self) -> int:
        return builtins.int(builtins.bool(self))

    def __hash__(self) -> int:
        return hash(builtins.bool(self))

    def __sym_ite__(self, then: Any, other: Any) -> Any:
        return of_node(self.node.sym_ite(node_of(then), node_of(other)))

    def __deepcopy__(self, memo: Any) -> SymBool:
        return self


@overridable
def sym_not(a: Any) -> Any:
    """Logical negation."""
    return a.__sym_not__() if isinstance(a, SymBool) else not a


@overridable
def sym_float(a: Any) -> Any:
    """*a* as a float."""
    if isinstance(a, SymFloat):
        return a
    return a.__sym_float__() if isinstance(a, _Symbolic) else builtins.float(a)


@overridable
def sym_int(a: Any) -> Any:
    """*a* as an int, cut off towards zero."""
    if isinstance(a, _Number):
        return a.__sym_int__()  # type: ignore[attr-defined]  # ints and floats have it
    if isinstance(a, builtins.float):
        return math.floor(a) if a >= 0 else math.ceil(a)
    return builtins.int(a)


def _numbers(a: Any, b: Any) -> None:
    import numpy as np

    kinds = (np.integer, np.floating, builtins.int, builtins.float)
    for value in (a, b):
        if not isinstance(value, kinds):
            raise AssertionError(f"expected {kinds}, got {type(value)}")


@overridable
def sym_max(a: Any, b: Any) -> Any:
    """The larger one; a float if either is."""
    if isinstance(a, _Number):
        return a.__sym_max__(b)
    if isinstance(b, _Number):
        return b.__sym_max__(a)
    _numbers(a, b)
    found = builtins.max(a, b)
    either = isinstance(a, builtins.float) or isinstance(b, builtins.float)
    return builtins.float(found) if either else found


@overridable
def sym_min(a: Any, b: Any) -> Any:
    """The smaller one; a float if either is."""
    if isinstance(a, _Number):
        return a.__sym_min__(b)
    if isinstance(b, _Number):
        return b.__sym_min__(a)
    _numbers(a, b)
    found = builtins.min(a, b)
    either = isinstance(a, builtins.float) or isinstance(b, builtins.float)
    return builtins.float(found) if either else found


def sym_sum(*args: Any) -> Any:
    """The sum of numbers, or of a list of them."""
    if overrides(*args, depth=2):
        from ..call.torch_function import handle_torch_function

        return handle_torch_function(sym_sum, args, args)
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = tuple(args[0])
    return builtins.sum(args)


@overridable
def sym_sqrt(a: Any) -> Any:
    """The square root."""
    return of_node(a.node.unary_math("sqrt")) if isinstance(a, _Number) else math.sqrt(a)


sym_sqrt.__name__ = sym_sqrt.__qualname__ = "_sym_sqrt"  # as torch calls it


@overridable
def sym_ite(b: Any, t: Any, f: Any) -> Any:
    """*t* if *b*, else *f*. Raises AssertionError for values of two types."""
    if not isinstance(b, (SymBool, builtins.bool)):
        raise AssertionError(f"expected SymBool or bool, got {type(b)}")
    if type(t) is not type(f):
        raise AssertionError(f"type mismatch: {type(t)} vs {type(f)}")
    if isinstance(b, SymBool):
        return b.__sym_ite__(t, f)
    return t if b else f


def sym_fresh_size(expr: Any) -> Any:
    """A new symbolic number: raises NotImplementedError, for there are none."""
    from ..core.unavailable import COMPILER, refusal

    return refusal("torch.sym_fresh_size", COMPILER)(expr)
