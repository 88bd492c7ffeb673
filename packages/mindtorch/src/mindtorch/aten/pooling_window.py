"""The windows of a pooling: sizes and their checks, borders, layouts of results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch_storage import layout

from mindtorch.aten.prepared import kept
from mindtorch.call.elementwise_meta import FLOATING, refuse
from mindtorch.call.row import Out
from mindtorch.core.dims import expect_sizes, laid_out

__all__ = [
    "Pool",
    "added_at",
    "bins",
    "check_one",
    "expect_dims",
    "expect_places",
    "finisher",
    "gradient_meta",
    "in_layout_of",
    "largest_at",
    "VOLUMES_TOO",
    "like_input",
    "mean_of_images",
    "means_at",
    "out_size",
    "refuse_pooled_gradient",
    "refuse_empty_gradient",
    "spread_at",
    "steps",
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
        if any([size < 1 for size in self.out]):
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


#: Images keep channels_last where they are pooled; where they are normalised, so do volumes.
IMAGES, VOLUMES_TOO = (4,), (4, 5)


def like_input(shape: tuple[int, ...], self: Any, dims: tuple[int, ...] = IMAGES) -> Any:
    """Strides of a result of so many *dims*: channels_last where the input suggests it."""
    if len(shape) in dims and layout.is_channels_last(tuple(self.shape), tuple(self.stride())):
        return layout.channels_last_strides(shape)
    return None


def in_layout_of(a: Any, like: Any) -> Any:
    if a.ndim == 4 and not like.flags.c_contiguous:
        strides = tuple([s // like.itemsize for s in like.strides])
        if layout.is_channels_last(like.shape, strides):
            return laid_out(a, layout.channels_last_strides(a.shape))
    return a if a.flags.c_contiguous else a.copy("C")


def finisher(
    like: Any, shape: tuple[int, ...], dims: tuple[int, ...] = IMAGES
) -> Callable[[Any], Any]:
    """What gives a C-contiguous result its *shape*, and the memory format of an input *like* this.

    Asked once for each layout, where ``in_layout_of`` looks at each call.
    """
    if like.ndim in dims and not like.flags.c_contiguous:
        strides = tuple([s // like.itemsize for s in like.strides])
        if layout.is_channels_last(like.shape, strides):
            made = layout.channels_last_strides(shape)
            return lambda a: laid_out(a.reshape(shape), made)
    return lambda a: a.reshape(shape)


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


def expect_places(t: Any, self: Any, places: Sequence[int]) -> None:
    """Refuse a *t* other than of the channels of *self*, a pool's input, and of its *places*."""
    ndim, first = len(self.shape), len(self.shape) - len(places) - 1
    expect_sizes(t, ndim, first, (self.shape[first], *places))


def refuse_empty_gradient(name: str, grad_output: Any) -> None:
    """Of a pool without places. Source: torch aten/src/ATen/native/AdaptivePooling.h."""
    shape = list(grad_output.shape)
    if 0 in shape[1:]:
        raise RuntimeError(
            f"{name}(): Expected grad_output to have non-zero size for non-batch dimensions, but "
            f"grad_output has sizes {shape} with dimension {shape.index(0, 1)} being empty"
        )


# -- few places, looked up all at once -----------------------------------------------------------

#: So many elements of windows are kept as indices, and looked at in one step.
_FEW = 4096


def _looked_up(self: Any, axes: Sequence[Sequence[Sequence[int]]]) -> Any:
    """The places that windows meet, as indices into one image: a row for each window.

    *axes* has for each dim the places of each window; what lies outside is there, too, and given
    as -1. None where looking them up is not the quicker way.
    """
    size = self.shape[-len(axes) :]
    if self.dtype.char not in "fd" and self.dtype.kind not in "iu":
        return None
    if not self.size or not self.flags.c_contiguous:
        return None
    counts = [(len(windows), max(map(len, windows), default=0)) for windows in axes]
    whole = math.prod([n * m for n, m in counts])
    if not whole or self.size // math.prod(size) * whole > _FEW:
        return None
    found, inside = np.zeros((), np.int64), np.array(1, bool)
    for length, windows, (_, longest) in zip(size, axes, counts, strict=True):
        rows = np.array([[*w, *[-1] * (longest - len(w))] for w in windows])
        found = found[..., None, None] * length + rows
        inside = inside[..., None, None] & (rows >= 0)
    n = len(axes)
    order = (*range(0, 2 * n, 2), *range(1, 2 * n, 2))
    outs = math.prod([count for count, _ in counts])
    found = np.where(inside, found, -1)
    return found.transpose(order).reshape(outs, -1)


