"""Sizes that are not known: the questions that libraries ask of sizes, which are numbers here.

Every size is a plain number when it is asked for, so nothing has free symbols, and what is guarded
is the number itself.
"""

from __future__ import annotations

from typing import Any

from ...aten.symbolic_numbers import SymInt
from ...core.unavailable import offer_listed
from ...tensor import Tensor
from ..node import Node

__all__ = [
    "ShapeEnv", "create_contiguous", "free_symbols", "guard_bool", "guard_float", "guard_int",
    "guard_or_false", "guard_or_true", "guard_scalar", "guard_size_oblivious",
    "has_free_symbols", "has_free_unbacked_symbols", "has_static_value",
    "has_symbolic_sizes_strides", "is_concrete_bool", "is_concrete_float", "is_concrete_int",
    "is_nested_int", "statically_known_false", "statically_known_true", "sym_and", "sym_eq",
    "sym_or",
]  # fmt: skip


#: Keys of a node's meta and of what is logged.
SHAPEENV_EVENT_KEY = "shapeenv_event"
CURRENT_NODE_KEY = "current_node"
#: Operators that read a size, stride, offset or number of a tensor, by the name of their packet.
_ACCESSORS = frozenset(f"aten.sym_{fact}" for fact in ("size", "stride", "storage_offset", "numel"))


class GuardOnDataDependentSymNode(RuntimeError):
    """A decision would depend on data that is not there."""


class ConstraintViolationError(RuntimeError):
    """A size is another than was promised."""


def guard_size_oblivious(expr: Any) -> bool:
    """The truth of an expression of sizes."""
    assert isinstance(expr, bool), f"Unexpected type: {type(expr)}"
    return expr


def guard_or_true(a: Any) -> bool:
    """The truth of *a*; True where it is not known."""
    return bool(a)


def guard_or_false(a: Any) -> bool:
    """The truth of *a*; False where it is not known."""
    return bool(a)


def statically_known_true(x: Any) -> bool:
    """Whether *x* is known to be true."""
    assert isinstance(x, bool)
    return x


def statically_known_false(x: Any) -> bool:
    """Whether *x* is known to be false."""
    assert isinstance(x, bool)
    return not x


def sym_and(x: Any, *others: Any) -> Any:
    """``x & y & …``."""
    for y in others:
        x = x & y if not isinstance(x, bool) else x and y
    return x


def sym_or(x: Any, *others: Any) -> Any:
    """``x | y | …``."""
    for y in others:
        x = x | y if not isinstance(x, bool) else x or y
    return x


def sym_eq(x: Any, y: Any) -> Any:
    """Whether numbers, or nested lists of them, are equal. Raises AssertionError for others."""
    if isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
        if len(x) != len(y):
            return False
        return all(sym_eq(a, b) for a, b in zip(x, y, strict=True))
    if isinstance(x, (int, float)) and isinstance(y, (int, float)):
        return x == y
    raise AssertionError(f"unexpected sym_eq between {type(x)} {type(y)}")


def is_concrete_int(a: Any) -> bool:
    """Whether *a* is a number that is known."""
    assert isinstance(a, int)
    return True


def is_concrete_float(a: Any) -> bool:
    """Whether *a* is a number that is known."""
    assert isinstance(a, float)
    return True


def is_concrete_bool(a: Any) -> bool:
    """Whether *a* is a truth that is known."""
    assert isinstance(a, bool)
    return True


def has_static_value(a: Any) -> bool:
    """Whether *a* has one value only."""
    assert isinstance(a, (bool, int, float))
    return True


def is_nested_int(s: Any) -> bool:
    """Whether *s* is the ragged size of a nested tensor."""
    return isinstance(s, SymInt) and bool(s.node.is_nested_int())


def guard_int(a: Any) -> int:
    """The number. Raises AssertionError for what is none."""
    assert type(a) is int, a
    return a


def guard_float(a: Any) -> float:
    """The number. Raises AssertionError for what is none."""
    assert isinstance(a, float), a
    return a


