"""Where indices lie: the lowest and the highest of them, and their places in flat memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

__all__ = ["bounds", "flat_places"]

Array = np.ndarray[Any, Any]

#: So many places are kept from one call to the next.
_KEPT = 4096


def bounds(count: int) -> Callable[[Array], tuple[int, int]]:
    """What finds the lowest and the highest of arrays of *count* indices."""
    if not count:
        return lambda a: (0, -1)
    if count > _KEPT:
        return lambda a: (int(a.min()), int(a.max()))
    # Where they are is found in a quarter of the time of a reduction, if they are few.
    return lambda a: (a.item(a.argmin()), a.item(a.argmax()))


def flat_places(shape: Sequence[int], sizes: Sequence[int], dim: int) -> Callable[[Array], Array]:
    """What turns indices along *dim* of C-contiguous arrays of *shape* into places of flat memory.

    :param sizes: those of the indices, which count themselves along the other dims.
    """
    strides = [prod(shape[i + 1 :]) for i in range(len(shape))]

    def count() -> Array:
        """Where the others are, which broadcasts along *dim*."""
        total = np.zeros((), np.int64)
        for i, n in enumerate(sizes):
            own = np.arange(n) * strides[i] if i != dim else np.zeros(1, np.int64)
            total = total[..., None] + own
        return total

    kept = np.broadcast_to(count(), sizes).copy() if prod(sizes) <= _KEPT else None
    step = np.array(strides[dim], np.int64)
    if strides[dim] == 1:
        return lambda index: index + (count() if kept is None else kept)
    return lambda index: index * step + (count() if kept is None else kept)
