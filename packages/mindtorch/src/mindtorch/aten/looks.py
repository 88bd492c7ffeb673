"""Windows through which kernels of torch look at their first argument, for freed tensors.

What such a window looks at says how torch refuses memory that is not there, see
``functionality.freed``. Each gives shape and strides; None where the kernel has no window.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage import int64
from mindtorch_storage.layout import broadcast_shapes

__all__ = ["flipped", "indexed", "rows_of", "selected"]

Geometry = tuple[tuple[int, ...], tuple[int, ...]] | None


def indexed(t: Any, indices: Any, *rest: Any) -> Geometry:
    """Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, restride_src."""
    given = [i for i in indices if i is not None]
    places = [n for n, i in enumerate(indices) if i is not None]
    plain = all(i.dtype is int64 for i in given)
    if not plain or len(indices) > t.dim() or places != [places[0] + n for n in range(len(places))]:
        return None
    shape, strides, first, past = t.shape, t.stride(), places[0], places[-1] + 1
    size = broadcast_shapes(*[tuple(i.shape) for i in given])
    return (*shape[:first], *size, *shape[past:]), (
        *strides[:first],
        *[0] * len(size),
        *strides[past:],
    )


def selected(t: Any, dim: int, index: Any) -> Geometry:
    """Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_."""
    if t.dim() < 2:
        return None
    shape, strides, dim = list(t.shape), list(t.stride()), dim % t.dim()
    del shape[dim], strides[dim]
    return tuple(shape), tuple(strides)


def flipped(t: Any, dims: Any) -> Geometry:
    """Source: torch aten/src/ATen/native/TensorTransformations.cpp, flip."""
    flipped = {d % t.dim() for d in dims if t.dim()}
    if not flipped:
        return None
    return tuple(t.shape), tuple([0 if d in flipped else s for d, s in enumerate(t.stride())])


def rows_of(weight: Any, *rest: Any) -> Geometry:
    """Of ``embedding``, which selects rows."""
    return selected(weight, 0, None)