def steps(pool: Any, size: Sequence[int]) -> list[list[list[int]]]:
    """The places of each window along each dim, -1 where it lies outside."""
    return [
        [
            [x if 0 <= (x := i * t - p + j * d) < length else -1 for j in range(k)]
            for i in range(out)
        ]
        for length, out, k, t, p, d in zip(
            size, pool.out, pool.kernel, pool.stride, pool.padding, pool.dilation, strict=True
        )
    ]


def bins(size: Sequence[int], out: Sequence[int]) -> list[list[range]]:
    """The places of each bin along each dim, of a pooling to the size *out*."""
    return [
        [range(i * s // n, -(-(i + 1) * s // n)) for i in range(n)]
        for s, n in zip(size, out, strict=True)
    ]


def largest_at(self: Any, axes: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """What finds the largest element of each window and its place: *kernel* where there are many.

    :param axes: for each dim the places of each window.
    """
    places = _looked_up(self, axes)
    if places is None or places.max(1).min() < 0:
        return kernel
    # The first place inside stands for those outside: it comes before all that is equal to it.
    first = places[np.arange(len(places)), (places >= 0).argmax(1)]
    places = np.where(places < 0, first[:, None], places)
    n, each = len(axes), places.shape[1]
    lead, out = self.shape[:-n], tuple([len(windows) for windows in axes])
    planes, shape = math.prod(lead), (*lead, *out)
    index = _of_planes(places, planes, math.prod(self.shape[-n:])).reshape(*shape, each)
    numbers = np.full((planes, *places.shape), places)
    begins, floating = np.arange(0, index.size, each).reshape(shape), self.dtype.kind == "f"
    nothing = np.zeros(begins.size, self.dtype)

    def find(self: Any, *rest: Any) -> Any:
        values = self.take(index)
        at = values.argmax(-1)
        at += begins
        best = values.take(at)
        if floating and best.ravel().dot(nothing) != 0 and (best != best).any():
            return kernel(self, *rest)  # the last NaN is wanted
        return best, numbers.take(at)

    return find


def _of_planes(places: Any, planes: int, size: int) -> Any:
    """Indices into one image as those into many, one behind the other: (planes, ...)."""
    return places + (np.arange(planes) * size).reshape(-1, *[1] * places.ndim)


def _divisor(places: Any, planes: int, by: Any, dtype: Any) -> Any:
    """What the sum of each window of each plane is divided by."""
    count = np.asarray((places >= 0).sum(1) if by is None else by, dtype)
    return count if not count.ndim else np.full((planes, count.size), count.reshape(-1)).reshape(-1)


def means_at(
    self: Any, axes: Any, kernel: Callable[..., Any], by: Any = None
) -> Callable[..., Any]:
    """What finds the mean of each window, its sum through *by*; *kernel* where there are many.

    :param axes: for each dim the places of each window.
    :param by: a number, or one for each window; if None, the count of places inside.
    """
    if self.dtype.kind != "f" or (places := _looked_up(self, axes)) is None:
        return kernel
    n, each, dtype = len(axes), places.shape[1], self.dtype
    lead, out = self.shape[:-n], tuple([len(windows) for windows in axes])
    planes, shape = math.prod(lead), (*lead, *out)
    divisor = _divisor(places, planes, by, dtype)
    index = _of_planes(places, planes, math.prod(self.shape[-n:]))
    index, ones = np.where(places < 0, self.size, index).reshape(-1, each), np.ones(each, dtype)
    room = self.size + 1 if (places < 0).any() else 0
    divide, zeros = np.divide, np.zeros

    def find(self: Any, *_: Any) -> Any:
        if room:  # what lies outside is a zero behind the last element
            whole = zeros(room, dtype)
            whole[:-1] = self.ravel()
            self = whole
        total = self.take(index).dot(ones)
        return divide(total, divisor, total).reshape(shape)

    return find


#: So many elements are written to at a time: they stay in the cache.
_IN_CACHE = 65536


def added_at(grad: Any, self: Any, n: int, apart: bool = False) -> Callable[..., Any]:
    """What adds a gradient up where the largest of each window was found, in the last *n* dims.

    :param apart: no two windows meet the same element.
    """
    shape, dtype = self.shape, grad.dtype
    planes, area, count = math.prod(shape[:-n]), math.prod(shape[-n:]), self.size
    finished, add, zeros = finisher(self, shape), np.add.at, np.zeros
    if not count or not grad.size:
        return lambda *_: finished(np.zeros(count, dtype))
    each, step = grad.size // planes, min(planes, max(1, _IN_CACHE // area))
    start = kept(lambda: np.repeat(np.arange(step) * area, each))

    def add_up(grad_output: Any, *rest: Any) -> Any:
        places, g, out = rest[-1].ravel(), grad_output.ravel(), zeros(count, dtype)
        begins = start()
        if step == planes:
            places = places + begins
            if apart:
                out[places] = g
            else:
                add(out, places, g)
            return finished(out)
        for i in range(0, planes, step):
            here = slice(i * each, (i + step) * each)
            into, at, part = out[i * area : (i + step) * area], places[here], g[here]
            at = at + begins[: at.size]
            if apart:
                into[at] = part
            else:
                add(into, at, part)
        return finished(out)

    return add_up


def spread_at(
    grad: Any, self: Any, axes: Any, kernel: Callable[..., Any], by: Any = None
) -> Callable[..., Any]:
    """What gives each place of *self* what it has of the means of windows; else *kernel*.

    The arguments are those of :func:`means_at`, and what the mean's gradient is like.
    """
    like = np.broadcast_to(np.zeros((), grad.dtype), self.shape).copy()
    if grad.dtype.kind != "f" or not grad.size or (places := _looked_up(like, axes)) is None:
        return kernel
    n, shape, dtype = len(axes), self.shape, grad.dtype
    planes, size = math.prod(shape[:-n]), math.prod(shape[-n:])
    divisor = _divisor(places, planes, by, dtype)
    windows, _ = np.nonzero(places >= 0)
    reached = places[places >= 0]
    order = np.argsort(reached, kind="stable")
    reached, windows = reached[order], windows[order]
    depths = np.bincount(reached, minlength=size)
    start = np.cumsum(depths) - depths
    # Row by row the windows that reach each place; behind all of them there is a zero.
    rows = np.full((max(int(depths.max(initial=0)), 1), size), -1)
    rows[np.arange(len(reached)) - start[reached], reached] = windows
    index = np.where(rows < 0, grad.size, _of_planes(rows, planes, len(places))).swapaxes(0, 1)
    room, once = grad.size + 1, len(rows) == 1
    index = np.ascontiguousarray(index).reshape(shape if once else (-1, *shape))
    divide, add, zeros, finished = np.divide, np.add.reduce, np.zeros, finisher(self, shape)

    def spread(grad_output: Any, *_: Any) -> Any:
        each = zeros(room, dtype)
        divide(grad_output.ravel(), divisor, each[:-1])
        found = each.take(index)
        return finished(found if once else add(found, 0))

    return spread


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


def refuse_pooled_gradient(g: Any, n: int) -> None:
    """Raise NotImplementedError for a gradient of *n*-dimensional pooling that is of no float."""
    refuse(g.dtype, {f"max_pool{n}d_backward": frozenset({g.dtype.name}) - FLOATING}, g)
