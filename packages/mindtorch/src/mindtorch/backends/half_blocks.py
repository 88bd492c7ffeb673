"""Elementwise kernels on many numbers of a half type: a block at a time, or out of a table.

Kernels compute in float32. Where whole arrays were cast before and after, memory is passed over
three times more than the numbers need; here a block is widened, computed on and rounded while it is
in the cache. What has one operand has 65,536 results at most, so of more numbers than that the
kernel computes these once, and each element is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..call.row import Out
from ..core.half_precision import HALF_BLOCK, in_blocks

__all__ = ["of_many_halves"]

Array = np.ndarray[Any, Any]
Kernel = Callable[..., Any]

_HALVES: Final = 1 << 16
#: From so many elements on a table is worth it that serves one call alone.
_MANY: Final = 4 * _HALVES
_SINGLE: Final = np.empty(1, np.float32)
#: What is kept at most; 128 kB each.
_TABLES: Final = 64
#: The results of all numbers of a half type, by the row, both dtypes and the other arguments.
_tables: dict[Any, Array] = {}


def of_many_halves(plan: Any, args: tuple[Any, ...]) -> Kernel | None:
    """The kernel of *plan* for arrays as those of *args*, from and to a half type; None: no such.

    It casts arrays and numbers itself.

    :param plan: the ``Plan``, which asks this.
    """
    row = plan.row
    if not plan.widen or row.random or "pointwise" not in row.tags or row.out_kernel:
        return None
    if len(plan.overload.schema.returns) != 1 or plan.lists:
        return None
    values = plan.arrays(args)
    places = [i for i in plan.positions if isinstance(values[i], np.ndarray) and values[i].ndim]
    if not places or (first := values[places[0]]).size <= 2 * HALF_BLOCK:
        return None
    if first.itemsize != 2 or first.dtype.kind not in "fV":  # a number beside it is of a half type
        return None
    if not all(_is_like(values[i], first) for i in places):
        return None
    out = plan.asker()(args)
    if type(out) is not Out or tuple(out.shape) != first.shape:
        return None
    for i in places:
        values[i] = values[i].reshape(-1)[:HALF_BLOCK]
    compute = _Blocks(plan.prepared(plan.cast(list(values)), args), plan, places, out.dtype.np)
    if len(places) > 1 or first.size < _MANY:
        return compute
    return _looking_up(compute, (row.name, first.dtype, compute.dtype), places[0])


def _is_like(a: Array, first: Array) -> bool:
    return a.dtype == first.dtype and a.shape == first.shape and a.flags.c_contiguous


class _Blocks:
    """*kernel* of float32, on arrays of a half type at *places*."""

    def __init__(
        self, kernel: Kernel, plan: Any, places: Sequence[int], dtype: np.dtype[Any]
    ) -> None:
        self.kernel, self.places, self.dtype = kernel, places, dtype
        self._cast = plan.cast

    def __call__(self, *args: Any) -> Array:
        given = list(args)
        for i in self.places:
            given[i] = _SINGLE  # which the cast leaves as it is
        given = self._cast(given)
        for i in self.places:
            given[i] = args[i]
        return in_blocks(self.kernel, given, self.places, self.dtype)


def _looking_up(compute: _Blocks, name: tuple[Any, ...], place: int) -> Kernel:
    """The same by a table, if the other arguments can be told apart from others."""

    def look_up(*args: Any) -> Array:
        x = args[place]
        key = (*name, *[_told(a) for i, a in enumerate(args) if i != place])
        if None in key:
            return compute(*args)
        table = _tables.get(key)
        if table is None:
            every = np.arange(_HALVES, dtype=np.uint16).view(x.dtype)
            table = compute(*args[:place], every, *args[place + 1 :])
            if len(_tables) >= _TABLES:
                _tables.clear()
            _tables[key] = table
        out = np.empty(x.shape, table.dtype)
        bits, into = x.view(np.uint16).reshape(-1), out.reshape(-1)
        for start in range(0, bits.size, HALF_BLOCK):
            part = bits[start : start + HALF_BLOCK]
            table.take(part, out=into[start : start + HALF_BLOCK], mode="wrap")
        return out

    return look_up


def _told(value: Any) -> Any:
    """What tells a plain argument from others, zeros of both signs too; None where nothing does."""
    if value is None or type(value) in (bool, int, float, str):
        return (type(value), repr(value))
    return None
