"""``torch.sym_int`` and its kin, and the types of symbolic numbers, which never come up here."""

from __future__ import annotations

import builtins
import math
from typing import Any

from ..call.intercept import overridable, overrides

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


class SymInt:
    """A whole number that is not known: the lengths of samples that differ (see ``nested``).

    What can be computed with it, its *node* knows; all else raises AttributeError, as in torch.
    """

    def __init__(self, node: Any) -> None:
        self.node = node

    @property
    def stands_for(self) -> int:
        """The number that it is in arguments of ops, which take numbers."""
        return builtins.int(self.node.stands_for())

    def __eq__(self, other: object) -> Any:
        return self._compared("eq", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("ne", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("lt", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("le", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared("gt", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared("ge", other)

    def _compared(self, name: str, other: Any) -> Any:
        known = isinstance(other, (SymInt, builtins.int))
        return getattr(self.node, name)(_node(other)) if known else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return SymInt(self.node.mul(_node(other)))

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Any:
        return SymInt(self.node.add(_node(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return SymInt(self.node.sub(_node(other)))

    def __rsub__(self, other: Any) -> Any:
        return SymInt(self.node.sub(_node(other)))

    def __floordiv__(self, other: Any) -> Any:
        return SymInt(self.node.int_floordiv(_node(other)))

    def __mod__(self, other: Any) -> Any:
        return SymInt(self.node.mod(_node(other)))

    def __neg__(self) -> Any:
        return SymInt(self.node.neg())

    def __int__(self) -> int:
        return builtins.int(self.node.int_())

    def __index__(self) -> int:
        return builtins.int(self.node.int_())

    def __float__(self) -> float:
        return builtins.float(self.node.int_())

    def __bool__(self) -> bool:
        return builtins.bool(self != 0)

    def __hash__(self) -> int:
        return hash(self.node)

    def __repr__(self) -> str:
        return str(self.node)


def _node(value: Any) -> Any:
    """The node of a symbol; a number stands for itself."""
    return value.node if isinstance(value, SymInt) else value


class SymFloat:
    """A number that a graph computes; numbers here are Python's."""

    def __init__(self, node: Any) -> None:
        self.node = node


class SymBool:
    """A truth value that a graph computes; truth values here are Python's."""

    def __init__(self, node: Any) -> None:
        self.node = node


@overridable
def sym_not(a: Any) -> Any:
    """Logical negation."""
    return not a


@overridable
def sym_float(a: Any) -> Any:
    """*a* as a float."""
    return builtins.float(a)


@overridable
def sym_int(a: Any) -> Any:
    """*a* as an int, cut off towards zero."""
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
    _numbers(a, b)
    found = builtins.max(a, b)
    either = isinstance(a, builtins.float) or isinstance(b, builtins.float)
    return builtins.float(found) if either else found


@overridable
def sym_min(a: Any, b: Any) -> Any:
    """The smaller one; a float if either is."""
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
    return math.sqrt(a)


sym_sqrt.__name__ = sym_sqrt.__qualname__ = "_sym_sqrt"  # as torch calls it


@overridable
def sym_ite(b: Any, t: Any, f: Any) -> Any:
    """*t* if *b*, else *f*. Raises AssertionError for values of two types."""
    if not isinstance(b, (SymBool, builtins.bool)):
        raise AssertionError(f"expected SymBool or bool, got {type(b)}")
    if type(t) is not type(f):
        raise AssertionError(f"type mismatch: {type(t)} vs {type(f)}")
    return t if b else f


def sym_fresh_size(expr: Any) -> Any:
    """A new symbolic number: raises NotImplementedError, for there are none."""
    from ..core.unavailable import COMPILER, refusal

    return refusal("torch.sym_fresh_size", COMPILER)(expr)
