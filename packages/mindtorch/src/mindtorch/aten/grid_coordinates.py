"""Places between the elements of images and volumes: what is read there, and its weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .blocks import putting

__all__ = ["BICUBIC", "BILINEAR", "NEAREST", "REFLECTION", "ZEROS", "Sampling"]

BILINEAR, NEAREST, BICUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)


class _Axes:
    """How places in [-1, 1] become places between elements, along axes of some sizes.

    These sizes are an array that broadcasts with those of places.
    """

    def __init__(self, size: Any, padding: int, align: bool) -> None:
        dtype = size.dtype
        self.padding, self.align, self.size = padding, align, size
        self.unit, self.half = np.array(1, dtype), np.array(0.5, dtype)
        self.zero = np.array(0, dtype)
        self.most = size - self.unit
        #: How places in elements grow with those in [-1, 1].
        self.growth = (self.most if align else size) * self.half

    def places(self, x: Any) -> Any:
        """In elements, from those in [-1, 1]."""
        x = x + self.unit
        x *= self.growth
        if not self.align:
            x -= self.half
        return x

    def reflected(self, x: Any) -> tuple[Any, Any]:
        """*x* mirrored at the edges until it lies between; the sign of its growth."""
        least = self.zero if self.align else -self.half
        span = self.most if self.align else self.size
        flat = span == 0
        span = np.where(flat, self.unit, span)
        x = x - least
        sign = np.where(x < 0, -self.unit, self.unit)
        x = np.abs(x)
        extra = np.fmod(x, span)
        even = np.floor(x / span) % 2 == 0
        x, sign = np.where(even, extra + least, span - extra + least), np.where(even, sign, -sign)
        return np.where(flat, self.zero, x), np.where(flat, self.zero, sign)

    def padded(self, x: Any) -> tuple[Any, Any]:
        """*x* within the image, as far as the padding brings it there; the sign of its growth."""
        if self.padding == ZEROS:
            return x, self.unit
        sign: Any = self.unit
        if self.padding == REFLECTION:
            x, sign = self.reflected(x)
        sign = sign * ((x > 0) & (x < self.most))
        return np.fmin(np.fmax(x, self.zero), self.most), sign


class Sampling(_Axes):
    """How places between elements are read, for all axes of an image or a volume at once.

    Arrays of places are (…, n), of taps (taps, …, n); an axis of the input at each place of n.
    """

    def __init__(self, sizes: Any, dtype: Any, mode: int, padding: int, align: bool) -> None:
        super().__init__(np.array(sizes, dtype), padding, align)
        self.n, self.area, self.sizes = len(sizes), math.prod(sizes), sizes
        mode = mode if mode in (BILINEAR, NEAREST) else BICUBIC  # torch looks at no other number
        self.mode = mode
        self.nowhere = np.array(self.area)
        self.strides = np.array([math.prod(sizes[d + 1 :]) for d in range(self.n)])
        self.combinations = {BILINEAR: 2, NEAREST: 1}.get(mode, 4) ** self.n
        shifts = {BILINEAR: (0, 1), NEAREST: (0,)}.get(mode, (-1, 0, 1, 2))
        self.shifts = np.array(shifts, dtype).reshape(-1, 1, 1, 1)

    def taps(self, grid: Any, sloped: bool) -> tuple[Any, Any, Any]:
        """Elements (as floats), their weights, and if *sloped* how these grow with the grid."""
        x = self.places(grid[..., ::-1])  # the grid has the last axis first
        if self.mode == BICUBIC:
            return self.cubic(x, sloped)
        x, sign = self.padded(x)
        if self.mode == NEAREST:
            place = np.rint(x)[None]
            return place, np.ones_like(place), np.zeros_like(place) if sloped else None
        first = np.floor(x)
        weights = np.empty((2, *x.shape), x.dtype)
        part = np.subtract(x, first, weights[1])
        np.subtract(self.unit, part, weights[0])
        if not sloped:
            return first + self.shifts, weights, None
        slope = np.broadcast_to(sign * self.growth, x.shape)
        return first + self.shifts, weights, np.stack((-slope, slope))

    def cubic(self, x: Any, sloped: bool) -> tuple[Any, Any, Any]:
        """Keys' kernel with a of -0.75."""
        a = -0.75
        first = np.floor(x)
        t = x - first
        far = np.stack((t + 1, 2 - t))
        near = np.stack((t, 1 - t))
        weights = np.empty((4, *x.shape), x.dtype)
        weights[::3] = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a
        weights[1:3] = ((a + 2) * near - (a + 3)) * near * near + 1
        place, _ = self.padded(first + self.shifts)
        if self.padding != ZEROS:
            place = np.trunc(place)
        if not sloped:
            return place, weights, None
        slopes = np.empty_like(weights)
        slopes[::3] = (3 * a * far - 10 * a) * far + 8 * a
        slopes[1:3] = (3 * (a + 2) * near - 2 * (a + 3)) * near
        slopes[2:] *= -self.unit
        slopes *= self.growth
        return place, weights, slopes

    def weigher(
        self, batch: int, count: int, sloped: bool = False
    ) -> Callable[[Any], tuple[Any, list[Any]]]:
        """What gives every element of an image a weight at each place: (N, area, places).

        Most are zero: weights fall to it at a distance of one. Where a place is infinite, all are
        NaN. If *sloped*, it also gives for each axis how the weights grow with the grid.
        """
        sizes, n = self.sizes, self.n
        shape = (batch, sum(sizes), count)
        kind = self.size.dtype
        wide = np.full(shape, np.repeat(sizes, sizes)[:, None], kind)
        at = np.full(shape, np.concatenate([np.arange(s) for s in sizes])[:, None], kind)
        axes = _Axes(wide, self.padding, self.align)
        columns = np.repeat(np.arange(n)[::-1], sizes)
        starts = [[sum(sizes[:d])] for d in range(n)]
        rows = np.array(np.unravel_index(np.arange(self.area), sizes)) + np.array(starts)
        nearest, unit, half = self.mode == NEAREST, self.unit, self.half
        zeros, steep = np.zeros(at.size, at.dtype), axes.growth * -2

        def weights(grid: Any) -> tuple[Any, list[Any]]:
            x, sign = axes.padded(axes.places(grid.swapaxes(1, 2).take(columns, 1)))
            slopes = []
            if nearest:
                np.equal(np.rint(x, x), at, x)
            else:
                least = x.reshape(-1).dot(zeros)
                if sloped:
                    slope = np.floor(x)  # before a place is taken off, which rounds
                    slope -= at
                    slope += half  # half before and behind a place: the weight grows, and falls
                    near = np.absolute(slope) < unit
                    slope *= steep
                    slope *= near
                    slope *= sign
                    slopes = [slope.take(row, 1) for row in rows]
                x -= at
                np.subtract(unit, np.absolute(x, x), x)
                np.maximum(x, least, out=x)
            parts = [x.take(row, 1) for row in rows]
            for d, slope in enumerate(slopes):
                for part in parts[:d] + parts[d + 1 :]:
                    slope *= part
            found = parts[0]
            for part in parts[1:]:
                found *= part
            return found, slopes

        return weights

    def elements(self, place: Any, skipped: tuple[Any, ...]) -> Any:
        """The flat element of each combination of taps: the area for those outside.

        The weights in *skipped* become zero there.
        """
        outside = place >= self.zero
        outside &= place < self.size
        np.logical_not(outside, outside)
        index = place.astype(np.int64)
        index *= self.strides
        putting(index)(index, outside, self.nowhere)
        for weights in skipped:
            putting(weights)(weights, outside, self.zero)
        elements = self.combined(np.add, [index[..., d] for d in range(self.n)])
        return np.minimum(elements, self.nowhere, out=elements)

    def combined(self, by: Any, axes: list[Any]) -> Any:
        """*axes*, each (taps, …), put together by a ufunc: (combinations of taps, …)."""
        found = axes[0]
        for axis in axes[1:]:
            found = by(found[:, None], axis)
            found = found.reshape(-1, *found.shape[2:])
        return found
