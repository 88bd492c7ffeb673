"""Convolutions of one to three spatial dims, their transposes and gradients.

The input becomes a matrix with one row per kernel element and channel ("im2col") and the
convolution one BLAS product. Two things make it fast in numpy:

* with stride 1 the padded images are laid side by side in one long row per channel, so that every
  kernel element is a *shift* of the whole row and its matrix rows are plain memory copies (the
  few columns at the seams are computed for nothing);
* images are taken in groups whose matrix fits the processor's cache.

With enough channels there is no need for the matrix: one product per kernel element, of a shifted
view of the row, and a sum. BLAS reads the view where it lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from mindtorch.aten.summation import sum_over

from ..call.convolution_check import expanded

__all__ = ["convolution", "convolution_backward", "out_shape"]

#: Bytes of the im2col matrix (or of a product, where there is none) of one group of images.
_GROUP_BYTES = 1 << 20
#: From this many channels on, products of shifted views are as efficient as one large product.
_MANY_CHANNELS = 16


# -- everything up to the last section is without groups, sizes are tuples over the spatial dims --


def _padded(x: Any, padding: Sequence[int]) -> Any:
    """Images ``(n, c, …)`` as ``(c, n, …)`` with zeros around them, contiguous."""
    n, c, *size = x.shape
    out = np.zeros((c, n, *[s + 2 * p for s, p in zip(size, padding, strict=True)]), x.dtype)
    inner = tuple(slice(p, p + s) for s, p in zip(size, padding, strict=True))
    out[(slice(None), slice(None), *inner)] = x.swapaxes(0, 1)
    return out


def _offsets(kernel: Sequence[int], dilation: Sequence[int]) -> list[tuple[int, ...]]:
    """Where each kernel element looks, relative to the window's corner."""
    return list(product(*[range(0, k * d, d) for k, d in zip(kernel, dilation, strict=True)]))


def _shifts(offsets: list[tuple[int, ...]], size: Sequence[int]) -> list[int]:
    """Offsets in a flattened image of *size*."""
    steps = [prod(size[i + 1 :]) for i in range(len(size))]
    return [sum(o * s for o, s in zip(offset, steps, strict=True)) for offset in offsets]


