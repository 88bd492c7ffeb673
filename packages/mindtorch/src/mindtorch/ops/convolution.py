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
from mindtorch.errors import c_type_name
from mindtorch.ops.call import conj, ops
from mindtorch.ops.dims import scalar_name
from mindtorch.ops.meta import BOOL, UNSIGNED, refuse
from mindtorch.ops.row import Out, op
from mindtorch.ops.summation import sum_over

__all__: list[str] = []

#: Bytes of the im2col matrix (or of a product, where there is none) of one group of images.
_GROUP_BYTES = 1 << 20
#: From this many channels on, products of shifted views are as efficient as one large product.
_MANY_CHANNELS = 16


# -- kernels: everything below is without groups, sizes as tuples over the spatial dims ---------


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
        padding: Sequence[int], dilation: Sequence[int],
    ) -> None:  # fmt: skip
        self.n = n
        self.kernel, self.stride, self.padding, self.dilation = kernel, stride, padding, dilation
        self.padded = [s + 2 * p for s, p in zip(size, padding, strict=True)]
        self.out = [
            (s - d * (k - 1) - 1) // t + 1
            for s, k, t, d in zip(self.padded, kernel, stride, dilation, strict=True)
        ]
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
        to[:, :, k] = total.swapaxes(0, 1)  # type: ignore[union-attr]


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


def _expanded(values: Sequence[int], n: int) -> tuple[int, ...]:
    return tuple(values) * n if len(values) == 1 else tuple(values)


