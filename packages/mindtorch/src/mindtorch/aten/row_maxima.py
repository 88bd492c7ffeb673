"""The largest element of each window of images, and its place: over columns first, then over rows.

A window of k by k elements takes 2k steps so. No step branches on an element: which place won is a
small number, the larger the later the place, so that of two winners the later one is the maximum.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from .pooling_window import Pool

__all__ = ["RowMaxima"]

Array = np.ndarray[Any, Any]

#: So many elements are looked at at a time: they and what is made of them stay in the cache.
_BLOCK: Final = 65536
_BITS: Final = {"f": np.int32, "d": np.int64}


def _has_negative_zero(x: Array) -> bool:
    """Whether an element is the one whose bits are the least integer."""
    bits = x.view(_BITS[x.dtype.char])
    return bool(bits.min() == np.iinfo(bits.dtype).min)


class RowMaxima:
    """What finds them in images of one size."""

    def __init__(self, pool: Pool, h: int, w: int) -> None:
        self.pool, self.size = pool, (h, w)
        (kh, kw), (oh, ow) = pool.kernel, pool.out
        (ph, pw), (sh, sw), (dh, dw) = pool.padding, pool.stride, pool.dilation
        # A row has a multiple of the stride, so that all rows are one long one.
        self.height = max(h + ph, (oh - 1) * sh + (kh - 1) * dh + 1)
        self.width = max(w + pw, (ow - 1) * sw + (kw - 1) * dw + 1)
        self.width = -(-self.width // sw) * sw
        self.plain = (self.height, self.width) == (h, w) and not (ph or pw)
        #: Holds the number of each place of a window.
        self.number = np.min_scalar_type(kh * kw)
        top, left = np.arange(oh) * sh - ph, np.arange(ow) * sw - pw
        # Where nothing is larger than what lies around the image, the first place inside has won.
        first_row, first_column = (np.maximum(-(at // d), 0) for at, d in ((top, dh), (left, dw)))
        self.first = (first_row[:, None] * kw + first_column).astype(self.number)
        self.inside = not self.first.any()
        self.corner = top[:, None] * w + left
        code = np.arange(kh * kw)
        self.offsets = code // kw * dh * w + code % kw * dw

    def find(self, x: Array, lowest: Any) -> tuple[Array, Array] | None:
        """The maxima and their places in the image, of which *lowest* stands around it.

        None where torch's choice is another: of several NaN it takes the last, of zeros of both
        signs the first.
        """
        (h, w), (oh, ow) = self.size, self.pool.out
        floating = x.dtype.kind == "f"
        if not x.size or floating and x.dtype.char not in _BITS:
            return None
        planes = math.prod(x.shape[:-2])
        images, step = x.reshape(planes, h, w), max(1, _BLOCK // (self.height * self.width))
        best = np.empty((planes, oh, ow), x.dtype)
        where = np.empty((planes, oh, ow), np.int64)
        for start in range(0, planes, step):
            part = images[start : start + step]
            if floating and _has_negative_zero(part):
                return None
            rows = self._over_columns(self._padded(part, lowest))
            self._over_rows(*rows, best[start : start + step], where[start : start + step])
        if floating and math.isnan(best.max()):
            return None
        shape = (*x.shape[:-2], oh, ow)
        return best.reshape(shape), where.reshape(shape)

    def _padded(self, images: Array, lowest: Any) -> Array:
        """The images with what lies around them."""
        if self.plain:
            return np.ascontiguousarray(images)
        (h, w), (ph, pw) = self.size, self.pool.padding
        out = np.empty((len(images), self.height, self.width), images.dtype)
        out[:, :ph] = out[:, ph + h :] = lowest
        out[:, ph : ph + h, :pw] = out[:, ph : ph + h, pw + w :] = lowest
        out[:, ph : ph + h, pw : pw + w] = images
        return out

    def _over_columns(self, padded: Array) -> tuple[Array, Array]:
        """Of each row the largest element of each window, and the number of its column."""
        flat, stride = padded.reshape(-1), self.pool.stride[1]
        kw, dw, out = self.pool.kernel[1], self.pool.dilation[1], padded.size // stride
        count = -(-(padded.size - (kw - 1) * dw) // stride)  # beyond are windows over two rows
        best, column = np.empty(out, padded.dtype), np.zeros(out, self.number)
        best[count:] = 0
        values = [flat[j * dw :][::stride][:count] for j in range(kw)]
        _winner(values, None, 1, best[:count], column[:count])
        shape = (len(padded), self.height, self.width // stride)
        return best.reshape(shape), column.reshape(shape)

    def _over_rows(self, row_best: Array, column: Array, best: Array, where: Array) -> None:
        """Of these rows the largest, and the place of its element."""
        (kh, kw), (oh, ow) = self.pool.kernel, self.pool.out
        stride, dilation = self.pool.stride[0], self.pool.dilation[0]
        at = [slice(i * dilation, i * dilation + (oh - 1) * stride + 1, stride) for i in range(kh)]
        shape = (len(best), oh, row_best.shape[-1])
        most, number = np.empty(shape, best.dtype), np.empty(shape, self.number)
        rows = [row_best[:, i] for i in at], [column[:, i] for i in at]
        _winner(*rows, kw, most, number)
        best[...], number = most[..., :ow], np.ascontiguousarray(number[..., :ow])
        if not self.inside:
            np.maximum(number, self.first, out=number)
        self.offsets.take(number, out=where, mode="wrap")
        where += self.corner


def _winner(
    values: list[Array], codes: list[Array] | None, apart: int, best: Array, number: Array
) -> None:
    """Element by element the largest of *values*, the first of equal ones, and its number.

    That is the place in the list times *apart*, and with *codes* the code at the element, which is
    less than *apart*.
    """
    best[...], number[...] = values[0], 0 if codes is None else codes[0]
    larger, spare = np.empty(best.shape, bool), np.empty(best.shape, number.dtype)
    won = larger.view(np.uint8)
    for i, value in enumerate(values[1:], 1):
        np.greater(value, best, larger)
        code = number.dtype.type(i * apart)
        if codes is not None:
            code = np.add(codes[i], code, spare)
        np.maximum(number, np.multiply(won, code, spare), out=number)
        np.maximum(best, value, out=best)
