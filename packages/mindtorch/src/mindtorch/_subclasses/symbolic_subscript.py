"""Subscripts with symbols: the operators that they come to.

Source: torch/_export/non_strict_utils.py, _NonStrictTorchFunctionHandler.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import mindtorch_storage as st

from .._ops import ops
from ..aten.symbolic_numbers import SymInt
from ..core.compiling import is_exporting
from ..tensor import Tensor

__all__ = ["OF_MASKS", "asks_for_symbols", "read_at_symbols", "with_numbers"]

#: The dtypes of indices that are masks.
OF_MASKS = (st.bool, st.uint8)


def _items(index: Any) -> list[Any]:
    return list(index) if isinstance(index, tuple) else [index]


def asks_for_symbols(index: Any) -> bool:
    """Whether a number in a subscript is a symbol."""
    return any(
        isinstance(item, SymInt)
        or isinstance(item, slice)
        and any(isinstance(end, SymInt) for end in (item.start, item.stop, item.step))
        for item in _items(index)
    )


def with_numbers(t: Any, index: Any) -> Any:
    """*index* with the numbers of tensors that are single whole ones, where a program is exported.

    Otherwise these numbers, and symbols, are wanted as what they are in this run.
    """
    env = t.fake_mode.shape_env
    if env is None or not env.allow_scalar_outputs:
        return index
    if not is_exporting():
        items = [int(item) if isinstance(item, SymInt) else item for item in _items(index)]
        return tuple(items) if isinstance(index, tuple) else items[0]
    items = [ops.aten.item.default(item) if _is_number(item) else item for item in _items(index)]
    return tuple(items) if isinstance(index, tuple) else items[0]


def _is_number(item: Any) -> bool:
    return (
        isinstance(item, Tensor)
        and item.ndim == 0
        and item.dtype not in OF_MASKS
        and not item.is_floating_point()
        and not item.is_complex()
    )


def read_at_symbols(t: Any, index: Any) -> Any:
    """``t[index]``, one operator for each item."""
    items = _items(index)
    if any(item is Ellipsis for item in items):
        at = next(i for i, item in enumerate(items) if item is Ellipsis)
        count = t.ndim + 1 - sum(item is not None for item in items)
        items[at : at + 1] = [slice(None)] * count
    dim, steps = 0, []
    for item in items:
        step, taken = _step(dim, item)
        if step is None:
            return Tensor.__getitem__(t, tuple(items))
        steps.append(step)
        dim += taken
    for step in steps:
        t = step(t)
    return t


def _step(dim: int, item: Any) -> tuple[Callable[[Any], Any] | None, int]:
    """What one item does, and how many dimensions are behind it then."""
    if item is None:
        return lambda t: ops.aten.unsqueeze.default(t, dim), 1
    if isinstance(item, (int, SymInt)) and not isinstance(item, bool):
        return lambda t: ops.aten.select.int(t, dim, item), 0
    if not isinstance(item, slice):
        return None, 0
    step = 1 if item.step is None else item.step
    if item.start is None and item.stop is None and isinstance(step, int) and step == 1:
        return lambda t: t, 1
    start, stop = item.start, item.stop
    if not is_exporting():  # a program that is exported says what stands there
        start, stop = 0 if start is None else start, sys.maxsize if stop is None else stop
    return lambda t: ops.aten.slice.Tensor(t, dim, start, stop, step), 1