def _convolution(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Any:  # fmt: skip
    n = weight.ndim - 2
    stride, padding, dilation, more = (
        _expanded(v, n) for v in (stride, padding, dilation, output_padding)
    )
    shape = _out_shape(
        input.shape, weight.shape, stride, padding, dilation, transposed, more, groups
    )
    out = np.empty(shape, input.dtype)
    if not out.size:
        return out
    kernel = weight.shape[2:]
    if transposed:
        geometry = _Geometry(shape[0], shape[2:], kernel, stride, padding, dilation)
        _by_groups(_input_gradient, input, weight, out, geometry, groups, True, True)
    else:
        geometry = _Geometry(shape[0], input.shape[2:], kernel, stride, padding, dilation)
        if groups > 1 and weight.shape[1] == 1 and groups == input.shape[1]:
            _depthwise(input, weight, out, geometry)
        else:
            _by_groups(_forward, input, weight, out, geometry, groups, True, True)
    if bias is not None:
        out += bias.reshape((-1,) + (1,) * n)
    return out


def _out_shape(
    shape: Sequence[int], weight: Sequence[int], stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> tuple[int, ...]:  # fmt: skip
    sizes = zip(shape[2:], weight[2:], stride, padding, dilation, output_padding, strict=True)
    if transposed:
        spatial = [(s - 1) * t - 2 * p + d * (k - 1) + o + 1 for s, k, t, p, d, o in sizes]
        return (shape[0], weight[1] * groups, *spatial)
    return (
        shape[0],
        weight[0],
        *[(s + 2 * p - d * (k - 1) - 1) // t + 1 for s, k, t, p, d, o in sizes],
    )


# -- what is refused ----------------------------------------------------------------------------


def _check_list(name: str, values: Sequence[int], n: int) -> None:
    if len(values) != 1 and len(values) != n:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {n} values to match the "
            f"convolution dimensions, but got {name}={list(values)}"
        )


def _check(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> None:  # fmt: skip
    shape, kernel = list(input.shape), list(weight.shape)
    n = len(kernel) - 2
    if n <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    for name, values in (
        ("stride", stride), ("padding", padding), ("dilation", dilation),
        ("output_padding", output_padding),
    ):  # fmt: skip
        _check_list(name, values, n)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if any(p < 0 for p in padding):
        raise RuntimeError("negative padding is not supported")
    if any(p < 0 for p in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(s <= 0 for s in stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(d <= 0 for d in dilation):
        raise RuntimeError("dilation should be greater than zero")
    if len(shape) != len(kernel):
        raise RuntimeError(
            f"Expected {len(kernel)}-dimensional input for {len(kernel)}-dimensional weight "
            f"{kernel}, but got {len(shape)}-dimensional input of size {shape} instead"
        )
    if kernel[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, "
            f"but got weight of size {kernel} instead"
        )
    if kernel[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension "
            f"0, but got weight of size {kernel} instead"
        )
    if transposed:
        if shape[1] != kernel[0]:
            raise RuntimeError(
                f"Given transposed={int(transposed)}, weight of size {kernel}, expected "
                f"input{shape} to have {kernel[0]} channels, but got {shape[1]} channels instead"
            )
        _check_bias(kernel, bias, kernel[1] * groups, f"Given transposed={int(transposed)}, ")
        return
    if shape[1] != kernel[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {kernel}, expected input{shape} to have "
            f"{kernel[1] * groups} channels, but got {shape[1]} channels instead"
        )
    _check_bias(kernel, bias, kernel[0], "Given ")
    pads, dils = _expanded(padding, n), _expanded(dilation, n)
    have = [s + 2 * p for s, p in zip(shape[2:], pads, strict=True)]
    need = [d * (k - 1) + 1 for k, d in zip(kernel[2:], dils, strict=True)]
    if any(h < k for h, k in zip(have, need, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, have))}). "
            f"Kernel size: ({' x '.join(map(str, need))}). "
            "Kernel size can't be greater than actual input size"
        )


def _check_bias(kernel: list[int], bias: Any, size: int, given: str) -> None:
    if bias is not None and (len(bias.shape) != 1 or bias.shape[0] != size):
        raise RuntimeError(
            f"{given}weight of size {kernel}, expected bias to be 1-dimensional with {size} "
            f"elements, but got bias of size {list(bias.shape)} instead"
        )


def _type_name(x: Any) -> str:
    name = scalar_name(x.dtype)
    if name in ("BFloat16", "Half"):
        return f"CPU{name}Type"
    return f"torch.{name}Tensor"


def _meta(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Out:  # fmt: skip
    _check(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    if input.dtype is not weight.dtype:
        if input.dtype.is_floating_point:
            raise RuntimeError(
                f"Input type ({_type_name(input)}) and weight type ({_type_name(weight)}) "
                "should be the same or input should be a MKLDNN tensor and weight is a dense "
                "tensor"
            )
        raise RuntimeError(
            f"expected scalar type {scalar_name(input.dtype)} but found {scalar_name(weight.dtype)}"
        )
    if bias is not None and bias.dtype is not input.dtype:
        raise RuntimeError(
            f"Input type ({c_type_name(input.dtype)}) and bias type "
            f"({c_type_name(bias.dtype)}) should be the same"
        )
    refuse(input.dtype, {"slow_conv2d_cpu": BOOL | UNSIGNED}, input)
    n = len(weight.shape) - 2
    lists = (_expanded(v, n) for v in (stride, padding, dilation))
    shape = _out_shape(
        input.shape, weight.shape, *lists, transposed, _expanded(output_padding, n), groups
    )
    if transposed and any(s <= 0 for s in shape[2:]):
        raise RuntimeError(
            f"Given input size per channel: ({' x '.join(map(str, input.shape[2:]))}). "
            f"Calculated output size per channel: ({' x '.join(map(str, shape[2:]))}). "
            "Output size is too small"
        )
    if 0 in input.shape[1:2]:
        shape = (shape[0], 0, *shape[2:])
    return Out(shape, input.dtype)


def _grad(g: Any, c: Any) -> Any:
    return ops.convolution_backward(
        g, conj(c.input), conj(c.weight), (c.weight.shape[1] * c.groups if c.transposed else
                               c.weight.shape[0],),
        c.stride, c.padding, c.dilation, c.transposed, c.output_padding, c.groups, c.mask,
    )  # fmt: skip


op(
    "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    meta=_meta,
    kernel=_convolution,
    variants="function",
    grad={"input, weight, bias": _grad},
    samples="convolution",
)


# -- gradients ----------------------------------------------------------------------------------


def _backward_meta(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
    dilation: Any, transposed: bool, output_padding: Any, groups: int, output_mask: Any,
) -> tuple[Out, Out, Out]:  # fmt: skip
    dtype = grad_output.dtype
    channels = (grad_output.shape[1],)
    return (
        Out(tuple(input.shape) if output_mask[0] else (0,), dtype),
        Out(tuple(weight.shape) if output_mask[1] else (0,), dtype),
        Out(channels if output_mask[2] else (0,), dtype),
    )


def _backward(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
    dilation: Any, transposed: bool, output_padding: Any, groups: int, output_mask: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    n = weight.ndim - 2
    stride, padding, dilation = (_expanded(v, n) for v in (stride, padding, dilation))
    none = np.empty(0, input.dtype)
    g_input, g_weight, g_bias = none, none.copy(), none.copy()
    images = grad_output.shape[0]
    # A transposed convolution is the input's gradient of a plain one: input and result change
    # their parts.
    larger = grad_output if transposed else input
    smaller = input if transposed else grad_output
    geometry = _Geometry(images, larger.shape[2:], weight.shape[2:], stride, padding, dilation)
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
        g_bias = sum_over(grad_output, (0, *range(2, n + 2)))
    return g_input, g_weight, g_bias


def _twice(g: Any, c: Any) -> Any:
    """Gradient of the gradients: both are bilinear, so each part is a convolution again."""
    gg_input, gg_weight, gg_bias = g
    lists = (c.stride, c.padding, c.dilation, c.transposed, c.output_padding, c.groups)
    total = None
    if gg_input is not None:
        total = ops.convolution(gg_input, conj(c.weight), None, *lists)
    if gg_weight is not None:
        part = ops.convolution(conj(c.input), gg_weight, None, *lists)
        total = part if total is None else total + part
    if gg_bias is not None:
        n = c.weight.dim() - 2
        part = gg_bias.reshape((1, -1) + (1,) * n).expand(c.grad_output.shape)
        total = part if total is None else total + part
    g_input = g_weight = None
    if gg_weight is not None and c.mask[1]:
        g_input = ops.convolution_backward(
            conj(c.grad_output), c.input, gg_weight, None, *lists, (True, False, False)
        )[0]
    if gg_input is not None and c.mask[2]:
        g_weight = ops.convolution_backward(
            conj(c.grad_output), gg_input, c.weight, None, *lists, (False, True, False)
        )[1]
    return total, g_input, g_weight


op(
    "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, "
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
    "SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    meta=_backward_meta,
    kernel=_backward,
    variants="",
    grad={"grad_output, input, weight": _twice},
    samples="convolution_backward",
)


# -- the functions ------------------------------------------------------------------------------


def _batched(input: Any, n: int, name: str) -> tuple[Any, bool]:
    dims = input.dim()
    if dims not in (n + 1, n + 2):
        raise RuntimeError(
            f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {name}, "
            f"but got input of size: {list(input.shape)}"
        )
    return (input.unsqueeze(0), True) if dims == n + 1 else (input, False)


def _plain(n: int) -> Any:
    zeros = (0,) * n

    def composite(
        input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
    ) -> Any:
        if bias is not None and bias.dtype != input.dtype:
            raise RuntimeError(
                f"Input type ({_c_name(input)}) and bias type ({_c_name(bias)}) should be the same"
            )
        x, single = _batched(input, n, f"conv{n}d")
        out = ops.convolution(x, weight, bias, stride, padding, dilation, False, zeros, groups)
        return out.squeeze(0) if single else out

    return composite


def _c_name(t: Any) -> str:
    return c_type_name(t.dtype)


def _named(n: int) -> Any:
    zeros = (0,) * n

    def composite(
        input: Any, weight: Any, bias: Any, stride: Any, padding: str, dilation: Any, groups: int
    ) -> Any:
        x, single = _batched(input, n, f"conv{n}d")
        if padding == "valid":
            sides = zeros
        elif padding == "same":
            sides, x = _same(x, weight, stride, _expanded(dilation, n), n)
        else:
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        out = ops.convolution(x, weight, bias, stride, sides, dilation, False, zeros, groups)
        return out.squeeze(0) if single else out

    return composite


def _same(
    x: Any, weight: Any, stride: Any, dilation: Sequence[int], n: int
) -> tuple[tuple[int, ...], Any]:
    """Padding that keeps the size; what does not halve is added on the far side first."""
    if weight.dim() != n + 2:
        raise RuntimeError("weight should have at least three dimensions")
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for k, d in zip(weight.shape[2:], dilation, strict=True)]
    sides = tuple(t // 2 for t in totals)
    if any(t % 2 for t in totals):
        pad: list[int] = []
        for t in reversed(totals):
            pad += [0, t % 2]
        x = ops.constant_pad_nd(x, pad, 0)
    return sides, x


for _n in (1, 2, 3):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    _lists = f"SymInt[{_n}] dilation=[{_ones}], SymInt groups=1"
    op(
        f"conv{_n}d(Tensor input, Tensor weight, Tensor? bias=None, "
        f"SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}], {_lists}) -> Tensor",
        composite=_plain(_n),
        variants="function",
        samples=f"conv{_n}d",
    )
    op(
        f"conv{_n}d.padding(Tensor input, Tensor weight, Tensor? bias=None, "
        f'SymInt[{_n}] stride=[{_ones}], str padding="valid", {_lists}) -> Tensor',
        composite=_named(_n),
        variants="function",
        samples=f"conv{_n}d_padding",
    )


def _transposed(n: int) -> Any:
    def composite(
        input: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any,
        groups: int, dilation: Any,
    ) -> Any:  # fmt: skip
        x, single = _batched(input, n, f"conv_transpose{n}d")
        out = ops.convolution(
            x, weight, bias, stride, padding, dilation, True, output_padding, groups
        )
        return out.squeeze(0) if single else out

    return composite


for _n, _overload in ((1, ""), (2, ".input"), (3, ".input")):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    op(
        f"conv_transpose{_n}d{_overload}(Tensor input, Tensor weight, Tensor? bias=None, "
        f"SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}], "
        f"SymInt[{_n}] output_padding=[{_zeros}], SymInt groups=1, "
        f"SymInt[{_n}] dilation=[{_ones}]) -> Tensor",
        composite=_transposed(_n),
        variants="function",
        samples=f"conv_transpose{_n}d",
    )
