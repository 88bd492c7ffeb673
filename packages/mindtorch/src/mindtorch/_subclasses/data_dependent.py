"""Operators whose results depend on numbers: these become symbols where a mode has an environment.

What was found out of a tensor is known of it until it changes: its number is the same symbol each
time, as is how many of its elements are not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mindtorch_storage as st

from .._ops import ops
from ..call.dispatch_entry import OVERLOADS
from .fake_errors import DataDependentOutputException, DynamicOutputShapeException
from .symbolic_layout import Symbols, has_symbols
from .symbolic_rules import hint_of
from .symbolic_subscript import OF_MASKS

__all__ = ["fresh_result", "gives_symbol", "with_numbers_as_symbols"]

_META = st.Device("meta")
_TAG = "symbols: "


def with_numbers_as_symbols(mode: Any, func: Any, args: Any, kwargs: Any) -> Any:
    """The result of an operator whose result depends on numbers; NotImplemented for another one."""
    rule = _rule_of(func)
    return NotImplemented if rule is None else rule(mode, func, *args, **kwargs)


def gives_symbol(func: Any, args: Any) -> bool:
    """Whether an operator that reads a number of its first argument gives a symbol for it."""
    mode = getattr(args[0], "fake_mode", None)
    if mode is None or mode.shape_env is None or args[0].constant is not None:
        return False
    allowed = mode.shape_env.allow_scalar_outputs or mode.allow_scalar_outputs
    return allowed and _rule_of(func) is not None


def fresh_result(
    mode: Any, like: Any, sizes: Sequence[Any], strides: Any = None, dtype: Any = None
) -> Any:
    """A new tensor of *sizes*, of which some may be symbols, on the device of *like*."""
    if strides is None:
        strides = [1]
        for size in reversed(list(sizes)[1:]):
            strides.insert(0, size * strides[0])
    meta = ops.aten.empty_strided.default(
        [hint_of(size) for size in sizes],
        [hint_of(stride) for stride in strides][: len(sizes)],
        dtype=dtype or like.dtype,
        device=_META,
    )
    made = mode.in_memory_of(meta, like.device)
    if has_symbols(sizes):
        made.symbols = Symbols(tuple(sizes), tuple(strides))
    return made


def _env(mode: Any, func: Any) -> Any:
    """The environment for sizes of results. Raises DynamicOutputShapeException without one."""
    env = mode.shape_env
    if env is None or not env.allow_dynamic_output_shape_ops:
        raise DynamicOutputShapeException(func)
    return env


def _remembered(t: Any, what: str, find: Callable[[], Any]) -> Any:
    """What is known of the numbers of *t*, found out where it is not."""
    known = t.known_numbers.get(what)
    if known is None or known[0] != t._version:
        known = t.known_numbers[what] = (t._version, find())
    return known[1]


def _some_of(env: Any, number: Any) -> Any:
    """How many of *number* elements, as a symbol; of none there are none."""
    return 0 if type(number) is int and not number else env.create_unbacked_size(number)


def _number(mode: Any, func: Any, t: Any) -> Any:
    env = mode.shape_env
    if env is None or not (env.allow_scalar_outputs or mode.allow_scalar_outputs):
        raise DataDependentOutputException(func)
    if t.is_complex():
        raise NotImplementedError(f"local_scalar_dense/item NYI for {t.dtype}")
    kind = "symfloat" if t.is_floating_point() else "symint"
    make = getattr(env, "create_unbacked_" + ("symbool" if t.dtype is st.bool else kind))
    return _remembered(t, "item", make)


def _nonzero(mode: Any, func: Any, t: Any) -> Any:
    env = _env(mode, func)
    count = _remembered(t, "nonzero", lambda: _some_of(env, t.numel()))
    return fresh_result(mode, t, (count, t.dim()), (1, count), st.int64)


def _nonzero_numpy(mode: Any, func: Any, t: Any) -> Any:
    return ops.aten.nonzero.default(t).unbind(1)


def _masked_select(mode: Any, func: Any, t: Any, mask: Any) -> Any:
    env = _env(mode, func)
    most = t.numel()
    few = type(most) is int and most <= 2
    return fresh_result(mode, t, (env.create_unbacked_size(None if few else most),))


def _distinct(mode: Any, func: Any, t: Any, dim: Any, inverse: Any, counts: Any, kind: str) -> Any:
    """The distinct elements of *t*, or its parts along *dim*; where they stand; how many."""
    env = _env(mode, func)

    def find() -> Any:
        return _some_of(env, t.numel() if dim is None else t.size(dim))

    count = _remembered(t, kind, find) if dim is None else find()
    both = dim is not None and t.device.type == "cpu"
    shape = list(t.shape)
    sizes = [count] if dim is None else [*shape[:dim], count, *shape[dim + 1 :]]
    places = shape if dim is None else [shape[dim]]
    return (
        fresh_result(mode, t, sizes),
        fresh_result(mode, t, places if inverse or both else (0,), None, st.int64),
        fresh_result(mode, t, (count,) if counts or both else (0,), None, st.int64),
    )


def _unique2(
    mode: Any, func: Any, t: Any, sorted: Any = True, inverse: Any = False, counts: Any = False
) -> Any:
    return _distinct(mode, func, t, None, inverse, counts, "unique")


def _unique(mode: Any, func: Any, t: Any, sorted: Any = True, inverse: Any = False) -> Any:
    return _distinct(mode, func, t, None, inverse, False, "unique")[:2]


def _unique_dim(
    mode: Any, func: Any, t: Any, dim: int, sorted: Any = True, return_inverse: Any = False,
    return_counts: Any = False,
) -> Any:  # fmt: skip
    dim = dim % max(t.ndim, 1)
    return _distinct(mode, func, t, dim, return_inverse, return_counts, "unique")


def _unique_consecutive(
    mode: Any, func: Any, t: Any, return_inverse: Any = False, return_counts: Any = False,
    dim: Any = None,
) -> Any:  # fmt: skip
    return _distinct(mode, func, t, dim, return_inverse, return_counts, "unique_consecutive")


def _repeat_interleave(mode: Any, func: Any, repeats: Any, output_size: Any = None) -> Any:
    if output_size is None:
        output_size = _env(mode, func).create_unbacked_size()
    return fresh_result(mode, repeats, (output_size,))


def _bincount(mode: Any, func: Any, t: Any, weights: Any = None, minlength: Any = 0) -> Any:
    env = _env(mode, func)
    size = env.create_unbacked_size()
    env.guard_or_defer_runtime_assert((size >= minlength).node.expr)
    dtype = st.int64
    if weights is not None:
        dtype = weights.dtype if weights.dtype is st.float32 else st.float64
    return fresh_result(mode, t, (size,), None, dtype)


def _indexed(mode: Any, func: Any, t: Any, indices: Any) -> Any:
    """Masks become the places where they are true."""
    if not any(i is not None and i.dtype in OF_MASKS for i in indices):
        return NotImplemented
    places: list[Any] = []
    for index in indices:
        if index is None or index.dtype not in OF_MASKS:
            places.append(index)
        else:
            found = ops.aten.nonzero.default(index)
            places += [found.select(1, dim) for dim in range(index.ndim)]
    return func(t, places)


#: The rules by their names, of which rows say theirs (the tag ``"symbols: nonzero"``).
_RULES: dict[str, Callable[..., Any]] = {
    rule.__name__.removeprefix("_"): rule
    for rule in (
        *(_number, _nonzero, _nonzero_numpy, _masked_select, _unique2, _unique, _unique_dim),
        *(_unique_consecutive, _repeat_interleave, _bincount, _indexed),
    )
}


def _rule_of(func: Any) -> Callable[..., Any] | None:
    """The rule that the row of an operator names; ``item`` has no row, and reads a number, too."""
    if func is ops.aten.item.default:
        return _number
    overload = OVERLOADS.get(func.name())
    tags = () if overload is None else overload.row.tags
    told = next((tag for tag in tags if tag.startswith(_TAG)), "")
    return _RULES.get(told.removeprefix(_TAG))
