"""Pooling of volumes: ``max_pool3d`` and ``avg_pool3d``.

A window is walked element by element: each of its places is one strided view of the whole input.

Source: torch aten/src/ATen/native/DilatedMaxPool3d.cpp, AveragePool3d.cpp, Pool.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import int64

from mindtorch.aten.adaptive_pooling import at_indices
from mindtorch.aten.avg_pooling import average_rows
from mindtorch.aten.pooling_window import (
    added_at,
    expect_places,
    largest_at,
    means_at,
    out_size,
    refuse_pooled_gradient,
    spread_at,
    steps,
)
from mindtorch.aten.reflected import zeros_of
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, UNSIGNED, refuse
from mindtorch.call.forms import SCALAR_TYPE, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import laid_out, size_at
from mindtorch.core.operators import ops

__all__: list[str] = []


def _three(name: str, what: str, values: Sequence[int], either: str) -> tuple[int, ...]:
    if len(values) not in (1, 3):
        raise RuntimeError(f"{name}: {what} {either} a single int, or a tuple of three ints")
    return tuple(values) * 3 if len(values) == 1 else tuple(values)


def _named(prefix: str, values: Sequence[int]) -> str:
    return " ".join(f"{prefix}{axis}: {v}" for axis, v in zip("THW", values, strict=True))


class _Windows:
    """The checked sizes of one pooling."""

    __slots__ = ("dilation", "kernel", "out", "padding", "size", "stride")

    def __init__(
        self, name: str, shape: Sequence[int], kernel: Any, stride: Any, padding: Any,
        dilation: Any, ceil_mode: bool,
    ) -> None:  # fmt: skip
        either = "must either be" if name == "max_pool3d" else "must be"
        omitted = f"{either} omitted,"
        self.kernel = k = _three(name, "kernel_size", kernel, either)
        self.stride = t = _three(name, "stride", stride, omitted) if len(stride) else k
        self.padding = p = _three(name, "padding", padding, either)
        self.dilation = d = _three(name, "dilation", dilation, "must be either")
        if len(shape) not in (4, 5):
            raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")
        if 0 in t:
            raise RuntimeError("stride should not be zero")
        for pad, size, dil in zip(p, k, d, strict=True):
            if pad < 0:
                raise RuntimeError(f"pad must be non-negative, but got pad: {pad}")
            if pad > int(((size - 1) * dil + 1) / 2):
                raise RuntimeError(
                    "pad should be at most half of effective kernel size, but got "
                    f"pad={pad}, kernel_size={size} and dilation={dil}"
                )
        for what, prefix, values in (
            ("kernel size", "k", k),
            ("stride", "d", t),
            ("dilation", "dilation", d),
        ):
            if min(values) <= 0:
                raise RuntimeError(
                    f"{what} should be greater than zero, but got {_named(prefix, values)}"
                )
        self.size = tuple(shape[-3:])
        self.out = tuple(
            [out_size(s, *v, ceil_mode) for s, *v in zip(self.size, k, t, p, d, strict=True)]
        )

    def check(self, name: str, shape: Sequence[int]) -> None:
        if 0 in shape[-4:]:
            raise RuntimeError(
                f"{name}(): Expected input's non-batch dimensions to have positive length, but "
                f"input has a shape of {list(shape)} and non-batch dimension 0 has length zero!"
            )
        if min(self.out) < 1:
            channels, before = shape[-4], "x".join(map(str, self.size))
            after = "x".join(map(str, self.out))
            raise RuntimeError(
                f"Given input size: ({channels}x{before}). Calculated output size: "
                f"({channels}x{after}). Output size is too small"
            )

    def padded(self, a: Any, value: Any) -> Any:
        """*a* inside a border of *value*, wide enough for the last windows."""
        room = self.room()
        whole = np.full((*a.shape[:-3], *room), value, a.dtype)
        whole[(..., *self.inside())] = a
        return whole

    def room(self) -> tuple[int, ...]:
        return tuple(
            [
                max(s + 2 * p, (o - 1) * t + d * (k - 1) + 1)
                for s, o, k, t, p, d in zip(
                    self.size, self.out, self.kernel, self.stride, self.padding, self.dilation,
                    strict=True,
                )
            ]
        )  # fmt: skip

    def inside(self) -> tuple[slice, ...]:
        return tuple([slice(p, p + s) for p, s in zip(self.padding, self.size, strict=True)])

    def first(self) -> Any:
        """The number of each window's first element that is not before the input.

        torch names it where nothing is larger than the border; it may lie behind the input.
        """
        starts = []
        for p, o, t, d in zip(self.padding, self.out, self.stride, self.dilation, strict=True):
            start = np.arange(o) * t - p
            starts.append(np.where(start < 0, start % d, start))
        depth, height, width = starts
        rows, columns = self.size[1:]
        return (depth[:, None, None] * rows + height[:, None]) * columns + width

    def places(self) -> Iterator[tuple[slice, ...]]:
        """For each place in the kernel: the elements of the padded input that it meets."""
        for at in product(*[range(k) for k in self.kernel]):
            yield tuple(
                [
                    slice(i * d, i * d + (o - 1) * t + 1, t)
                    for i, d, o, t in zip(at, self.dilation, self.out, self.stride, strict=True)
                ]
            )


def _channels_last(shape: tuple[int, ...], like: Any) -> Any:
    if len(shape) == 5 and layout.is_channels_last(tuple(like.shape), tuple(like.stride())):
        return layout.channels_last_strides(shape)
    return None


def _laid_out(a: Any, like: Any) -> Any:
    if a.ndim == 5 and not like.flags.c_contiguous:
        strides = tuple([s // like.itemsize for s in like.strides])
        if layout.is_channels_last(like.shape, strides):
            return laid_out(a, layout.channels_last_strides(a.shape))
    return np.ascontiguousarray(a)


# -- the largest --------------------------------------------------------------------------------


def _max_meta(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Out, Out]:
    shape = tuple(self.shape)
    windows = _Windows("max_pool3d", shape, kernel_size, stride, padding, dilation, ceil_mode)
    windows.check("max_pool3d_with_indices_out_cpu_template", shape)
    refuse(self.dtype, {"max_pool3d": BOOL | COMPLEX | UNSIGNED}, self)
    out = (*shape[:-3], *windows.out)
    strides = _channels_last(out, self)
    return Out(out, self.dtype, strides), Out(out, int64, strides)


def _max(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Any, Any]:
    windows = _Windows("max_pool3d", self.shape, kernel_size, stride, padding, dilation, ceil_mode)
    floating = self.dtype.kind not in "iu"
    lowest = -np.inf if floating else np.iinfo(self.dtype).min
    padded = windows.padded(self, lowest)
    numbers = windows.padded(np.arange(math.prod(windows.size)).reshape(windows.size), -1)
    best = where = None
    for place in windows.places():
        value, number = padded[(..., *place)], numbers[place]
        if best is None:
            best = value.copy()
            where = np.broadcast_to(windows.first(), best.shape).copy()
            continue
        larger = value > best
        if floating:
            larger |= np.isnan(value)
        np.copyto(best, value, where=larger)
        np.copyto(where, number, where=larger)
    return _laid_out(best, self), _laid_out(where, self)


def _prepare_max(
    self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    windows = _Windows("max_pool3d", self.shape, kernel_size, stride, padding, dilation, ceil_mode)
    return largest_at(self, steps(windows, windows.size), _max)


def _max_backward_meta(grad_output: Any, self: Any, *rest: Any) -> Out:
    shape, places = tuple(self.shape), [size_at(grad_output, dim) for dim in (-3, -2, -1)]
    expect_places(grad_output, self, places)
    expect_places(rest[-1], self, places)
    return Out(shape, self.dtype, _channels_last(shape, self))


def _prepare_max_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
    ceil_mode: bool, indices: Any,
) -> Callable[..., Any]:  # fmt: skip
    add_up = added_at(grad_output, self, 3)
    if self.flags.c_contiguous:
        return add_up
    return lambda grad_output, self, *rest: _laid_out(add_up(grad_output, self, *rest), self)


op(
    "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], "
    "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    says="Return the maxima of sliding windows over 3 dimensions and their indices.",
    meta=_max_meta,
    prepare=_prepare_max,
    half=False,
    module="nn",
    variants="function",
    out=OutForm(names=("out", "indices"), text=SCALAR_TYPE, quiet=True, overlap="unchecked"),
    grad={
        "self": lambda g, c: ops.max_pool3d_with_indices_backward(
            g[0], c.self, c.kernel_size, c.stride, c.padding, c.dilation, c.ceil_mode, c.result1
        )
    },
    samples="max_pool3d",
)
op(
    "max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, "
    "int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    meta=_max_backward_meta,
    prepare=_prepare_max_backward,
    refuses=lambda grad_output, *_: refuse_pooled_gradient(grad_output, 3),
    variants="",
    out="grad_input",
    grad={
        "grad_output": lambda g, c: at_indices(g, c.indices, 3),
        "self": lambda g, c: zeros_of(g, tuple(c.self.shape)),
    },
    samples="max_pool3d_backward",
    tags=("zero_tangents",),
)


def _max_pool3d(self: Any, *rest: Any) -> Any:
    if self.is_quantized:
        return ops.quantized_max_pool3d(self, *rest)
    return ops.max_pool3d_with_indices(self, *rest)[0]


op(
    "max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
    "int[3] dilation=1, bool ceil_mode=False) -> Tensor",
    says="Return the maxima of sliding windows over 3 dimensions.",
    composite=_max_pool3d,
    variants="function",
    samples="max_pool3d",
    autocast=("float32", ""),
)

# -- the mean -----------------------------------------------------------------------------------

_ONE = (1,)


def _avg_meta(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Out:  # fmt: skip
    shape = tuple(self.shape)
    windows = _Windows("avg_pool3d", shape, kernel_size, stride, padding, _ONE, ceil_mode)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    if 0 not in shape[-4:]:
        for s, k in zip(windows.size, windows.kernel, strict=True):  # padding does not count
            if s < k:
                raise RuntimeError(
                    f"input image ({_named('', windows.size)}) smaller than kernel size "
                    f"({_named('k', windows.kernel)})"
                )
    windows.check("avg_pool3d", shape)
    lacks = BOOL | COMPLEX | (INTEGRAL - {"int64"}) | {"float16", "bfloat16"}
    refuse(self.dtype, {"avg_pool3d_out_frame": lacks}, self)
    return Out((*shape[:-3], *windows.out), self.dtype)


def _divisor(windows: _Windows, include: bool, override: int | None) -> Any:
    """What each window's sum is divided by."""
    if override is not None:
        return override
    counts = []
    for s, o, k, t, p in zip(
        windows.size, windows.out, windows.kernel, windows.stride, windows.padding, strict=True
    ):
        start = np.arange(o) * t - p
        end = np.minimum(start + k, s + p)
        counts.append(end - start if include else np.minimum(end, s) - np.maximum(start, 0))
    return counts[0][:, None, None] * counts[1][:, None] * counts[2]


