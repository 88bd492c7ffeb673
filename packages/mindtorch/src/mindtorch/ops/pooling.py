"""Max and average pooling.

A window is walked element by element: each of its places is one strided view of the whole input,
so the work is a few passes of numpy whatever the number of windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.dims import laid_out, scalar_name
from mindtorch.ops.meta import BOOL, COMPLEX, INTEGRAL, UNSIGNED, refuse
from mindtorch.ops.row import Out, op
from mindtorch_storage import layout
from mindtorch_storage.dtype import int64

__all__: list[str] = []


def _two(name: str, what: str, values: Sequence[int], omitted: bool = False) -> tuple[int, int]:
    if len(values) == 1:
        return values[0], values[0]
    if len(values) == 2:
        return values[0], values[1]
    either = "must either be omitted," if omitted else "must either be"
    if what == "dilation":
        either = "must be either"
    raise RuntimeError(f"{name}: {what} {either} a single int, or a tuple of two ints")


def _out_size(size: int, kernel: int, stride: int, pad: int, dilation: int, ceil: bool) -> int:
    """torch aten/src/ATen/native/Pool.h, pooling_output_shape."""
    room = size + 2 * pad - dilation * (kernel - 1) - 1 + (stride - 1 if ceil else 0)
    out = room // stride + 1
    if ceil and (out - 1) * stride >= size + pad:
        out -= 1  # the last window must begin inside the input or its left padding
    return out


class _Pool:
    """The checked sizes of one pooling."""

    __slots__ = ("dilation", "kernel", "out", "padding", "stride")

    def __init__(
        self, shape: Sequence[int], kernel: Any, stride: Any, padding: Any, dilation: Any,
        ceil_mode: bool, name: str,
    ) -> None:  # fmt: skip
        self.kernel = k = _two(name, "kernel_size", kernel)
        self.stride = t = k if not len(stride) else _two(name, "stride", stride, True)
        self.padding = p = _two(name, "padding", padding)
        self.dilation = d = _two(name, "dilation", dilation)
        if 0 in t:
            raise RuntimeError("stride should not be zero")
        for one, kernel_size, dil in zip(p, k, d, strict=True):
            if one < 0:
                raise RuntimeError(f"pad must be non-negative, but got pad: {one}")
            if dil > 0 and one > ((kernel_size - 1) * dil + 1) // 2:
                raise RuntimeError(
                    "pad should be at most half of effective kernel size, but got "
                    f"pad={one}, kernel_size={kernel_size} and dilation={dil}"
                )
        if min(k) <= 0:
            raise RuntimeError(
                f"kernel size should be greater than zero, but got kH: {k[0]} kW: {k[1]}"
            )
        if min(t) <= 0:
            raise RuntimeError(f"stride should be greater than zero, but got dH: {t[0]} dW: {t[1]}")
        if min(d) <= 0:
            raise RuntimeError(
                f"dilation should be greater than zero, but got dilationH: {d[0]} dilationW: {d[1]}"
            )
        self.out = tuple(
            _out_size(s, *v, ceil_mode) for s, *v in zip(shape[-2:], k, t, p, d, strict=True)
        )

    def tiles(self, height: int, width: int) -> bool:
        """Whether the windows lie side by side and cover the input exactly."""
        (kh, kw), (oh, ow) = self.kernel, self.out
        return (
            self.stride == self.kernel
            and self.padding == (0, 0)
            and (self.dilation == (1, 1))
            and (oh * kh, ow * kw) == (height, width)
        )

    def check_input(self, shape: Sequence[int], name: str) -> None:
        if len(shape) not in (3, 4) or 0 in shape[-3:] or (len(shape) == 3 and 0 in shape):
            raise RuntimeError(
                "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, "
                f"but got:{list(shape)}"
            )
        if min(self.out) < 1:
            c, h, w = shape[-3:]
            raise RuntimeError(
                f"Given input size: ({c}x{h}x{w}). Calculated output size: "
                f"({c}x{self.out[0]}x{self.out[1]}). Output size is too small"
            )

    def extra(self, shape: Sequence[int]) -> tuple[int, int]:
        """Rows and columns that the last windows reach past the padded input."""
        return tuple(  # type: ignore[return-value]
            max((o - 1) * t + d * (k - 1) + 1 - (s + 2 * p), 0)
            for s, o, k, t, p, d in zip(
                shape[-2:],
                self.out,
                self.kernel,
                self.stride,
                self.padding,
                self.dilation,
                strict=True,
            )
        )

    def windows(self) -> list[tuple[slice, slice]]:
        """For each place in the kernel: the padded input's elements that it meets."""
        (oh, ow), (sh, sw), (dh, dw) = self.out, self.stride, self.dilation
        return [
            (
                slice(i * dh, i * dh + (oh - 1) * sh + 1, sh),
                slice(j * dw, j * dw + (ow - 1) * sw + 1, sw),
            )
            for i, j in product(range(self.kernel[0]), range(self.kernel[1]))
        ]


