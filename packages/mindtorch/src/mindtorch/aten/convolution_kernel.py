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

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from mindtorch.aten.convolution_gather import columns_of, correlated, is_few, scattered
from mindtorch.aten.summation import sums

from ..call.convolution_check import expanded

__all__ = ["out_shape", "prepare_backward", "prepare_convolution"]

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


def prepare_convolution(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Callable[[Any, Any, Any], Any]:  # fmt: skip
    """What convolves arrays like *input* with a weight, and adds a bias where there is one."""
    n, dtype = weight.ndim - 2, input.dtype
    stride, padding, dilation, more = (
        expanded(v, n) for v in (stride, padding, dilation, output_padding)
    )
    shape = out_shape(
        input.shape, weight.shape, stride, padding, dilation, transposed, more, groups
    )
    if not prod(shape):
        return lambda *_: np.empty(shape, dtype)
    images, channels, *size = input.shape
    column, kernel, places = (-1,) + (1,) * n, weight.shape[2:], shape[2:]
    convolve: Callable[[Any, Any], Any]
    if is_few(images, channels, kernel, places):
        columns = columns_of(
            images, channels, groups, size, places, kernel, stride, padding, dilation,
            back=transposed,
        )  # fmt: skip
        product = (scattered if transposed else correlated)(weight, groups, images, places)

        def convolve(input: Any, weight: Any) -> Any:
            return product(columns(input), weight)

    else:
        around, inside = (places, size) if transposed else (size, places)
        geometry = _Geometry(images, around, kernel, stride, padding, dilation, inside)
        alone = groups > 1 and weight.shape[1] == 1 and groups == channels and not transposed
        function = _input_gradient if transposed else _forward

        def convolve(input: Any, weight: Any) -> Any:
            out = np.empty(shape, dtype)
            if alone:
                _depthwise(input, weight, out, geometry)
            else:
                _by_groups(function, input, weight, out, geometry, groups, True, True)
            return out

    def run(input: Any, weight: Any, bias: Any) -> Any:
        out = convolve(input, weight)
        if bias is not None:
            out += bias.reshape(column)
        return out

    return run


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


def prepare_backward(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
    dilation: Any, transposed: bool, output_padding: Any, groups: int, output_mask: Any,
) -> Callable[[Any, Any, Any], tuple[Any, Any, Any]]:  # fmt: skip
    """What finds the gradients that *output_mask* asks for; the others are None."""
    n, dtype = weight.ndim - 2, input.dtype
    stride, padding, dilation = (expanded(v, n) for v in (stride, padding, dilation))
    shape, sizes, kernel = input.shape, weight.shape, weight.shape[2:]
    some = input.size and grad_output.size
    # A transposed convolution is the input's gradient of a plain one: input and result change
    # their parts.
    larger, smaller = (grad_output, input) if transposed else (input, grad_output)
    wants_input, wants_weight, wants_bias = output_mask
    by_images = by_weight = None
    if some:
        facts = (larger, smaller, weight, stride, padding, dilation, groups)
        few = is_few(shape[0], larger.shape[1], kernel, smaller.shape[2:]) and is_few(
            shape[0], smaller.shape[1], kernel, larger.shape[2:]
        )
        by_images, by_weight = (_few_gradients if few else _many_gradients)(*facts, transposed)
    total = None
    if wants_bias and input.size:
        total = sums(grad_output, (0, *range(2, n + 2)), (grad_output.shape[1],))

    def run(grad_output: Any, input: Any, weight: Any) -> tuple[Any, Any, Any]:
        g_input = g_weight = g_bias = None
        if wants_input:
            g_input = by_images(grad_output, weight) if by_images else np.zeros(shape, dtype)
        if wants_weight:
            g_weight = by_weight(grad_output, input) if by_weight else np.zeros(sizes, dtype)
        if wants_bias:
            g_bias = total(grad_output) if total else np.zeros(tuple(bias_sizes), dtype)
        return g_input, g_weight, g_bias

    return run


def _few_gradients(
    larger: Any, smaller: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int,
    transposed: bool,
) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:  # fmt: skip
    """Those of the images and of the weight, of columns that are made at once."""
    images, kernel = larger.shape[0], weight.shape[2:]
    inside, around = smaller.shape[2:], larger.shape[2:]
    columns = columns_of(
        images, larger.shape[1], groups, around, inside, kernel, stride, padding, dilation
    )
    back = columns_of(
        images, smaller.shape[1], groups, inside, around, kernel, stride, padding, dilation,
        back=True,
    )  # fmt: skip
    if transposed:
        product, laid = correlated(weight, groups, images, inside), columns
    else:
        product, laid = scattered(weight, groups, images, around), back
    sizes, area = weight.shape, prod(inside)
    rows = (images, groups, smaller.shape[1] // groups, area)
    matmul, add, turned = np.matmul, np.add.reduce, transposed

    def by_images(grad_output: Any, weight: Any) -> Any:
        return product(laid(grad_output), weight)

    def by_weight(grad_output: Any, input: Any) -> Any:
        big, small = (grad_output, input) if turned else (input, grad_output)
        each = matmul(small.reshape(rows), columns(big).swapaxes(2, 3))
        return (each[0] if images == 1 else add(each, 0)).reshape(sizes)

    return by_images, by_weight


def _many_gradients(
    larger: Any, smaller: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int,
    transposed: bool,
) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:  # fmt: skip
    """The same by groups of images."""
    geometry = _Geometry(
        larger.shape[0], larger.shape[2:], weight.shape[2:], stride, padding, dilation,
        smaller.shape[2:],
    )  # fmt: skip
    sizes, dtype = weight.shape, weight.dtype
    shape = (smaller if transposed else larger).shape
    function = _forward if transposed else _input_gradient

    def by_images(grad_output: Any, weight: Any) -> Any:
        out = np.zeros(shape, dtype)
        _by_groups(function, grad_output, weight, out, geometry, groups, True, True)
        return out

    def by_weight(grad_output: Any, input: Any) -> Any:
        big, small = (grad_output, input) if transposed else (input, grad_output)
        out = np.zeros(sizes, dtype)
        _by_groups(_weight_gradient, small, big, out, geometry, groups, True, False)
        return out

    return by_images, by_weight
