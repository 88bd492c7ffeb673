"""Convolutions of few numbers: every place that a result is made of is looked up at once.

The places follow from sizes alone, so they are worked out when a layout is first met. A call takes
the numbers that they name, and multiplies matrices: numpy is called half a dozen times, whatever
the number of kernel elements, dimensions and groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

__all__ = ["columns_of", "correlated", "is_few", "scattered"]

Array = np.ndarray[Any, Any]
Sizes = Sequence[int]

#: Numbers that a matrix of columns may have, so that it is made at once.
_FEW = 16384


def is_few(images: int, channels: int, kernel: Sizes, places: Sizes) -> bool:
    """Whether the columns of so many images and channels are made at once."""
    return images * channels * prod(kernel) * prod(places) <= _FEW


def _meeting(size: int, out: int, k: int, stride: int, padding: int, dilation: int) -> Array:
    """``[k, out]``: what a kernel element meets along one dim, -1 where nothing is."""
    found = np.arange(out) * stride - padding + np.arange(k)[:, None] * dilation
    return np.where((found >= 0) & (found < size), found, -1)


def _reached(size: int, out: int, k: int, stride: int, padding: int, dilation: int) -> Array:
    """``[k, out]``: of *size* windows the one whose kernel element meets a place, or -1."""
    found = np.arange(out) + padding - np.arange(k)[:, None] * dilation
    window = found // stride
    return np.where((found % stride == 0) & (window >= 0) & (window < size), window, -1)


def _places(axes: Sequence[Array], size: Sizes) -> Array:
    """The places of all dims together, as numbers in flat images: ``[kernel elements, places]``."""
    flat, inside = np.zeros((1, 1), np.int64), np.ones((1, 1), bool)
    for axis, length in zip(axes, size, strict=True):
        k, out = axis.shape
        shape = (flat.shape[0] * k, flat.shape[1] * out)
        flat = (flat[:, None, :, None] * length + axis[None, :, None, :]).reshape(shape)
        inside = (inside[:, None, :, None] & (axis >= 0)[None, :, None, :]).reshape(shape)
    return np.where(inside, flat, -1)


def columns_of(
    images: int, channels: int, groups: int, size: Sizes, places: Sizes, kernel: Sizes,
    stride: Sizes, padding: Sizes, dilation: Sizes, *, back: bool = False,
) -> Callable[[Array], Array]:  # fmt: skip
    """What makes of images ``(n, channels, …)`` the matrices of columns of each group.

    They are ``(n, groups, channels of a group * kernel elements, places)``.

    :param back: the columns of windows that reach each place, not those of what each window meets.
    """
    along = _reached if back else _meeting
    axes = [
        along(*sizes) for sizes in zip(size, places, kernel, stride, padding, dilation, strict=True)
    ]
    area, found = prod(size), _places(axes, size)
    index = found + (np.arange(channels) * area)[:, None, None]
    outside = bool((found < 0).any())
    index = np.where(found < 0, channels * area, index)  # a zero behind the numbers
    index = index.reshape(groups, channels // groups * len(found), found.shape[1])
    shape, zeros = (images, channels * area), np.zeros
    if not outside:
        return lambda x: x.reshape(shape).take(index, 1)
    room = (images, channels * area + 1)

    def columns(x: Array) -> Array:
        wide = zeros(room, x.dtype)
        wide[:, :-1] = x.reshape(shape)
        return wide.take(index, 1)

    return columns


def correlated(
    weight: Array, groups: int, images: int, places: Sizes
) -> Callable[[Array, Array], Array]:
    """The images of columns and a weight ``(out, channels of a group, …)``."""
    out = weight.shape[0]
    matrix = (groups, out // groups, prod(weight.shape[1:]))
    shape, matmul = (images, out, *places), np.matmul
    return lambda columns, weight: matmul(weight.reshape(matrix), columns).reshape(shape)


def scattered(
    weight: Array, groups: int, images: int, places: Sizes
) -> Callable[[Array, Array], Array]:
    """The same of a weight ``(channels, out of a group, …)``, from columns of windows."""
    channels, out, *kernel = weight.shape
    taps = prod(kernel)
    parts = (groups, channels // groups, out, taps)
    matrix = (groups, out, channels // groups * taps)
    shape, matmul = (images, groups * out, *places), np.matmul

    def product(columns: Array, weight: Array) -> Array:
        turned = weight.reshape(parts).transpose(0, 2, 1, 3).reshape(matrix)
        return matmul(turned, columns).reshape(shape)

    return product