class _Geometry:
    """The sizes of one convolution."""

    __slots__ = ("count", "dilation", "flat", "kernel", "n", "offsets", "out", "padded",
                 "padding", "span", "stride")  # fmt: skip

    def __init__(
        self, n: int, size: Sequence[int], kernel: Sequence[int], stride: Sequence[int],
        padding: Sequence[int], dilation: Sequence[int], out: Sequence[int],
    ) -> None:  # fmt: skip
        self.n = n
        self.kernel, self.stride, self.padding, self.dilation = kernel, stride, padding, dilation
        self.padded = [s + 2 * p for s, p in zip(size, padding, strict=True)]
        self.out = list(out)  # less than would fit, where a transposed one pads its result
        self.offsets = _offsets(kernel, dilation)
        self.count = len(self.offsets)
        #: Whether shifts of the flattened images will do.
        self.flat = all(s == 1 for s in stride)
        #: Columns of the matrix per image.
        self.span = prod(self.padded) if self.flat else prod(self.out)

    def groups(self, rows: int, itemsize: int) -> Iterator[tuple[int, int]]:
        """Ranges of images for which *rows* rows have about :data:`_GROUP_BYTES`."""
        bytes_each = max(rows * self.span * itemsize, 1)
        step = max(_GROUP_BYTES // bytes_each, 1)
        for first in range(0, self.n, step):
            yield first, min(first + step, self.n)

    def length(self, n: int) -> int:
        """Columns of the matrix for *n* images."""
        if not self.flat:
            return n * self.span
        last = sum((o - 1) * prod(self.padded[i + 1 :]) for i, o in enumerate(self.out))
        return (n - 1) * self.span + last + 1

    def window(self, offset: Sequence[int]) -> tuple[Any, ...]:
        """The elements that a kernel element meets, as an index into padded images."""
        return (
            slice(None),
            slice(None),
            *[
                slice(o, o + (n - 1) * s + 1, s)
                for o, n, s in zip(offset, self.out, self.stride, strict=True)
            ],
        )

    def columns(self, padded: Any) -> Any:
        """The matrix ``(c * kernel elements, columns)`` of padded images ``(c, n, …)``."""
        c, n = padded.shape[:2]
        length = self.length(n)
        out = np.empty((c, self.count, length), padded.dtype)
        if self.flat:
            rows = padded.reshape(c, -1)
            for i, shift in enumerate(_shifts(self.offsets, self.padded)):
                out[:, i] = rows[:, shift : shift + length]
        else:
            cells = out.reshape(c, self.count, n, *self.out)
            for i, offset in enumerate(self.offsets):
                cells[:, i] = padded[self.window(offset)]
        return out.reshape(c * self.count, length)

    def spread(self, columns: Any, c: int, n: int) -> Any:
        """The transpose of :meth:`columns`: padded images with each column added in its places."""
        padded = np.zeros((c, n, *self.padded), columns.dtype)
        if self.flat:
            length = columns.shape[1]
            rows = padded.reshape(c, -1)
            parts = columns.reshape(c, self.count, length)
            for i, shift in enumerate(_shifts(self.offsets, self.padded)):
                rows[:, shift : shift + length] += parts[:, i]
        else:
            cells = columns.reshape(c, self.count, n, *self.out)
            for i, offset in enumerate(self.offsets):
                padded[self.window(offset)] += cells[:, i]
        return padded

    def store(self, result: Any, out: Any) -> None:
        """Put a product ``(channels, columns)`` into *out* ``(n, channels, …)``."""
        n, c = out.shape[:2]
        if not self.flat:
            out[...] = result.reshape(c, n, *self.out).swapaxes(0, 1)
            return
        whole = result.reshape(c, n, *self.padded)
        inside = tuple(slice(o) for o in self.out)
        out[...] = whole[(slice(None), slice(None), *inside)].swapaxes(0, 1)

    def lay(self, y: Any) -> Any:
        """Results ``(n, channels, …)`` as a matrix ``(channels, columns)``, zeros at the seams."""
        n, c = y.shape[:2]
        if not self.flat:
            return np.ascontiguousarray(y.swapaxes(0, 1)).reshape(c, -1)
        whole = np.zeros((c, n, *self.padded), y.dtype)
        inside = tuple(slice(o) for o in self.out)
        whole[(slice(None), slice(None), *inside)] = y.swapaxes(0, 1)
        return whole.reshape(c, -1)[:, : self.length(n)]


def _is_pointwise(geometry: _Geometry) -> bool:
    return geometry.flat and geometry.count == 1 and not any(geometry.padding)


def _forward(x: Any, weight: Any, out: Any, geometry: _Geometry) -> None:
    channels = x.shape[1]
    matrix = weight.reshape(weight.shape[0], -1)
    if _is_pointwise(geometry):
        n = x.shape[0]
        np.matmul(matrix, x.reshape(n, channels, -1), out.reshape(n, weight.shape[0], -1))
        return
    if geometry.flat and channels >= _MANY_CHANNELS:
        _forward_by_shifts(x, weight, out, geometry)
        return
    for first, last in geometry.groups(channels * geometry.count, x.itemsize):
        columns = geometry.columns(_padded(x[first:last], geometry.padding))
        if geometry.flat:
            n = last - first
            result = np.empty((weight.shape[0], n * geometry.span), x.dtype)
            np.matmul(matrix, columns, result[:, : columns.shape[1]])
        else:
            result = matrix @ columns
        geometry.store(result, out[first:last])


def _taps(weight: Any, axes: tuple[int, int]) -> Any:
    """One contiguous matrix per kernel element."""
    flat = weight.reshape(*weight.shape[:2], -1)
    return np.ascontiguousarray(flat.transpose(2, *axes))


def _forward_by_shifts(x: Any, weight: Any, out: Any, geometry: _Geometry) -> None:
    taps = _taps(weight, (0, 1))
    shifts = _shifts(geometry.offsets, geometry.padded)
    channels = weight.shape[0]
    result = other = np.empty(0)
    for first, last in geometry.groups(channels, x.itemsize):
        n = last - first
        padded = _padded(x[first:last], geometry.padding).reshape(x.shape[1], -1)
        length = geometry.length(n)
        if result.shape != (channels, n * geometry.span):
            result = np.empty((channels, n * geometry.span), x.dtype)
            other = np.empty((channels, length), x.dtype)
        total = result[:, :length]
        for tap, shift in zip(taps, shifts, strict=True):
            view = padded[:, shift : shift + length]
            if shift == 0:
                np.matmul(tap, view, total)
            else:
                np.add(total, np.matmul(tap, view, other), total)
        geometry.store(result, out[first:last])


def _input_gradient(g: Any, weight: Any, out: Any, geometry: _Geometry) -> None:
    channels = weight.shape[1]
    matrix = np.ascontiguousarray(weight.reshape(weight.shape[0], -1).T)
    inner = tuple(slice(p, p + s) for p, s in zip(geometry.padding, out.shape[2:], strict=True))
    if geometry.flat and channels >= _MANY_CHANNELS:
        taps = _taps(weight, (1, 0))
        shifts = _shifts(geometry.offsets, geometry.padded)
        other = np.empty(0)
        for first, last in geometry.groups(channels, g.itemsize):
            n = last - first
            laid = geometry.lay(g[first:last])
            padded = np.zeros((channels, n * geometry.span), g.dtype)
            length = laid.shape[1]
            if other.shape != (channels, length):
                other = np.empty((channels, length), g.dtype)
            for tap, shift in zip(taps, shifts, strict=True):
                view = padded[:, shift : shift + length]
                np.add(view, np.matmul(tap, laid, other), view)
            whole = padded.reshape(channels, n, *geometry.padded)
            out[first:last] = whole[(slice(None), slice(None), *inner)].swapaxes(0, 1)
        return
    for first, last in geometry.groups(channels * geometry.count, g.itemsize):
        columns = matrix @ geometry.lay(g[first:last])
        padded = geometry.spread(columns, channels, last - first)
        out[first:last] = padded[(slice(None), slice(None), *inner)].swapaxes(0, 1)


def _weight_gradient(g: Any, x: Any, out: Any, geometry: _Geometry) -> None:
    channels = x.shape[1]
    if geometry.flat and channels >= _MANY_CHANNELS:
        shifts = _shifts(geometry.offsets, geometry.padded)
        sums = np.zeros((geometry.count, g.shape[1], channels), g.dtype)
        for first, last in geometry.groups(channels, x.itemsize):
            laid = geometry.lay(g[first:last])
            rows = _padded(x[first:last], geometry.padding).reshape(channels, -1)
            for i, shift in enumerate(shifts):
                sums[i] += laid @ rows[:, shift : shift + laid.shape[1]].T
        out[...] = sums.transpose(1, 2, 0).reshape(out.shape)
        return
    total = np.zeros((g.shape[1], channels * geometry.count), g.dtype)
    for first, last in geometry.groups(channels * geometry.count, x.itemsize):
        columns = geometry.columns(_padded(x[first:last], geometry.padding))
        total += geometry.lay(g[first:last]) @ columns.T
    out[...] = total.reshape(out.shape)


def _depthwise(x: Any, weight: Any, out: Any, geometry: _Geometry) -> None:
    """One filter per channel: a sum of shifted images, no product of matrices."""
    times = weight.shape[0] // x.shape[1]
    padded = _padded(x, geometry.padding)
    taps = weight.reshape(x.shape[1], times, geometry.count)
    ones = (1,) * len(geometry.out)
    to = out.reshape(x.shape[0], x.shape[1], times, *geometry.out)
    for k in range(times):
        total = None
        for i, offset in enumerate(geometry.offsets):
            part = padded[geometry.window(offset)] * taps[:, k, i].reshape(-1, 1, *ones)
            total = part if total is None else np.add(total, part, total)
        to[:, :, k] = total.swapaxes(0, 1)


def _by_groups(
    function: Any, first: Any, second: Any, out: Any, geometry: _Geometry, groups: int,
    split_first: bool, split_out: bool,
) -> None:  # fmt: skip
    """Run *function* for each group: images are split along channels, weights along rows."""
    if groups == 1:
        function(first, second, out, geometry)
        return
    for i in range(groups):
        a = _part(first, i, groups, 1 if split_first else 0)
        b = _part(second, i, groups, 0 if function is not _weight_gradient else 1)
        # Written through a copy: BLAS wants whole arrays, and a group is a part of the channels.
        view = _part(out, i, groups, 1 if split_out else 0)
        piece = np.empty(view.shape, out.dtype)
        function(a, b, piece, geometry)
        view[...] = piece


def _part(a: Any, i: int, groups: int, axis: int) -> Any:
    step = a.shape[axis] // groups
    return a[(slice(None),) * axis + (slice(i * step, (i + 1) * step),)]


def convolution(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Any:  # fmt: skip
    n = weight.ndim - 2
    stride, padding, dilation, more = (
        expanded(v, n) for v in (stride, padding, dilation, output_padding)
    )
    shape = out_shape(
        input.shape, weight.shape, stride, padding, dilation, transposed, more, groups
    )
    out = np.empty(shape, input.dtype)
    if not out.size:
        return out
    kernel = weight.shape[2:]
    if transposed:
        geometry = _Geometry(
            shape[0], shape[2:], kernel, stride, padding, dilation, input.shape[2:]
        )
        _by_groups(_input_gradient, input, weight, out, geometry, groups, True, True)
    else:
        geometry = _Geometry(
            shape[0], input.shape[2:], kernel, stride, padding, dilation, shape[2:]
        )
        if groups > 1 and weight.shape[1] == 1 and groups == input.shape[1]:
            _depthwise(input, weight, out, geometry)
        else:
            _by_groups(_forward, input, weight, out, geometry, groups, True, True)
    if bias is not None:
        out += bias.reshape((-1,) + (1,) * n)
    return out


def out_shape(
    shape: Sequence[int], weight: Sequence[int], stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> tuple[int, ...]:  # fmt: skip
    """The sizes of the result: without input channels it has none either.

    Source: torch aten/src/ATen/native/Convolution.cpp, calc_output_size.
    """
    sizes = zip(shape[2:], weight[2:], stride, padding, dilation, output_padding, strict=True)
    if transposed:
        channels = weight[1] * groups
        spatial = [(s - 1) * t - 2 * p + d * (k - 1) + o + 1 for s, k, t, p, d, o in sizes]
    else:
        channels = weight[0]
        spatial = [(s + 2 * p - d * (k - 1) - 1) // t + 1 for s, k, t, p, d, o in sizes]
    return (shape[0], channels if shape[1] else 0, *spatial)


def convolution_backward(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
    dilation: Any, transposed: bool, output_padding: Any, groups: int, output_mask: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    n = weight.ndim - 2
    stride, padding, dilation = (expanded(v, n) for v in (stride, padding, dilation))
    g_input = g_weight = g_bias = None
    images = grad_output.shape[0]
    # A transposed convolution is the input's gradient of a plain one: input and result change
    # their parts.
    larger = grad_output if transposed else input
    smaller = input if transposed else grad_output
    geometry = _Geometry(
        images, larger.shape[2:], weight.shape[2:], stride, padding, dilation, smaller.shape[2:]
    )
    if output_mask[0]:
        g_input = np.zeros(input.shape, input.dtype)
        if input.size and grad_output.size:
            function = _forward if transposed else _input_gradient
            _by_groups(function, grad_output, weight, g_input, geometry, groups, True, True)
    if output_mask[1]:
        g_weight = np.zeros(weight.shape, weight.dtype)
        if input.size and grad_output.size:
            _by_groups(_weight_gradient, smaller, larger, g_weight, geometry, groups, True, False)
    if output_mask[2]:
        g_bias = (
            sum_over(grad_output, (0, *range(2, n + 2)))
            if input.size
            else np.zeros(tuple(bias_sizes), grad_output.dtype)
        )
    return g_input, g_weight, g_bias
