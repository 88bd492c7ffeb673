"""Max pooling.

A window is walked column by column, then row by row. Where there are NaN or negative zeros it is
walked element by element: each of its places is one strided view of the whole input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from mindtorch_autograd import is_grad_enabled
from mindtorch_storage.dtype import int64

from mindtorch.aten.pooling_window import (
    Pool,
    added_at,
    expect_places,
    gradient_meta,
    in_layout_of,
    largest_at,
    like_input,
    out_size,
    refuse_pooled_gradient,
    steps,
    two_ints,
    with_border,
)
from mindtorch.aten.reflected import watched
from mindtorch.aten.row_maxima import RowMaxima
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core import signature as S
from mindtorch.core.dims import scalar_name
from mindtorch.core.operators import ops

__all__: list[str] = []


def _max_meta(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Out, Out]:
    shape = tuple(self.shape)
    if len(shape) not in (3, 4):
        two_ints("max_pool2d", "kernel_size", kernel_size)
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    pool = Pool(shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    pool.check_input(shape, "max_pool2d")
    refuse(self.dtype, {"max_pool2d": BOOL | COMPLEX | UNSIGNED}, self)
    out = (*shape[:-2], *pool.out)
    strides = like_input(out, self)
    return Out(out, self.dtype, strides), Out(out, int64, strides)


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _max(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Any, Any]:
    pool = Pool(self.shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    w = self.shape[-1]
    (ph, pw), (sh, sw), (dh, dw) = pool.padding, pool.stride, pool.dilation
    padded = with_border(self, pool, _lowest(self.dtype))
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
    return in_layout_of(best, self), in_layout_of(where, self)


def _prepare_max(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    pool = Pool(self.shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    size = self.shape[-2:]
    rows, lowest = cache(lambda: RowMaxima(pool, *size)), _lowest(self.dtype)

    def of_many(self: Any, *rest: Any) -> tuple[Any, Any]:
        found = rows().find(self, lowest)
        if found is None:
            return _max(self, *rest)
        best, where = found
        return in_layout_of(best, self), in_layout_of(where, self)

    return largest_at(self, steps(pool, size), of_many)


def _max_grad(g: Any, c: Any) -> Any:
    return ops.max_pool2d_with_indices_backward(
        g[0], c.self, c.kernel_size, c.stride, c.padding, c.dilation, c.ceil_mode, c.result1
    )


op(
    "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], "
    "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    says="Return the maxima of sliding windows over 2 dimensions and their indices.",
    meta=_max_meta,
    prepare=_prepare_max,
    module="nn",
    variants="function",
    out=OutForm(names=("out", "indices")),
    grad={"self": _max_grad},
    samples="max_pool2d",
    batch=("folded",),
)


def _max_backward_meta(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
    ceil_mode: bool, indices: Any,
) -> Out:  # fmt: skip
    pool = Pool(self.shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    expect_places(grad_output, self, pool.out)
    expect_places(indices, self, pool.out)
    return gradient_meta(grad_output, self)


def _prepare_max_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
    ceil_mode: bool, indices: Any,
) -> Any:  # fmt: skip
    pool = Pool(self.shape, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    apart = all(
        t >= (k - 1) * d + 1
        for t, k, d in zip(pool.stride, pool.kernel, pool.dilation, strict=True)
    )
    return added_at(grad_output, self, 2, apart)


def _at_indices(g: Any, indices: Any) -> Any:
    n = g.dim()
    return g.flatten(n - 2).gather(n - 2, indices.flatten(n - 2)).view_as(indices)


op(
    "max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
    "int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    meta=_max_backward_meta,
    prepare=_prepare_max_backward,
    refuses=lambda grad_output, *_: refuse_pooled_gradient(grad_output, 2),
    variants="",
    out="grad_input",
    grad={
        "grad_output": lambda g, c: _at_indices(g, c.indices),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
    tags=("zero_tangents",),
)


def _max_pool2d(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    rest = kernel_size, stride, padding, dilation, ceil_mode
    if self.is_quantized:
        return ops.quantized_max_pool2d(self, *rest)
    return ops.max_pool2d_with_indices(self, *rest)[0]


op(
    "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
    "int[2] dilation=1, bool ceil_mode=False) -> Tensor",
    says="Return the maxima of sliding windows over 2 dimensions.",
    composite=_max_pool2d,
    variants="function",
    samples="max_pool2d",
)


def _check_one(
    kernel_size: Any, stride: Any, padding: Any, dilation: Any
) -> tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]:
    """Source: torch aten/src/ATen/native/MaxPooling.h, check_max_pool1d."""
    either = "must be an int, list of ints or tuple of ints of size 1"
    several = "an int, list of ints, or tuple of ints of size 1"
    for what, values, says in (
        ("kernel_size", kernel_size, either),
        ("stride", stride or (1,), f"must be None, {several}"),
        ("padding", padding, f"must be {several}"),
        ("dilation", dilation, either),
    ):
        if len(values) != 1:
            raise RuntimeError(f"max_pool1d() {what} {says} but got size {len(values)}")
    stride = stride or kernel_size
    for what, (value,) in (("kernel_size", kernel_size), ("stride", stride)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {what} must be greater than zero, but got {value}")
    if padding[0] < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {padding[0]}")
    if padding[0] > kernel_size[0] // 2:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={padding[0]} and kernel_size={kernel_size[0]}"
        )
    if dilation[0] <= 0:
        raise RuntimeError(
            f"max_pool1d() dilation must be greater than zero, but got {dilation[0]}"
        )
    return kernel_size, stride, padding, dilation


def _differentiated(self: Any) -> bool:
    """Whether torch computes indices, by its kernel of two dimensions."""
    return bool(self._sig_ & S.DUAL or (self.requires_grad and is_grad_enabled()))


def _max_pool1d(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    if self.is_quantized:
        return ops.quantized_max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode)
    if self.dim() not in (2, 3) or not self.shape[-1] or not self.shape[-2]:
        raise _unexpected(self)
    (k,), (t,), (p,), (d,) = _check_one(kernel_size, stride, padding, dilation)
    size = out_size(self.shape[-1], k, t, p, d, ceil_mode)
    if size < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {size}")
    if not self.is_floating_point() and not _differentiated(self):
        raise NotImplementedError(
            f"\"max_pool1d_impl\" not implemented for '{scalar_name(self.dtype)}'"
        )
    if _differentiated(self) or watched(self):
        return _with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
    wide = (k - 1) * d + 1
    beyond = max((size - 1) * t + wide - self.shape[-1] - 2 * p, 0)
    if p or beyond:
        self = ops.constant_pad_nd(self, (p, p + beyond), -math.inf)
    windows = self.contiguous().unfold(-1, wide, t)
    return (windows if d == 1 else ops.slice(windows, -1, 0, None, d)).amax(-1)


def _unexpected(self: Any) -> RuntimeError:
    """torch aten/src/ATen/native/MaxPooling.cpp, max_pool1d."""
    return RuntimeError(
        "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
        f"input, but got:{list(self.shape)}"
    )


def _with_indices(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Any, Any]:
    """Source: torch aten/src/ATen/native/Pool.h, AdaptiveAveragePooling.cpp."""
    if self.dim() not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {self.dim()}-dimensional tensor for argument #1 "
            "'self' (while checking arguments for max_pool1d)"
        )
    for what, values in (
        ("kernel_size", kernel_size),
        ("stride", stride or (0,)),
        ("padding", padding),
        ("dilation", dilation),
    ):
        if len(values) != 1:
            raise RuntimeError(
                f"max_pool1d() argument '{what}' should contain one int (got {len(values)})"
            )
    out, indices = ops.max_pool2d_with_indices(
        self.unsqueeze(-2),
        (1, kernel_size[0]),
        (1, (stride or kernel_size)[0]),
        (0, padding[0]),
        (1, dilation[0]),
        ceil_mode,
    )
    return out.squeeze(-2), indices.squeeze(-2)


op(
    "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
    "int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
    says="Return the maxima of sliding windows over 1 dimension.",
    composite=_max_pool1d,
    variants="function",
    samples="max_pool1d",
)
op(
    "max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], "
    "int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)",
    says="Return the maxima of sliding windows over 1 dimension and their indices.",
    composite=_with_indices,
    variants="function",
    samples="max_pool1d",
)
