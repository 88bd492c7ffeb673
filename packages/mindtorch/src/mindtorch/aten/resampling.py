"""Resampling along one axis: which input elements make an output element, and with which weights.

An interpolation of images is one of these per spatial axis. Indices are computed in the precision
that torch computes them in, since a coordinate on an edge falls to one side or the other by that.

Source: torch aten/src/ATen/native/UpSample.h, cpu/UpSampleKernel.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

__all__ = [
    "Along",
    "Taps",
    "antialiased",
    "cubic",
    "cubic_by_steps",
    "linear",
    "matrices",
    "nearest",
    "nearest_exact",
    "rounded",
    "nearest_by_size",
    "spread",
    "taken",
    "taken_bytes",
]

Array = np.ndarray[Any, Any]


#: What works along one axis of an array.
Along = Callable[[Array], Array]


class Taps(NamedTuple):
    """For each tap (row) and output element (column): the input element and its weight.

    *weights* is None where each output element is one input element as it is; such indices never
    decrease.
    """

    indices: Array
    weights: Array | None


def _given(scale: float | None) -> bool:
    return scale is not None and scale > 0


def _ratio(kind: Any, size: int, out: int, scale: float | None) -> Any:
    return kind(1.0 / scale) if _given(scale) else kind(size) / kind(out)


def _nearest(size: int, out: int, scale: float | None, offset: float) -> Taps:
    kind = np.float32  # whatever the dtype of the input
    places = np.arange(out, dtype=kind)
    step = _ratio(kind, size, out, scale)
    indices = np.floor((places + kind(offset)) * step).astype(np.int64)
    return Taps(np.minimum(indices, size - 1)[None], None)


def nearest(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
    """The input element at or before the place of each output element."""
    return _nearest(size, out, scale, 0.0)


def nearest_by_size(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
    """The same; as many elements, or twice as many, are made whatever *scale* says."""
    if out in (size, 2 * size):
        return Taps((np.arange(out) // (out // size))[None], None)
    return nearest(size, out, scale, corners, kind)


def nearest_exact(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
    """The input element under the middle of each output element."""
    return _nearest(size, out, scale, 0.5)


def _sources(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Array:
    """Where the middle of each output element lies among the input elements."""
    places = np.arange(out, dtype=kind)
    if corners:
        step = kind(size - 1) / kind(out - 1) if out > 1 else kind(0)
        return places * step
    half = kind(0.5)
    return (places + half) * _ratio(kind, size, out, scale) - half


def linear(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
    """Between the two nearest input elements."""
    if out == size:
        low, share = np.arange(out), np.zeros(out, kind)
    else:
        real = np.maximum(_sources(size, out, scale, corners, kind), kind(0))
        low = np.minimum(real.astype(np.int64), size - 1)
        share = np.clip(real - low.astype(kind), 0, 1)
    high = np.minimum(low + 1, size - 1)
    return Taps(np.stack([low, high]), np.stack([1 - share, share]))


def _cubic_weights(t: Array, a: float) -> Array:
    def near(x: Array) -> Array:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Array) -> Array:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return np.stack([far(t + 1), near(t), near(1 - t), far((1 - t) + 1)])


def _between_four(
    size: int, out: int, scale: float | None, corners: bool, kind: Any, wide: Any
) -> Taps:
    real = _sources(size, out, scale, corners, kind)
    low = np.minimum(np.floor(real).astype(np.int64), size - 1)
    share = np.clip(real - low.astype(kind), 0, 1)
    indices = np.clip(low + np.arange(-1, 3)[:, None], 0, size - 1)
    return Taps(indices, _cubic_weights(share.astype(wide), -0.75).astype(kind))


def cubic(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
    """By the cubic convolution of the four nearest input elements; edges are repeated.

    Weights are rounded once, as torch's fused products nearly are.
    """
    return _between_four(size, out, scale, corners, kind, np.float64)


def cubic_by_steps(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
    """The same, rounded at every step."""
    return _between_four(size, out, scale, corners, kind, kind)


def _triangle(x: Array) -> Array:
    return np.maximum(1 - np.abs(x), 0)


def _bell(x: Array) -> Array:
    a, x = -0.5, np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _lanczos(x: Array) -> Array:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


_FILTERS: dict[str, tuple[Callable[[Array], Array], int]] = {
    "bicubic": (_bell, 4),
    "bilinear": (_triangle, 2),
    "lanczos": (_lanczos, 6),
}


def antialiased(name: str) -> Callable[[int, int, float | None, bool, Any], Taps]:
    """A filter that is widened where the image shrinks."""
    filter_, width = _FILTERS[name]

    def taps(size: int, out: int, scale: float | None, corners: bool, kind: Any) -> Taps:
        if corners:
            step = kind(size - 1) / kind(out - 1) if out > 1 else kind(0)
        else:
            step = _ratio(kind, size, out, scale)
        wide = max(step, kind(1))
        support = kind(width * 0.5) * wide
        centre = step * (np.arange(out, dtype=kind) + kind(0.5))
        first = np.maximum((centre - support + kind(0.5)).astype(np.int64), 0)
        last = np.minimum((centre + support + kind(0.5)).astype(np.int64), size)
        most = math.ceil(support) * 2 + 1
        count = np.clip(last - first, 0, most)
        number = np.arange(int(count.max(initial=1)))[:, None]
        distance = ((number + first).astype(kind) - centre + kind(0.5)) / wide
        weights = np.where(number < count, filter_(distance), 0).astype(kind, copy=False)
        total = weights.sum(0)
        weights = np.where(total != 0, weights / np.where(total != 0, total, 1), weights)
        return Taps(np.minimum(number + first, size - 1), weights.astype(kind, copy=False))

    return taps


def rounded(taps: Taps, dtype: Any) -> Taps:
    """Weights that a half type can tell; the first of two is what the other one leaves."""
    weights = taps.weights
    if weights is None:
        return taps
    weights = weights.astype(dtype)
    if len(weights) == 2:
        weights[0] = 1 - weights[1].astype(np.float32)
    return taps._replace(weights=weights.astype(np.float32))


def matrices(taps: list[Taps], sizes: Sequence[int], most: int) -> list[Array]:
    """What each input element (row) counts for in each output element (column).

    Axes share a matrix as long as it has at most so many numbers; that of the last comes first.
    """
    found: list[Array] = []
    for (indices, weights), size in zip(reversed(taps), reversed(sizes), strict=True):
        axis = np.zeros((size, indices.shape[1]), None if weights is None else weights.dtype)
        np.add.at(axis, (indices, np.arange(indices.shape[1])), 1 if weights is None else weights)
        if found and axis.size * found[-1].size <= most:
            rows = size * len(found[-1])
            found[-1] = (axis[:, None, :, None] * found[-1][:, None]).reshape(rows, -1)
        else:
            found.append(axis)
    return found


def taken(taps: Taps, axis: int, ndim: int) -> Along:
    """What makes the output along *axis* of an array with so many dimensions."""
    indices, weights = taps
    if weights is None:
        (index,) = indices
        return lambda a: a.take(index, axis)
    shape = [1] * (ndim + 1)
    shape[axis : axis + 2] = weights.shape
    factors, total = weights.reshape(shape), np.add.reduce

    def take(a: Array) -> Array:
        parts = a.take(indices, axis)
        parts *= factors
        return total(parts, axis)

    return take


def taken_bytes(taps: Taps, axis: int, ndim: int) -> Along:
    """The same of bytes, with the weights as whole numbers of 16 bits.

    Source: torch aten/src/ATen/native/cpu/UpSampleKernel.cpp, _compute_index_ranges_int16_weights.
    """
    indices, weights = taps
    if weights is None:
        return taken(taps, axis, ndim)
    largest = float(weights.max(initial=0))
    bits = next((b for b in range(22) if int(0.5 + largest * (1 << (b + 1))) >= 1 << 15), 22)
    scaled = weights * (1 << bits)
    whole = np.trunc(scaled + np.where(scaled < 0, -0.5, 0.5)).astype(np.int64)
    take = taken(Taps(indices, whole), axis, ndim)

    def take_bytes(a: Array) -> Array:
        total = (take(a.astype(np.int64)) + (1 << (bits - 1))) >> bits
        return np.maximum(np.minimum(total, 255), 0).astype(np.uint8)

    return take_bytes


#: So many elements of results are made at a time: they and what they are made of stay in the cache.
_IN_CACHE: Final = 1 << 16


def by_planes(resample: Along, like: Array, sizes: tuple[int, ...]) -> Along:
    """*resample*, of arrays like *like* to other *sizes*, a few images of one channel at a time."""
    planes, each = math.prod(like.shape[:2]), max(math.prod(sizes), math.prod(like.shape[2:]))
    if planes * each <= 2 * _IN_CACHE or planes < 2 or not like.flags.c_contiguous:
        return resample
    step, shape = max(1, _IN_CACHE // each), like.shape

    def resample_planes(a: Array) -> Array:
        images = a.reshape(planes, 1, *shape[2:])
        out = np.empty((planes, 1, *sizes), a.dtype)
        for start in range(0, planes, step):
            out[start : start + step] = resample(images[start : start + step])
        return out.reshape(*shape[:2], *sizes)

    return resample_planes


#: From so many elements on, a pass for each neighbour is faster than numpy's sums of runs.
_MANY: Final = 1 << 14


def _added_runs(starts: Array, end: int, axis: int) -> Along:
    """``np.add.reduceat`` with *starts*, along *axis* of arrays that are *end* long there.

    In its order: to the first of a run the sum of the others is added, of which few are.
    """
    lengths = np.diff(starts, append=end)
    if lengths.max(initial=0) > 8:
        return lambda a: np.add.reduceat(a, starts, axis)
    before, several = (slice(None),) * axis, (lengths > 1).nonzero()[0]
    lengths, begins = lengths[several], starts[several]
    steps = []
    for k in range(2, lengths.max(initial=0)):
        longer = (lengths > k).nonzero()[0]
        all_are = len(longer) == len(several)
        steps.append(((*before, slice(None) if all_are else longer), begins[longer] + k))
    into = (*before, slice(None) if len(several) == len(starts) else several)

    def add(a: Array) -> Array:
        out = a.take(starts, axis)
        if len(several):
            others = a.take(begins + 1, axis)
            for places, at in steps:
                others[places] += a.take(at, axis)
            out[into] += others
        return out

    return add


def spread(taps: Taps, axis: int, ndim: int, size: int) -> Along:
    """The transpose of :func:`taken`: each output's gradient to the *size* elements it came from.

    Gradients of the same element become neighbours, which are added up.
    """
    indices, weights = taps
    order = indices.ravel().argsort(kind="stable")
    elements, starts = np.unique(indices.ravel()[order], return_index=True)
    outputs = order % indices.shape[1]
    shape = [1] * ndim
    shape[axis] = -1
    factors = None if weights is None else weights.ravel()[order].reshape(shape)
    at = None if len(elements) == size else (slice(None),) * axis + (elements,)
    many = _added_runs(starts, len(order), axis)

    def give(g: Array) -> Array:
        parts = g
        if factors is not None:
            parts = g.take(outputs, axis)
            parts *= factors
        sums = many(parts) if g.size > _MANY else np.add.reduceat(parts, starts, axis)
        if at is None:
            return sums
        out = np.zeros((*g.shape[:axis], size, *g.shape[axis + 1 :]), g.dtype)
        out[at] = sums
        return out

    return give