def _avg(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    windows = _Windows("avg_pool3d", self.shape, kernel_size, stride, padding, _ONE, ceil_mode)
    padded = windows.padded(self, 0)
    total = np.zeros((*self.shape[:-3], *windows.out), self.dtype)
    for place in windows.places():
        total += padded[(..., *place)]
    by = _divisor(windows, count_include_pad, divisor_override)
    if self.dtype.kind in "iu":
        return (np.sign(total) * (np.abs(total) // np.abs(by)) * np.sign(by)).astype(self.dtype)
    total /= np.asarray(by, self.dtype)
    return total


def _prepare_avg(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    windows = _Windows("avg_pool3d", self.shape, kernel_size, stride, padding, _ONE, ceil_mode)
    by = _divisor(windows, count_include_pad, divisor_override)
    return means_at(self, steps(windows, windows.size), _avg, by)


def _avg_backward_meta(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    *rest: Any,
) -> Out:  # fmt: skip
    windows = _Windows("avg_pool3d", self.shape, kernel_size, stride, padding, _ONE, ceil_mode)
    expect_places(grad_output, self, windows.out)
    return Out(tuple(self.shape), self.dtype)


def _avg_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    windows = _Windows("avg_pool3d", self.shape, kernel_size, stride, padding, _ONE, ceil_mode)
    by = _divisor(windows, count_include_pad, divisor_override)
    each = grad_output / np.asarray(by, grad_output.dtype)
    whole = np.zeros((*self.shape[:-3], *windows.room()), grad_output.dtype)
    for place in windows.places():
        whole[(..., *place)] += each
    return np.ascontiguousarray(whole[(..., *windows.inside())])


def _prepare_avg_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    windows = _Windows("avg_pool3d", self.shape, kernel_size, stride, padding, _ONE, ceil_mode)
    by = _divisor(windows, count_include_pad, divisor_override)
    return spread_at(grad_output, self, steps(windows, windows.size), _avg_backward, by)


average_rows(
    3,
    _avg_meta,
    _prepare_avg,
    (_avg_backward_meta, _prepare_avg_backward),
    lambda g, shape: zeros_of(g, tuple(shape)),
    samples="avg_pool3d_backward",
)
