"""The windows of a convolution over images, and the matrix of what they meet ("im2col").

A matrix of columns has a row per channel and kernel element, and a column per window. It is made
and used a piece at a time, a *tile* of columns, which stays in the processor's cache.

With a step of one the padded images are laid side by side in one long row per channel: what a
kernel element meets is then a *shift* of the whole row, and rows of the matrix are plain copies of
memory. The few columns at the seams between lines and images are computed for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np

__all__ = ["Windows", "windows_back"]

Array = np.ndarray[Any, Any]
Sizes = Sequence[int]

#: Bytes of a tile, where that is not less than a product of matrices needs to be efficient.
_TILE_BYTES: Final = 1 << 20
_FEWEST_COLUMNS: Final = 256
#: Bytes of the padded images that are there at a time, if there is more than one.
_IMAGES_BYTES: Final = 1 << 22


class Windows:
    """The places of a kernel over images: sizes are tuples over the spatial dims.

    :param before: zeros before the first element of an image; less than none drops elements.
    :param kernel: elements of a window, *dilation* apart.
    :param out: how many windows there are, *stride* apart.
    """

    __slots__ = ("before", "count", "flat", "inner", "lines", "offsets", "out", "padded", "span",
                 "stride")  # fmt: skip

    def __init__(
        self, before: Sizes, kernel: Sizes, stride: Sizes, dilation: Sizes, out: Sizes
    ) -> None:
        self.before, self.stride, self.out = tuple(before), tuple(stride), tuple(out)
        reach = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
        #: What the windows reach of an image, zeros included.
        self.padded = tuple((n - 1) * s + r + 1 for n, s, r in zip(out, stride, reach, strict=True))
        steps = [range(0, r + 1, d) for r, d in zip(reach, dilation, strict=True)]
        #: Where each kernel element looks, relative to the window's corner.
        self.offsets = list(product(*steps))
        self.count = len(self.offsets)
        #: Whether shifts of the flattened images will do.
        self.flat = all(s == 1 for s in stride)
        #: Columns of an image, and of a line of it: a step along the first dim.
        lines = self.padded if self.flat else self.out
        self.span, self.inner, self.lines = prod(lines), prod(lines[1:]), lines[0]

    def are_the_images(self, size: Sizes) -> bool:
        """Whether the windows over images of this *size* are their elements, one by one."""
        return self.flat and self.count == 1 and not any(self.before) and self.out == tuple(size)

    def some_images(self, n: int, channels: int, itemsize: int) -> Iterator[slice]:
        """Ranges of *n* images that are worked on at a time."""
        step = max(_IMAGES_BYTES // (channels * prod(self.padded) * itemsize), 1)
        for first in range(0, n, step):
            yield slice(first, min(first + step, n))

    def tiles(self, n: int, rows: int, itemsize: int) -> Iterator[slice]:
        """Ranges of the columns of *n* images, for matrices of so many *rows*."""
        step = self.widest(rows, itemsize)
        if self.flat:
            last = [(o - 1) * prod(self.padded[i + 1 :]) for i, o in enumerate(self.out)]
            end = (n - 1) * self.span + sum(last) + 1
            for first in range(0, end, step):
                yield slice(first, min(first + step, end))
        elif step >= self.span:
            for first in range(0, n * self.span, step):
                yield slice(first, min(first + step, n * self.span))
        else:  # some lines of one image
            for image in range(0, n * self.span, self.span):
                for first in range(image, image + self.span, step):
                    yield slice(first, min(first + step, image + self.span))

    def widest(self, rows: int, itemsize: int) -> int:
        """How many columns a tile has at the most."""
        columns = max(_TILE_BYTES // (rows * itemsize), _FEWEST_COLUMNS)
        if self.flat:
            return columns
        if columns >= self.span:
            return columns - columns % self.span
        tiles = min(max(round(self.span / columns), 1), self.lines)
        return -(-self.lines // tiles) * self.inner

    def pad(self, x: Array) -> Array:
        """Images ``(n, c, …)`` as ``(c, n, …)`` with zeros around them, contiguous."""
        n, c, *size = x.shape
        padded = np.zeros((c, n, *self.padded), x.dtype)
        to, source = self._inside(size)
        padded[to] = x.swapaxes(0, 1)[source]
        return padded

    def cut(self, padded: Array, out: Array) -> None:
        """The opposite of :meth:`pad`: *out* gets what is in its places, and zeros elsewhere."""
        to, source = self._inside(out.shape[2:])
        part = out.swapaxes(0, 1)[source]
        if part.size != out.size:
            out[...] = 0
        part[...] = padded[to]

    def _inside(self, size: Sizes) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The part of padded images that are elements of images of this *size*, and which."""
        to, source = [slice(None)] * 2, [slice(None)] * 2
        for before, n, whole in zip(self.before, size, self.padded, strict=True):
            first = max(-before, 0)
            end = max(min(n, whole - before), first)
            source.append(slice(first, end))
            to.append(slice(first + before, end + before))
        return tuple(to), tuple(source)

    def columns(self, padded: Array, tile: slice, room: Array) -> Array:
        """The tile of the matrix of padded images ``(c, n, …)``, as ``(c, kernel, columns)``.

        It is a part of *room*, of as many rows and no fewer columns.
        """
        out = room[:, :, : tile.stop - tile.start]
        for i, met in enumerate(self._met(padded, tile)):
            out[:, i].reshape(met.shape)[...] = met
        return out

    def spread(self, columns: Array, padded: Array, tile: slice) -> None:
        """The transpose of :meth:`columns`: each number is added in its place."""
        for i, met in enumerate(self._met(padded, tile)):
            met += columns[:, i].reshape(met.shape)

    def _met(self, padded: Array, tile: slice) -> Iterator[Array]:
        """What each kernel element meets in the windows of a tile: views of *padded*."""
        if self.flat:
            rows = padded.reshape(padded.shape[0], -1)
            steps = [prod(self.padded[i + 1 :]) for i in range(len(self.padded))]
            for offset in self.offsets:
                shift = sum([o * s for o, s in zip(offset, steps, strict=True)])
                yield rows[:, tile.start + shift : tile.stop + shift]
            return
        image, column = divmod(tile.start, self.span)
        first = column // self.inner
        last = min(first + (tile.stop - tile.start) // self.inner, self.lines)
        images = slice(image, image + max((tile.stop - tile.start) // self.span, 1))
        ranges = [(first, last), *[(0, n) for n in self.out[1:]]]
        for offset in self.offsets:
            places = [
                slice(o + low * s, o + (high - 1) * s + 1, s)
                for o, s, (low, high) in zip(offset, self.stride, ranges, strict=True)
            ]
            yield padded[(slice(None), images, *places)]

    def lay(self, y: Array) -> Array:
        """A number per window ``(n, channels, …)`` as a matrix ``(channels, columns)``.

        The columns at the seams are zeros.
        """
        n, c = y.shape[:2]
        if not self.flat:
            return np.ascontiguousarray(y.swapaxes(0, 1)).reshape(c, -1)
        whole = np.zeros((c, n, *self.padded), y.dtype)
        whole[(slice(None), slice(None), *map(slice, self.out))] = y.swapaxes(0, 1)
        return whole.reshape(c, -1)

    def store(self, result: Array, out: Array) -> None:
        """The opposite of :meth:`lay`: columns ``(channels, columns)`` are put into *out*."""
        n, c = out.shape[:2]
        whole = result.reshape(c, n, *(self.padded if self.flat else self.out))
        out[...] = whole[(slice(None), slice(None), *map(slice, self.out))].swapaxes(0, 1)


def windows_back(padding: Sizes, kernel: Sizes, dilation: Sizes, size: Sizes) -> Windows:
    """The windows over the results of a convolution, a step of one apart, that gradients come from.

    What flows back to an element of an image of this *size* comes from the windows that it was in:
    these are a window of the results, with the kernel turned round.
    """
    before = [d * (k - 1) - p for p, k, d in zip(padding, kernel, dilation, strict=True)]
    return Windows(before, kernel, [1] * len(kernel), dilation, size)
