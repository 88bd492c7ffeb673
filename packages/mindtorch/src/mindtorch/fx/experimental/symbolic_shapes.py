"""Sizes that are symbols: the questions that libraries ask of them, and of numbers.

What has a number everywhere is a number; where :class:`ShapeEnv` made symbols of sizes, they are
asked. It is loaded when it is first used, for it needs sympy.
"""

from __future__ import annotations

from typing import Any

from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt
from ...core.unavailable import offer_listed
from ...tensor import Tensor
from ...utils import _pytree as pytree
from ..node import Node
from ._shape_errors import ConstraintViolationError, GuardOnDataDependentSymNode
from ._symbolic_context import (
    Constraint,
    DimDynamic,
    RelaxedUnspecConstraint,
    RuntimeAssert,
    ShapeEnvSettings,
    ShapeGuard,
    StatefulSymbolicContext,
    StatelessSymbolicContext,
    StrictMinMaxConstraint,
    SubclassSymbolicContext,
    SymbolicContext,
    SymIntSymbolicContext,
    with_sympy,
)
from ._unbacked_bindings import (
    CallMethodKey,
    ConvertIntKey,
    DivideByKey,
    InnerTensorKey,
    PendingUnbackedSymbolNotFound,
    bindings_of,
)

__all__ = [
    "CallMethodKey", "Constraint", "ConstraintViolationError", "ConvertIntKey", "DimDynamic",
    "DivideByKey", "GuardOnDataDependentSymNode", "InnerTensorKey",
    "PendingUnbackedSymbolNotFound",
    "RelaxedUnspecConstraint", "RuntimeAssert", "ShapeEnvSettings", "ShapeGuard",
    "StatefulSymbolicContext", "StatelessSymbolicContext",
    "StrictMinMaxConstraint", "SubclassSymbolicContext", "SymIntSymbolicContext",
    "SymbolicContext", "create_contiguous", "free_symbols", "free_unbacked_symbols", "guard_bool",
    "guard_float", "guard_int", "guard_or_false", "guard_or_true", "guard_scalar",
    "guard_size_oblivious", "has_free_symbols", "has_free_unbacked_symbols", "has_static_value",
    "has_symbolic_sizes_strides", "hint_int", "is_concrete_bool", "is_concrete_float",
    "is_concrete_int", "is_nested_int", "is_symbolic", "statically_known_false",
    "statically_known_true", "sym_and", "sym_eq", "sym_or",
]  # fmt: skip

