"""The windows of a pooling: sizes and their checks, borders, layouts of results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch_storage import layout

from mindtorch.call.row import Out
from mindtorch.core.dims import laid_out

__all__ = [
    "Pool",
    "check_one",
    "expect_dims",
    "gradient_meta",
    "in_layout_of",
    "like_input",
    "mean_of_images",
    "out_size",
    "refuse_empty_gradient",
    "two_ints",
    "with_border",
]


def two_ints(name: str, what: str, values: Sequence[int], omitted: bool = False) -> tuple[int, int]:
    if len(values) == 1:
        return values[0], values[0]
    if len(values) == 2:
        return values[0], values[1]
    either = "must either be omitted," if omitted else "must either be"
    if what == "dilation":
        either = "must be either"
    raise RuntimeError(f"{name}: {what} {either} a single int, or a tuple of two ints")


def out_size(size: int, kernel: int, stride: int, pad: int, dilation: int, ceil: bool) -> int:
    """torch aten/src/ATen/native/Pool.h, pooling_output_shape."""
    room = size + 2 * pad - dilation * (kernel - 1) - 1 + (stride - 1 if ceil else 0)
    out = room // stride + 1
    if ceil and (out - 1) * stride >= size + pad:
        out -= 1  # the last window must begin inside the input or its left padding
    return out


class Pool:
    """The checked sizes of one pooling."""

    __slots__ = ("dilation", "kernel", "out", "padding", "stride")

    def __init__(
        self, shape: Sequence[int], kernel: Any, stride: Any, padding: Any, dilation: Any,
        ceil_mode: bool, name: str,
    ) -> None:  # fmt: skip
        self.kernel = k = two_ints(name, "kernel_size", kernel)
        self.stride = t = k if not len(stride) else two_ints(name, "stride", stride, True)
        self.padding = p = two_ints(name, "padding", padding)
        self.dilation = d = two_ints(name, "dilation", dilation)
        if 0 in t:
            raise RuntimeError("stride should not be zero")
        for one, kernel_size, dil in zip(p, k, d, strict=True):
            if one < 0:
                raise RuntimeError(f"pad must be non-negative, but got pad: {one}")
            if one > int(((kernel_size - 1) * dil + 1) / 2):  # as C divides, towards zero
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
            out_size(s, *v, ceil_mode) for s, *v in zip(shape[-2:], k, t, p, d, strict=True)
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
        return tuple(
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


def with_border(a: Any, pool: Pool, value: Any) -> Any:
    ph, pw = pool.padding
    eh, ew = pool.extra(a.shape)
    if not (ph or pw or eh or ew):
        return a
    h, w = a.shape[-2:]
    out = np.full((*a.shape[:-2], h + 2 * ph + eh, w + 2 * pw + ew), value, a.dtype)
    out[..., ph : ph + h, pw : pw + w] = a
    return out


def like_input(shape: tuple[int, ...], self: Any) -> Any:
    """Strides of a pooled result: channels_last where the input suggests it."""
    if len(shape) == 4 and layout.is_channels_last(tuple(self.shape), tuple(self.stride())):
        return layout.channels_last_strides(shape)
    return None


def in_layout_of(a: Any, like: Any) -> Any:
    if a.ndim == 4 and not like.flags.c_contiguous:
        strides = tuple([s // like.itemsize for s in like.strides])
        if layout.is_channels_last(like.shape, strides):
            return laid_out(a, layout.channels_last_strides(a.shape))
    return a if a.flags.c_contiguous else a.copy("C")


def check_one(name: str, **lists: Sequence[int]) -> None:
    """torch aten/src/ATen/native/Pool.h, check1d."""
    for what, values in lists.items():
        if len(values) != 1:
            raise RuntimeError(
                f"{name}() argument '{what}' should contain one int (got {len(values)})"
            )


def gradient_meta(grad_output: Any, self: Any, *rest: Any) -> Out:
    """The gradient of the input looks as the input does."""
    shape = tuple(self.shape)
    return Out(shape, self.dtype, like_input(shape, self))


def refuse_empty_gradient(name: str, grad_output: Any) -> None:
    """Of a pool without places. Source: torch aten/src/ATen/native/AdaptivePooling.h."""
    shape = list(grad_output.shape)
    if 0 in shape[1:]:
        raise RuntimeError(
            f"{name}(): Expected grad_output to have non-zero size for non-batch dimensions, but "
            f"grad_output has sizes {shape} with dimension {shape.index(0, 1)} being empty"
        )


def mean_of_images(self: Any, n: int) -> Any:
    """The mean over the last *n* dims, laid out as an adaptive pool to size one has it."""
    out = self.mean(tuple(range(-1, -n - 1, -1)), True)
    if self.dim() == n + 2 and layout.is_channels_last(tuple(self.shape), tuple(self.stride())):
        channels = self.shape[1]
        out = out.as_strided_(tuple(out.shape), (channels, 1, *[channels] * n))
    return out


def expect_dims(name: str, self: Any) -> None:
    if self.dim() not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {self.dim()}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )
