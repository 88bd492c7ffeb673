"""Convolutions of one to three spatial dims, their transposes and gradients.

Each is products of matrices: of the weight, and of what its windows meet
(``convolution_windows``). Groups of channels are a dim of the products. Few numbers are looked up
at once (``convolution_gather``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from mindtorch.aten.convolution_gather import columns_of, correlated, is_few, scattered
from mindtorch.aten.convolution_windows import Windows, windows_back
from mindtorch.aten.summation import sums

from ..call.convolution_check import expanded

__all__ = ["out_shape", "prepare_backward", "prepare_convolution"]

Array = np.ndarray[Any, Any]


def _correlate(x: Array, weight: Array, out: Array, windows: Windows, groups: int) -> None:
    """The sums over the windows of images *x*, by a weight ``(out, channels of a group, …)``."""
    n, channels = x.shape[:2]
    outs = weight.shape[0]
    matrix = weight.reshape(groups, outs // groups, -1)
    if windows.are_the_images(x.shape[2:]):
        images = x.reshape(n, groups, channels // groups, -1)
        np.matmul(matrix, images, out.reshape(n, groups, outs // groups, -1))
        return
    rows, itemsize = channels * windows.count, x.itemsize
    room = np.empty((channels, windows.count, windows.widest(rows, itemsize)), x.dtype)
    for some in windows.some_images(n, channels, itemsize):
        padded, n = windows.pad(x[some]), some.stop - some.start
        result = np.empty((groups, outs // groups, n * windows.span), x.dtype)
        for tile in windows.tiles(n, rows, itemsize):
            columns = windows.columns(padded, tile, room)
            columns = columns.reshape(groups, rows // groups, -1)
            np.matmul(matrix, columns, result[:, :, tile])
        windows.store(result, out[some])


def _spread(g: Array, weight: Array, out: Array, windows: Windows, groups: int) -> None:
    """The transpose of :func:`_correlate`: each of *g* by the weight, added over its window."""
    n, channels = out.shape[:2]
    matrix = weight.reshape(groups, weight.shape[0] // groups, -1).swapaxes(1, 2)
    rows, itemsize = channels * windows.count, g.itemsize
    room = np.empty((groups, rows // groups, windows.widest(rows, itemsize)), g.dtype)
    for some in windows.some_images(n, channels, itemsize):
        n = some.stop - some.start
        laid = windows.lay(g[some]).reshape(groups, weight.shape[0] // groups, -1)
        padded = np.zeros((channels, n, *windows.padded), g.dtype)
        for tile in windows.tiles(n, rows, itemsize):
            columns = room[:, :, : tile.stop - tile.start]
            np.matmul(matrix, laid[:, :, tile], columns)
            windows.spread(columns.reshape(channels, windows.count, -1), padded, tile)
        windows.cut(padded, out[some])


def _weight_gradient(g: Array, x: Array, out: Array, windows: Windows, groups: int) -> None:
    """The sums, over all windows, of each of *g* and what its window meets in *x*."""
    n, channels = x.shape[:2]
    rows, itemsize = channels * windows.count, x.itemsize
    room = np.empty((channels, windows.count, windows.widest(rows, itemsize)), x.dtype)
    total = np.zeros((groups, out.shape[0] // groups, rows // groups), g.dtype)
    for some in windows.some_images(n, channels, itemsize):
        padded = windows.pad(x[some])
        laid = windows.lay(g[some]).reshape(groups, out.shape[0] // groups, -1)
        for tile in windows.tiles(some.stop - some.start, rows, itemsize):
            columns = windows.columns(padded, tile, room)
            columns = columns.reshape(groups, rows // groups, -1)
            total += np.matmul(laid[:, :, tile], columns.swapaxes(1, 2))
    out[...] = total.reshape(out.shape)


def _turned(weight: Array, groups: int) -> Array:
    """A weight ``(out, channels of a group, …)`` from the other side, its kernel turned round."""
    outs, channels, *kernel = weight.shape
    parts = weight.reshape(groups, outs // groups, channels, *kernel).swapaxes(1, 2)
    flipped = parts[(..., *[slice(None, None, -1)] * len(kernel))]
    # A copy: BLAS takes no memory that is read backwards.
    return np.ascontiguousarray(flipped).reshape(groups * channels, outs // groups, *kernel)


def _flow_back(
    size: Sequence[int], places: Sequence[int], weight: Sequence[int], stride: Sequence[int],
    padding: Sequence[int], dilation: Sequence[int], groups: int,
) -> Callable[[Array, Array, Array], None]:  # fmt: skip
    """What spreads a number per window over images of this *size*: ``(g, weight, out)``.

    With a step of one that is a convolution itself, whose matrix has rows for the channels of *g*.
    Where the images have fewer, they are spread over.
    """
    kernel = weight[2:]
    if all(s == 1 for s in stride) and weight[0] <= weight[1] * groups:
        windows = windows_back(padding, kernel, dilation, size)

        def by_windows(g: Array, weight: Array, out: Array) -> None:
            _correlate(g, _turned(weight, groups), out, windows, groups)

        return by_windows
    spread = Windows(padding, kernel, stride, dilation, places)
    return lambda g, weight, out: _spread(g, weight, out, spread, groups)


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
        if transposed:
            write = _flow_back(places, size, weight.shape, stride, padding, dilation, groups)
        else:
            windows = Windows(padding, kernel, stride, dilation, places)

            def write(input: Any, weight: Any, out: Any) -> None:
                _correlate(input, weight, out, windows, groups)

        def convolve(input: Any, weight: Any) -> Any:
            out = np.empty(shape, dtype)
            write(input, weight, out)
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
    """The same by tiles of columns."""
    size, places, kernel = larger.shape[2:], smaller.shape[2:], weight.shape[2:]
    windows = Windows(padding, kernel, stride, dilation, places)
    back = _flow_back(size, places, weight.shape, stride, padding, dilation, groups)
    sizes, dtype = weight.shape, weight.dtype
    shape = (smaller if transposed else larger).shape

    def by_images(grad_output: Any, weight: Any) -> Any:
        out = np.empty(shape, dtype)
        if transposed:
            _correlate(grad_output, weight, out, windows, groups)
        else:
            back(grad_output, weight, out)
        return out

    def by_weight(grad_output: Any, input: Any) -> Any:
        big, small = (grad_output, input) if transposed else (input, grad_output)
        out = np.empty(sizes, dtype)
        _weight_gradient(small, big, out, windows, groups)
        return out

    return by_images, by_weight