def _with_border(a: Any, pool: _Pool, value: Any) -> Any:
    ph, pw = pool.padding
    eh, ew = pool.extra(a.shape)
    if not (ph or pw or eh or ew):
        return a
    h, w = a.shape[-2:]
    out = np.full((*a.shape[:-2], h + 2 * ph + eh, w + 2 * pw + ew), value, a.dtype)
    out[..., ph : ph + h, pw : pw + w] = a
    return out


def _like_input(shape: tuple[int, ...], self: Any) -> Any:
    """Strides of a pooled result: channels_last where the input suggests it."""
    if len(shape) == 4 and layout.is_channels_last(tuple(self.shape), tuple(self.stride())):
        return layout.channels_last_strides(shape)
    return None


def _in_layout_of(a: Any, like: Any) -> Any:
    if a.ndim == 4 and not like.flags.c_contiguous:
        strides = tuple([s // like.itemsize for s in like.strides])
        if layout.is_channels_last(like.shape, strides):
            return laid_out(a, layout.channels_last_strides(a.shape))
    return a if a.flags.c_contiguous else a.copy("C")


# -- max ----------------------------------------------------------------------------------------


def _max_meta(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Out, Out]:
    shape = tuple(self.shape)
    if len(shape) not in (3, 4):
        _two("max_pool2d", "kernel_size", kernel_size)
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    pool = _Pool(shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    pool.check_input(shape, "max_pool2d")
    refuse(self.dtype, {"max_pool2d": BOOL | COMPLEX | UNSIGNED}, self)
    out = (*shape[:-2], *pool.out)
    strides = _like_input(out, self)
    return Out(out, self.dtype, strides), Out(out, int64, strides)


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _max(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Any, Any]:
    pool = _Pool(self.shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    h, w = self.shape[-2:]
    (ph, pw), (sh, sw), (dh, dw) = pool.padding, pool.stride, pool.dilation
    if pool.tiles(h, w) and self.flags.c_contiguous:
        return _max_of_tiles(self, pool)
    padded = _with_border(self, pool, _lowest(self.dtype))
    oh, ow = pool.out
    rows, columns = np.arange(oh) * sh - ph, np.arange(ow) * sw - pw
    # Where nothing is larger than -inf, torch names the window's first element inside the input.
    first_row = rows + np.where(rows < 0, -(rows // dh) * dh, 0)
    first_column = columns + np.where(columns < 0, -(columns // dw) * dw, 0)
    start = first_row[:, None] * w + first_column
    windows = pool.windows()
    best = np.array(padded[(..., *windows[0])], order="C")
    inside = (rows >= 0)[:, None] & (columns >= 0)
    where = np.broadcast_to(
        np.where(inside, rows[:, None] * w + columns, start), best.shape
    ).astype(np.int64)
    floating = self.dtype.kind == "f"
    for i, window in enumerate(windows):
        if i == 0:
            continue
        value = padded[(..., *window)]
        larger = value > best
        if floating:
            larger |= np.isnan(value)
        np.copyto(best, value, where=larger)
        row, column = rows + (i // pool.kernel[1]) * dh, columns + (i % pool.kernel[1]) * dw
        np.copyto(where, row[:, None] * w + column, where=larger)
    return _in_layout_of(best, self), _in_layout_of(where, self)


def _max_of_tiles(self: Any, pool: _Pool) -> tuple[Any, Any]:
    """The same where windows lie side by side: first over the columns of each, then its rows.

    Each step works on one long strided row instead of many short ones.
    """
    (kh, kw), (oh, ow), width = pool.kernel, pool.out, self.shape[-1]
    flat = self.reshape(-1)
    best, column = _winner([flat[j::kw] for j in range(kw)])
    tall, tall_column = best.reshape(-1, kh, ow), column.reshape(-1, kh, ow)
    best, row = _winner([tall[:, i] for i in range(kh)])
    where = tall_column[:, 0].astype(np.int64)
    for i in range(1, kh):
        np.copyto(where, tall_column[:, i], where=row == i)
    row *= width
    where += row
    shape = (*self.shape[:-2], oh, ow)
    corner = np.arange(0, oh * kh * width, kh * width)[:, None] + np.arange(0, ow * kw, kw)
    where = where.reshape(shape)
    where += corner
    return best.reshape(shape), where


def _winner(values: list[Any]) -> tuple[Any, Any]:
    """Element by element the largest of *values* and its number: the first, or the last nan."""
    best = values[0].copy()
    number = np.zeros(best.shape, np.int64)
    for i, value in enumerate(values[1:], 1):
        larger = value > best
        if best.dtype.kind == "f":
            larger |= value != value
        np.copyto(best, value, where=larger)
        if i == 1:
            number += larger
        else:
            np.copyto(number, i, where=larger)
    return best, number


def _max_grad(g: Any, c: Any) -> Any:
    return ops.max_pool2d_with_indices_backward(
        g[0], c.self, c.kernel_size, c.stride, c.padding, c.dilation, c.ceil_mode, c.result1
    )


op(
    "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], "
    "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    meta=_max_meta,
    kernel=_max,
    module="nn",
    variants="function",
    out=True,
    grad={"self": _max_grad},
    samples="max_pool2d",
)


def _max_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
    ceil_mode: bool, indices: Any,
) -> Any:  # fmt: skip
    shape = self.shape
    planes = int(np.prod(shape[:-2]))
    area = shape[-2] * shape[-1]
    places = indices.reshape(planes, -1) + (np.arange(planes) * area)[:, None]
    pool = _Pool(shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    if all(
        t >= (k - 1) * d + 1
        for t, k, d in zip(pool.stride, pool.kernel, pool.dilation, strict=True)
    ):
        out = np.zeros(planes * area, grad_output.dtype)
        out[places.reshape(-1)] = grad_output.reshape(-1)  # windows apart: no place twice
    else:
        weights = grad_output.reshape(-1)
        out = np.bincount(places.reshape(-1), weights, planes * area).astype(grad_output.dtype)
    return _in_layout_of(out.reshape(shape), self)


def _max_backward_meta(grad_output: Any, self: Any, *rest: Any) -> Out:
    shape = tuple(self.shape)
    return Out(shape, self.dtype, _like_input(shape, self))


def _at_indices(g: Any, indices: Any) -> Any:
    n = g.dim()
    return g.flatten(n - 2).gather(n - 2, indices.flatten(n - 2)).view_as(indices)


op(
    "max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
    "int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    meta=_max_backward_meta,
    kernel=_max_backward,
    variants="",
    out="grad_input",
    grad={
        "grad_output": lambda g, c: _at_indices(g, c.indices),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
)


def _max_pool2d(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    return ops.max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


op(
    "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
    "int[2] dilation=1, bool ceil_mode=False) -> Tensor",
    composite=_max_pool2d,
    variants="function",
    samples="max_pool2d",
)


def _max_pool1d(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    if self.dim() not in (2, 3):
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(self.shape)}"
        )
    size = _out_size(
        self.shape[-1], kernel_size[0], (stride or kernel_size)[0], padding[0], dilation[0],
        ceil_mode,
    )  # fmt: skip
    if size < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {size}")
    if not self.is_floating_point():
        raise NotImplementedError(
            f"\"max_pool1d_impl\" not implemented for '{scalar_name(self.dtype)}'"
        )
    out = ops.max_pool2d_with_indices(
        self.unsqueeze(-2), (1, kernel_size[0]), (1, (stride or kernel_size)[0]),
        (0, padding[0]), (1, dilation[0]), ceil_mode,
    )[0]  # fmt: skip
    return out.squeeze(-2)


op(
    "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
    "int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
    composite=_max_pool1d,
    variants="function",
    samples="max_pool1d",
)


# -- average ------------------------------------------------------------------------------------


def _avg_meta(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Out:  # fmt: skip
    shape = tuple(self.shape)
    if len(shape) < 3:
        n = max(len(shape), 1)
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got -3)"
        )
    pool = _Pool(shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    pool.check_input(shape, "avg_pool2d")
    # Of the integers, torch has this kernel for int64 alone.
    refuse(self.dtype, {"avg_pool2d": BOOL | COMPLEX | INTEGRAL - {"int64"}}, self)
    out = (*shape[:-2], *pool.out)
    return Out(out, self.dtype, _like_input(out, self))


def _divisor(pool: _Pool, shape: Sequence[int], include: bool, override: int | None) -> Any:
    """What each window's sum is divided by: a number, or a plane of numbers."""
    if override is not None:
        return override
    counts = []
    for s, o, k, t, p in zip(
        shape[-2:], pool.out, pool.kernel, pool.stride, pool.padding, strict=True
    ):
        start = np.arange(o) * t - p
        end = np.minimum(start + k, s + p)
        counts.append(end - start if include else np.minimum(end, s) - np.maximum(start, 0))
    return counts[0][:, None] * counts[1]


def _avg(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    pool = _Pool(self.shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    padded = _with_border(self, pool, 0)
    total = np.zeros((*self.shape[:-2], *pool.out), self.dtype)
    for window in pool.windows():
        total += padded[(..., *window)]
    by = _divisor(pool, self.shape, count_include_pad, divisor_override)
    if self.dtype.kind in "iu":
        total = (np.sign(total) * (np.abs(total) // by)).astype(self.dtype)
    else:
        total /= np.asarray(by, self.dtype)
    return _in_layout_of(total, self)


op(
    "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
    "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    meta=_avg_meta,
    kernel=_avg,
    module="nn",
    variants="function",
    out=True,
    grad={
        "self": lambda g, c: ops.avg_pool2d_backward(
            g,
            c.self,
            c.kernel_size,
            c.stride,
            c.padding,
            c.ceil_mode,
            c.count_include_pad,
            c.divisor_override,
        )
    },
    samples="avg_pool2d",
)


def _avg_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    shape = self.shape
    pool = _Pool(shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    by = _divisor(pool, shape, count_include_pad, divisor_override)
    each = grad_output / np.asarray(by, grad_output.dtype)
    (ph, pw), (eh, ew) = pool.padding, pool.extra(shape)
    h, w = shape[-2:]
    padded = np.zeros((*shape[:-2], h + 2 * ph + eh, w + 2 * pw + ew), grad_output.dtype)
    for window in pool.windows():
        padded[(..., *window)] += each
    return _in_layout_of(padded[..., ph : ph + h, pw : pw + w].copy("C"), self)


op(
    "avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, "
    "int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
    meta=_max_backward_meta,
    kernel=_avg_backward,
    variants="",
    out="grad_input",
    grad={
        "grad_output": lambda g, c: ops.avg_pool2d(
            g,
            c.kernel_size,
            c.stride,
            c.padding,
            c.ceil_mode,
            c.count_include_pad,
            c.divisor_override,
        ),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
)


def _expect_dims(name: str, self: Any) -> None:
    if self.dim() not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {self.dim()}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )


def _avg_pool1d(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool,
) -> Any:  # fmt: skip
    _expect_dims("avg_pool1d", self)
    out = ops.avg_pool2d(
        self.unsqueeze(-2), (1, kernel_size[0]), (1, (stride or kernel_size)[0]),
        (0, padding[0]), ceil_mode, count_include_pad,
    )  # fmt: skip
    return out.squeeze(-2)


op(
    "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
    "bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
    composite=_avg_pool1d,
    variants="function",
    samples="avg_pool1d",
)


# -- average to a given size --------------------------------------------------------------------


def _adaptive_meta(self: Any, output_size: Sequence[int]) -> Out:
    shape = tuple(self.shape)
    if len(output_size) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    if len(shape) not in (3, 4):
        raise RuntimeError(
            f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(shape)}"
        )
    for i in (-2, -1):
        if shape[i] == 0:
            raise RuntimeError(
                "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch "
                f"dimensions, but input has sizes {list(shape)} with dimension "
                f"{len(shape) + i} being empty"
            )
    refuse(self.dtype, {"adaptive_avg_pool2d": INTEGRAL | BOOL | COMPLEX}, self)
    out = (*shape[:-2], *output_size)
    return Out(out, self.dtype, _like_input(out, self))


def _bins(size: int, count: int) -> list[slice]:
    return [slice(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _adaptive(self: Any, output_size: Sequence[int]) -> Any:
    h, w = self.shape[-2:]
    out = np.empty((*self.shape[:-2], *output_size), self.dtype)
    for i, rows in enumerate(_bins(h, output_size[0])):
        for j, columns in enumerate(_bins(w, output_size[1])):
            out[..., i, j] = self[..., rows, columns].mean((-2, -1))
    return _in_layout_of(out, self)


def _adaptive_backward(grad_output: Any, self: Any) -> Any:
    h, w = self.shape[-2:]
    out = np.zeros(self.shape, grad_output.dtype)
    for i, rows in enumerate(_bins(h, grad_output.shape[-2])):
        for j, columns in enumerate(_bins(w, grad_output.shape[-1])):
            area = (rows.stop - rows.start) * (columns.stop - columns.start)
            out[..., rows, columns] += (grad_output[..., i, j] / area)[..., None, None]
    return _in_layout_of(out, self)


op(
    "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    meta=_adaptive_meta,
    kernel=_adaptive,
    variants="function",
    grad={"self": lambda g, c: ops._adaptive_avg_pool2d_backward(g, c.self)},
    samples="adaptive_avg_pool2d",
)
op(
    "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor",
    meta=_max_backward_meta,
    kernel=_adaptive_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: ops._adaptive_avg_pool2d(
            g, (c.grad_output.shape[-2], c.grad_output.shape[-1])
        ),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
)


def _adaptive_function(self: Any, output_size: Sequence[int]) -> Any:
    if len(output_size) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    if min(output_size) < 0:
        raise RuntimeError(
            "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but "
            f"received {{{output_size[0]}, {output_size[1]}}}"
        )
    if tuple(output_size) == (1, 1):
        return self.mean((-1, -2), True)
    return ops._adaptive_avg_pool2d(self, output_size)


def _adaptive_1d(self: Any, output_size: Sequence[int]) -> Any:
    _expect_dims("adaptive_avg_pool1d", self)
    return ops.adaptive_avg_pool2d(self.unsqueeze(-2), (1, output_size[0])).squeeze(-2)


op(
    "adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    composite=_adaptive_function,
    module="nn",
    variants="function",
    out=True,
    samples="adaptive_avg_pool2d",
)
op(
    "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
    composite=_adaptive_1d,
    variants="function",
    samples="adaptive_avg_pool1d",
)