def guard_bool(a: Any) -> bool:
    """The truth. Raises AssertionError for what is none."""
    assert type(a) is bool, a
    return a


def guard_scalar(a: Any) -> bool | int | float:
    """The number or truth. Raises AssertionError for what is neither."""
    if isinstance(a, bool):
        return guard_bool(a)
    if isinstance(a, int):
        return guard_int(a)
    if isinstance(a, float):
        return guard_float(a)
    raise AssertionError(f"unrecognized scalar {a}")


def free_symbols(val: Any) -> set[Any]:
    """The symbols in sizes: none."""
    return set()


def has_free_symbols(val: Any) -> bool:
    """Whether sizes have symbols: they have none."""
    return False


def has_free_unbacked_symbols(x: Any) -> bool:
    """Whether sizes have symbols whose value is not known: they have none."""
    return False


def optimization_hint(a: Any, fallback: int | None = None) -> int:
    """The number that *a* is, for estimates; *fallback* is for those that are not known."""
    if type(a) is not int:
        raise AssertionError(f"Expected int, got {type(a)}")
    return a


def guarding_hint_or_throw(a: Any) -> int | bool:
    """The number or truth that *a* is."""
    if not isinstance(a, int):
        raise AssertionError(f"Expected int, got {type(a)}")
    return a


def is_symbol_binding_fx_node(node: Node) -> None:
    """The symbol that a node makes: there are none."""


def is_accessor_node(node: Node) -> bool:
    """Whether a node reads a size, stride, offset or number of a tensor."""
    if node.op == "call_method":
        of_tensor = isinstance(node.args[0].meta.get("example_value"), Tensor)
        return of_tensor and node.target in ("size", "stride", "storage_offset", "item")
    return node.op == "call_function" and str(node.target).rpartition(".")[0] in _ACCESSORS


def compute_unbacked_bindings(
    shape_env: Any, example_value: Any, old_example_value: Any = None, peek: bool = False
) -> None:
    """Where a value has the symbols that an operator made: there are none."""


def resolve_unbacked_bindings(shape_env: Any, bindings: Any) -> Any:
    """The same bindings, their symbols by the names they have now. There are none."""
    if bindings is not None and shape_env is None:
        raise AssertionError("shape_env should not be None")
    return bindings


def rebind_unbacked(shape_env: Any, n: Node, result: Any) -> None:
    """Give symbols of a node's result the names that they had: there are none."""


def check_consistent(new: Any, old: Any) -> None:
    """Check that two values are of one shape, or one number. Raises RuntimeError."""
    if isinstance(new, Tensor) and not isinstance(old, Tensor):
        raise AssertionError(f"Expected Tensor, got {type(old)}")
    if isinstance(new, Tensor):
        new, old = new.shape, old.shape
    elif not isinstance(new, (int, float)):
        return
    if new != old:
        raise RuntimeError(f"{new} != {old} (old != new)")


def has_symbolic_sizes_strides(elem: Any) -> bool:
    """Whether a tensor's sizes are symbols: they never are."""
    return False


def create_contiguous(shape: Any) -> list[Any]:
    """The strides of a tensor of *shape* whose elements lie one after another."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.append(size * strides[-1])
    return strides[::-1]


class ShapeEnv:
    """Where symbols of sizes live in torch. Every size is a number here, so there are none."""

    def __init__(self, **settings: Any) -> None:
        self.settings = settings
        self.guards: list[Any] = []
        self.var_to_val: dict[Any, Any] = {}

    def freeze(self) -> None:
        """Take no more guards; there are none."""

    def create_unbacked_symint(self) -> Any:
        """Refuse: a size that is not known cannot be made."""
        raise NotImplementedError("ShapeEnv: sizes are numbers, there are no symbols of them")

    create_unbacked_symfloat = create_unbacked_symbool = create_unbacked_symint


_OWN = list(__all__)
offer_listed(globals())
__all__ = _OWN