_SYMBOLS = (SymInt, SymFloat, SymBool)
_LATER = {
    "ShapeEnv": "_shape_env",
    "canonicalize_bool_expr": "_unbacked",
}
__all__ += list(_LATER)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        found = getattr(with_sympy(f"{__package__}.{_LATER[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


#: Keys of a node's meta and of what is logged.
SHAPEENV_EVENT_KEY = "shapeenv_event"
CURRENT_NODE_KEY = "current_node"
#: Operators that read a size, stride, offset or number of a tensor, by the name of their packet.
_ACCESSORS = frozenset(f"aten.sym_{fact}" for fact in ("size", "stride", "storage_offset", "numel"))


def guard_size_oblivious(expr: Any) -> bool:
    """The truth of an expression of sizes."""
    assert isinstance(expr, (bool, SymBool)), f"Unexpected type: {type(expr)}"
    return bool(expr)


def guard_or_true(a: Any) -> bool:
    """The truth of *a*; True where it depends on data."""
    return a.node.guard_or_true() if isinstance(a, SymBool) else bool(a)


def guard_or_false(a: Any) -> bool:
    """The truth of *a*; False where it depends on data."""
    return a.node.guard_or_false() if isinstance(a, SymBool) else bool(a)


def statically_known_true(x: Any) -> bool:
    """Whether *x* is true whatever the sizes."""
    if isinstance(x, SymBool):
        return bool(x.node.statically_known_true())
    assert isinstance(x, bool)
    return x


def statically_known_false(x: Any) -> bool:
    """Whether *x* is false whatever the sizes."""
    if isinstance(x, SymBool):
        return bool(x.node.sym_not().statically_known_true())
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
        return sym_and(True, *[sym_eq(a, b) for a, b in zip(x, y, strict=True)])
    numbers = (int, float, SymInt, SymFloat)
    if isinstance(x, numbers) and isinstance(y, numbers):
        return x == y
    raise AssertionError(f"unexpected sym_eq between {type(x)} {type(y)}")


def is_concrete_int(a: Any) -> bool:
    """Whether *a* is a number that is known."""
    if isinstance(a, SymInt):
        return a.node.maybe_as_int() is not None
    assert isinstance(a, int)
    return True


def is_concrete_float(a: Any) -> bool:
    """Whether *a* is a number that is known."""
    if isinstance(a, SymFloat):
        return a.node.maybe_as_float() is not None
    assert isinstance(a, float)
    return True


def is_concrete_bool(a: Any) -> bool:
    """Whether *a* is a truth that is known."""
    if isinstance(a, SymBool):
        return a.node.maybe_as_bool() is not None
    assert isinstance(a, bool)
    return True


def has_static_value(a: Any) -> bool:
    """Whether *a* has one value only."""
    if isinstance(a, _SYMBOLS):
        return a.node.shape_env._maybe_evaluate_static(a.node.expr) is not None
    assert isinstance(a, (bool, int, float))
    return True


def is_nested_int(s: Any) -> bool:
    """Whether *s* is the ragged size of a nested tensor."""
    return isinstance(s, SymInt) and bool(s.node.is_nested_int())


def guard_int(a: Any) -> int:
    """The number. Raises AssertionError for what is none."""
    if isinstance(a, SymInt):
        return int(a)
    assert type(a) is int, a
    return a


def guard_float(a: Any) -> float:
    """The number. Raises AssertionError for what is none."""
    if isinstance(a, SymFloat):
        return float(a)
    assert isinstance(a, float), a
    return a


def guard_bool(a: Any) -> bool:
    """The truth. Raises AssertionError for what is none."""
    if isinstance(a, SymBool):
        return bool(a)
    assert type(a) is bool, a
    return a


def guard_scalar(a: Any) -> bool | int | float:
    """The number or truth. Raises AssertionError for what is neither."""
    if isinstance(a, (bool, SymBool)):
        return guard_bool(a)
    if isinstance(a, (int, SymInt)):
        return guard_int(a)
    if isinstance(a, (float, SymFloat)):
        return guard_float(a)
    raise AssertionError(f"unrecognized scalar {a}")


def _expressions(val: Any) -> list[Any]:
    """The expressions of symbols in sizes, numbers and tensors."""
    found: list[Any] = []
    for leaf in pytree.tree_leaves(val):
        if isinstance(leaf, _SYMBOLS):
            if not leaf.node.is_nested_int():
                found.append(leaf.node.expr)
        elif isinstance(leaf, Tensor):
            found += _expressions([tuple(leaf.shape), tuple(leaf.stride())])
        elif hasattr(leaf, "free_symbols"):
            found.append(leaf)
    return found


def free_symbols(val: Any) -> set[Any]:
    """The symbols in sizes."""
    return {symbol for expr in _expressions(val) for symbol in expr.free_symbols}


def has_free_symbols(val: Any) -> bool:
    """Whether sizes have symbols."""
    return bool(free_symbols(val))


def free_unbacked_symbols(x: Any) -> set[Any]:
    """The symbols in sizes that depend on data."""
    return {s for s in free_symbols(x) if s.name.startswith(("u", "zuf"))}


def has_free_unbacked_symbols(x: Any) -> bool:
    """Whether sizes have symbols that depend on data."""
    return bool(free_unbacked_symbols(x))


def is_symbolic(val: Any) -> bool:
    """Whether a number is a symbol."""
    return isinstance(val, _SYMBOLS) and bool(val.node.is_symbolic())


def hint_int(a: Any, fallback: int | None = None) -> int:
    """The value that *a* has in this run; *fallback* where it depends on data."""
    if isinstance(a, SymInt):
        return int(a.node.require_hint(fallback))
    assert type(a) is int, a
    return a


def optimization_hint(a: Any, fallback: int | None = None) -> int:
    """The number that *a* is, for estimates; *fallback* is for those that are not known."""
    if isinstance(a, SymInt):
        return int(a.node.require_hint(fallback))
    if type(a) is not int:
        raise AssertionError(f"Expected int, got {type(a)}")
    return a


def guarding_hint_or_throw(a: Any) -> int | bool:
    """The number or truth that *a* is in this run."""
    if isinstance(a, SymInt):
        return int(a.node.require_hint())
    if not isinstance(a, int):
        raise AssertionError(f"Expected int, got {type(a)}")
    return a


def has_guarding_hint(a: Any) -> bool:
    """Whether the value that *a* has in this run is known."""
    return not isinstance(a, _SYMBOLS) or bool(a.node.has_hint())


def constrain_range(a: Any, *, min: int | None, max: int | None = None) -> None:
    """Let a number that depends on data be between two numbers."""
    from ...utils._sympy.numbers import int_oo

    low, high = -int_oo if min is None else min, int_oo if max is None else max
    if not isinstance(a, SymInt):
        if not low <= a <= high:
            raise ValueError(f"Invalid value {a} for range [{low}:{high}]")
        return
    a.node.shape_env.constrain_symbol_range(a.node.expr, low, high)


def is_symbol_binding_fx_node(node: Node) -> Any:
    """The symbol that a node makes; None if it makes none."""
    value = node.meta.get("val")
    if not isinstance(value, SymInt) or not getattr(value.node.expr, "is_Symbol", False):
        return None
    makes = node.op == "placeholder" or value.node.shape_env.is_unbacked_symint(value.node.expr)
    return value.node.expr if makes else None


def is_accessor_node(node: Node) -> bool:
    """Whether a node reads a size, stride, offset or number of a tensor."""
    if node.op == "call_method":
        of_tensor = isinstance(node.args[0].meta.get("example_value"), Tensor)
        return of_tensor and node.target in ("size", "stride", "storage_offset", "item")
    return node.op == "call_function" and str(node.target).rpartition(".")[0] in _ACCESSORS


def compute_unbacked_bindings(
    shape_env: Any, example_value: Any, old_example_value: Any = None, peek: bool = False
) -> dict[Any, Any] | None:
    """Where in a value the new symbols stand that depend on data; None where there are none.

    :param old_example_value: what was there before: the new symbols are those of it.
    :param peek: they stay new.
    """
    found = None if shape_env is None else bindings_of(shape_env, example_value, peek)
    if found and old_example_value is not None:
        for path in found.values():
            _same_symbol(
                shape_env,
                pytree.key_get(example_value, path),
                pytree.key_get(old_example_value, path),
            )
    return found


def _same_symbol(shape_env: Any, new: Any, old: Any) -> None:
    """Let a new number be an old one, where that is another."""
    if isinstance(new, _SYMBOLS) and getattr(new.node.expr, "is_Symbol", False):
        value = old.node.expr if isinstance(old, _SYMBOLS) else old
        if value != new.node.expr:
            shape_env.make_same(new.node.expr, value)


def resolve_unbacked_bindings(shape_env: Any, bindings: Any) -> Any:
    """The same bindings, their symbols by the names they have now."""
    if bindings is None:
        return None
    if shape_env is None:
        raise AssertionError("shape_env should not be None")
    return {shape_env.renamed.get(symbol, symbol): path for symbol, path in bindings.items()}


def rebind_unbacked(shape_env: Any, n: Node, result: Any) -> None:
    """Give the new symbols of a node's result the names that they had."""
    bindings = resolve_unbacked_bindings(shape_env, n.meta.get("unbacked_bindings"))
    for symbol, path in (bindings or {}).items():
        new = pytree.key_get(result, path)
        expr = new.node.expr if isinstance(new, (SymInt, SymFloat)) else None
        if getattr(expr, "is_Piecewise", False):  # a truth as a number
            expr = expr.args[0][1].lhs
        if getattr(expr, "is_Symbol", False) and shape_env.is_unbacked_symint(expr):
            shape_env.make_same(expr, symbol)


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
    """Whether sizes or strides of a tensor are symbols."""
    return any(isinstance(s, SymInt) for s in (*elem.shape, *elem.stride()))


def create_contiguous(shape: Any) -> list[Any]:
    """The strides of a tensor of *shape* whose elements lie one after another."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.append(size * strides[-1])
    return strides[::-1]


_OWN = list(__all__)
offer_listed(globals())
__all__ = _OWN
