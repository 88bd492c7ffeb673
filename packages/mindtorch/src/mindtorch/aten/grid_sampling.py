"""Images and volumes read at places between their elements: ``grid_sampler`` and its gradient.

Along each axis an element of the result is made of a few taps: neighbours with weights that depend
on the place alone. So one loop over combinations of taps serves every interpolation, and the slope
of a weight in place of the weight gives the gradient of the grid.

Source: torch aten/src/ATen/native/GridSampler.cpp, GridSampler.h, GridSamplerUtils.h.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from mindtorch_autograd import enable_grad

from ..call.elementwise_meta import FLOATING, refuse, wanted
from ..call.row import Out, op
from ..core.operators import grad, ops

__all__: list[str] = []

BILINEAR, NEAREST, BICUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)
_HALF = frozenset({"float16", "bfloat16"})


class _Tap(NamedTuple):
    """One neighbour along one axis, for every place of the grid."""

    index: Any
    inside: Any
    weight: Any
    slope: Any


def _unnormalized(x: Any, size: int, align: bool) -> tuple[Any, float]:
    """Places in elements, and how they grow with those in [-1, 1]."""
    one, two = x.dtype.type(1), x.dtype.type(2)
    if align:
        return (x + one) / two * x.dtype.type(size - 1), (size - 1) / 2
    return ((x + one) * x.dtype.type(size) - one) / two, size / 2


def _reflected(x: Any, low: int, high: int) -> tuple[Any, Any]:
    """*x* mirrored at half of *low* and *high* until it lies between; the sign of its growth."""
    if low == high:
        return np.zeros_like(x), np.zeros_like(x)
    least, span = x.dtype.type(low / 2), x.dtype.type((high - low) / 2)
    x = x - least
    sign = np.where(x < 0, x.dtype.type(-1), x.dtype.type(1))
    x = np.abs(x)
    extra = np.fmod(x, span)
    even = np.floor(x / span) % 2 == 0
    return np.where(even, extra + least, span - extra + least), np.where(even, sign, -sign)


def _clipped(x: Any, size: int) -> tuple[Any, Any]:
    grows = (x > 0) & (x < size - 1)
    return np.fmin(np.fmax(x, x.dtype.type(0)), x.dtype.type(size - 1)), grows.astype(x.dtype)


def _padded(x: Any, size: int, padding: int, align: bool) -> tuple[Any, Any]:
    sign: Any = 1
    if padding == REFLECTION:
        x, sign = _reflected(x, *((0, 2 * (size - 1)) if align else (-1, 2 * size - 1)))
    if padding != ZEROS:
        x, grows = _clipped(x, size)
        sign = sign * grows
    return x, sign


def _tap(place: Any, size: int, weight: Any, slope: Any) -> _Tap:
    inside = (place >= 0) & (place < size)
    index = np.where(inside, place, 0).astype(np.int64)
    return _Tap(index, inside, weight, slope)


def _taps(x: Any, size: int, mode: int, padding: int, align: bool) -> list[_Tap]:
    x, growth = _unnormalized(x, size, align)
    if mode == BICUBIC:
        return _cubic_taps(x, x.dtype.type(growth), size, padding, align)
    x, sign = _padded(x, size, padding, align)
    if mode == NEAREST:
        return [_tap(np.rint(x), size, np.ones_like(x), np.zeros_like(x))]
    first = np.floor(x)
    part = x - first
    slope = np.broadcast_to(np.asarray(sign * x.dtype.type(growth), x.dtype), x.shape)
    return [_tap(first, size, 1 - part, -slope), _tap(first + 1, size, part, slope)]


def _cubic_taps(x: Any, growth: Any, size: int, padding: int, align: bool) -> list[_Tap]:
    """Keys' kernel with a of -0.75."""
    a = -0.75
    first = np.floor(x)
    t = x - first

    def near(d: Any) -> tuple[Any, Any]:
        return ((a + 2) * d - (a + 3)) * d * d + 1, (3 * (a + 2) * d - 2 * (a + 3)) * d

    def far(d: Any) -> tuple[Any, Any]:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a, (3 * a * d - 10 * a) * d + 8 * a

    found = []
    for i, (rule, d, way) in enumerate(
        ((far, t + 1, 1), (near, t, 1), (near, 1 - t, -1), (far, 2 - t, -1))
    ):
        weight, slope = rule(d)
        place, _ = _padded(first + (i - 1), size, padding, align)
        if padding != ZEROS:
            place = np.trunc(place)
        found.append(
            _tap(place, size, weight.astype(x.dtype), (slope * way * growth).astype(x.dtype))
        )
    return found


def _axes(input: Any, grid: Any, mode: int, padding: int, align: bool) -> list[list[_Tap]]:
    """The taps of each spatial axis of the input; the grid's last axis is x first."""
    sizes = input.shape[2:]
    n = len(sizes)
    places = grid.reshape(grid.shape[0], math.prod(grid.shape[1:-1]), n)
    return [
        _taps(places[..., n - 1 - d], size, mode, padding, align) for d, size in enumerate(sizes)
    ]


def _combined(taps: tuple[_Tap, ...], sizes: Any) -> tuple[Any, Any]:
    """The element that a combination of taps meets, in a flat image, and whether there is one."""
    flat: Any = 0
    inside: Any = True
    for tap, size in zip(taps, sizes, strict=True):
        flat = flat * size + tap.index
        inside = inside & tap.inside
    return flat, inside


def _weight(taps: tuple[_Tap, ...], inside: Any, skips: bool, sloped: int = -1) -> Any:
    weight: Any = 1
    for d, tap in enumerate(taps):
        weight = weight * (tap.slope if d == sloped else tap.weight)
    return np.where(inside, weight, 0) if skips else weight


def _sample(input: Any, grid: Any, mode: int, padding: int, align: bool) -> Any:
    batch, channels, *sizes = input.shape
    kind = np.float32 if input.dtype.itemsize == 2 else input.dtype
    flat = input.astype(kind).reshape(batch, channels, math.prod(sizes)).transpose(0, 2, 1)
    out = np.zeros((batch, math.prod(grid.shape[1:-1]), channels), kind)
    number = np.arange(batch)[:, None]
    if out.size:
        for taps in product(*_axes(input, grid.astype(kind), mode, padding, align)):
            at, inside = _combined(taps, sizes)
            weight = _weight(taps, inside, len(sizes) == 3 or mode == NEAREST)
            met = np.where(inside[..., None], flat[number, at], out.dtype.type(0))
            out += met * weight[..., None]
    out = out.transpose(0, 2, 1).reshape(batch, channels, *grid.shape[1:-1])
    return np.ascontiguousarray(out.astype(input.dtype))


def _sample_backward(
    grad_output: Any, input: Any, grid: Any, mode: int, padding: int, align: bool, mask: Any
) -> tuple[Any, Any]:
    batch, channels, *sizes = input.shape
    n, area = len(sizes), math.prod(sizes)
    count = math.prod(grid.shape[1:-1])
    pull = grad_output.reshape(batch, channels, count).transpose(0, 2, 1)
    flat = input.reshape(batch, channels, area).transpose(0, 2, 1)
    number = np.arange(batch)[:, None]
    to_input = np.zeros((batch * area, channels), input.dtype)
    to_grid = np.zeros((batch, pull.shape[1], n), grid.dtype)
    if grad_output.size:
        for taps in product(*_axes(input, grid, mode, padding, align)):
            at, inside = _combined(taps, sizes)
            if mask[0]:
                parts = pull * _weight(taps, inside, True)[..., None]
                np.add.at(to_input, (at + number * area).reshape(-1), parts.reshape(-1, channels))
            if mode != NEAREST and mask[1]:
                met = np.where(inside, (flat[number, at] * pull).sum(-1), 0)
                for d in range(n):
                    to_grid[..., n - 1 - d] += met * _weight(taps, inside, True, d)
    to_input = to_input.reshape(batch, *sizes, channels)
    return (
        np.moveaxis(to_input, -1, 1).copy("C") if mask[0] else None,
        to_grid.reshape(grid.shape) if mask[1] else None,
    )


def _sizes(t: Any) -> list[int]:
    return list(t.shape)


def _check(input: Any, grid: Any) -> None:
    """Source: torch aten/src/ATen/native/GridSamplerUtils.h, check_grid_sampler_common."""
    start = "grid_sampler(): expected"
    if input.device != grid.device:
        raise RuntimeError(
            f"{start} input and grid to be on same device, but input is on {input.device} and "
            f"grid is on {grid.device}"
        )
    both = f"but got input with sizes {_sizes(input)} and grid with sizes {_sizes(grid)}"
    if not (input.dim() and grid.dim()):
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if input.shape[0] != grid.shape[0]:
        raise RuntimeError(f"{start} grid and input to have same batch size, {both}")
    n = input.dim() - 2
    if grid.shape[-1] != n:
        raise RuntimeError(
            f"{start} grid to have size {n} in last dimension, but got grid with sizes "
            f"{_sizes(grid)}"
        )
    for i, size in enumerate(_sizes(input)[2:], 2):
        if not size:
            raise RuntimeError(
                f"{start} input to have non-empty spatial dimensions, but input has sizes "
                f"{_sizes(input)} with dimension {i} being empty"
            )


def _check_dims(input: Any, grid: Any, n: int, mode: int) -> None:
    if input.dim() != n + 2 or input.dim() != grid.dim():
        raise RuntimeError(
            f"grid_sampler(): expected {n + 2}D input and grid with same number of dimensions, but "
            f"got input with sizes {_sizes(input)} and grid with sizes {_sizes(grid)}"
        )
    if n == 3 and mode == BICUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


def _meta(n: int) -> Any:
    kernel = f"grid_sampler_{n}d_cpu_kernel_impl" if n == 2 else "grid_sampler3d_cpu"

    def meta(input: Any, grid: Any, mode: int, padding: int, align: bool) -> Out:
        _check(input, grid)
        _check_dims(input, grid, n, mode)
        refuse(input.dtype, {kernel: frozenset({input.dtype.name}) - FLOATING}, input)
        if input.dtype is not grid.dtype and input.device.type != "meta":
            raise RuntimeError(
                f"expected scalar type {input.dtype.scalar_type} but found {grid.dtype.scalar_type}"
            )
        return Out((*input.shape[:2], *grid.shape[1:-1]), input.dtype)

    return meta


def _backward_meta(n: int) -> Any:
    def meta(
        grad_output: Any, input: Any, grid: Any, mode: int, padding: int, align: bool, mask: Any
    ) -> Any:
        _check(input, grid)
        _check_dims(input, grid, n, mode)
        return wanted(
            mask, Out(tuple(input.shape), input.dtype), Out(tuple(grid.shape), grid.dtype)
        )

    return meta


def _grads(name: str) -> Any:
    def both(g: Any, c: Any) -> Any:
        return getattr(ops, name)(
            g, c.input, c.grid, c.interpolation_mode, c.padding_mode, c.align_corners, c.mask
        )

    return both


def _twice(g: Any, c: Any) -> tuple[Any, ...]:
    """The gradient of the gradient: that of a sampling made of ops that all have gradients."""
    with enable_grad():
        given = [t.detach().requires_grad_(True) for t in (c.grad_output, c.input, c.grid)]
        pull, input, grid = given
        out = _composed(input, grid, c.interpolation_mode, c.padding_mode, c.align_corners)
        pair = grad([out], [input, grid], [pull], create_graph=True, allow_unused=True)
        total: Any = None
        for first, second in zip(pair, g, strict=True):
            if first is not None and second is not None:
                part = (first * second.detach()).sum()
                total = part if total is None else total + part
        found = grad([total], given, allow_unused=True)
    found = (*found[:2], ops.zeros_like(grid) if found[2] is None else found[2])
    return tuple([t if asked else None for t, asked in zip(found, c.mask, strict=True)])


def _composed(input: Any, grid: Any, mode: int, padding: int, align: bool) -> Any:
    """:func:`_sample`, of tensors."""
    batch, channels, *sizes = input.shape
    n, count = len(sizes), math.prod(grid.shape[1:-1])
    places = grid.reshape((batch, count, n))
    flat = input.reshape((batch, channels, math.prod(sizes)))
    axes = [
        _tensor_taps(places.select(-1, n - 1 - d), size, mode, padding, align)
        for d, size in enumerate(sizes)
    ]
    out: Any = 0
    for taps in product(*axes):
        at: Any = 0
        weight: Any = 1
        for (index, part), size in zip(taps, sizes, strict=True):
            at = at * size + index
            weight = weight * part
        met = flat.gather(2, at.unsqueeze(1).expand((batch, channels, count)))
        out = out + met * weight.unsqueeze(1)
    return out.reshape((batch, channels, *grid.shape[1:-1]))


def _tensor_taps(x: Any, size: int, mode: int, padding: int, align: bool) -> list[Any]:
    """Where neighbours along one axis are, and their weights, zero outside."""
    x = (x + 1) / 2 * (size - 1) if align else ((x + 1) * size - 1) / 2
    if mode != BICUBIC:
        x = _tensor_padded(x, size, padding, align)
    first = x.detach().round() if mode == NEAREST else x.detach().floor()
    t = x - first
    if mode == NEAREST:
        parts = [(first, ops.ones_like(x))]
    elif mode == BILINEAR:
        parts = [(first, 1 - t), (first + 1, t)]
    else:
        a = -0.75
        far = [((a * d - 5 * a) * d + 8 * a) * d - 4 * a for d in (t + 1, 2 - t)]
        near = [((a + 2) * d - (a + 3)) * d * d + 1 for d in (t, 1 - t)]
        weights = (far[0], near[0], near[1], far[1])
        parts = [
            (_tensor_padded(first + (i - 1), size, padding, align).trunc(), weight)
            for i, weight in enumerate(weights)
        ]
    return [
        (place.clamp(0, size - 1).long(), ops.where((place >= 0) & (place < size), weight, 0))
        for place, weight in parts
    ]


def _tensor_padded(x: Any, size: int, padding: int, align: bool) -> Any:
    if padding == REFLECTION:
        low, high = (0, 2 * (size - 1)) if align else (-1, 2 * size - 1)
        if low == high:
            x = x * 0
        else:
            span = (high - low) / 2
            x = (x - low / 2).abs()
            flips = (x.detach() / span).floor()
            extra = x - flips * span
            x = ops.where(flips % 2 == 0, extra, span - extra) + low / 2
    return x if padding == ZEROS else x.clamp(0, size - 1)


_OPTIONS = "int interpolation_mode, int padding_mode, bool align_corners"
for _n in (2, 3):
    op(
        f"grid_sampler_{_n}d(Tensor input, Tensor grid, {_OPTIONS}) -> Tensor",
        says="Sample images or volumes at the points of a grid.",
        meta=_meta(_n),
        kernel=_sample,
        half=False,
        variants="function",
        grad={"input, grid": _grads(f"grid_sampler_{_n}d_backward")},
        tangent="not implemented",
        autocast=("float32", ""),
        samples=f"grid_sampler_{_n}d",
        tags=("rounds",),
    )
    op(
        f"grid_sampler_{_n}d_backward(Tensor grad_output, Tensor input, Tensor grid, {_OPTIONS}, "
        "bool[2] output_mask) -> (Tensor, Tensor)",
        meta=_backward_meta(_n),
        kernel=_sample_backward,
        variants="",
        grad={"grad_output, input, grid": _twice},
    )


def _sampler(input: Any, grid: Any, mode: int, padding: int, align: bool) -> Any:
    _check(input, grid)
    if input.dim() != 4 and input.dim() != 5 or input.dim() != grid.dim():
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but "
            f"got input with sizes {_sizes(input)} and grid with sizes {_sizes(grid)}"
        )
    rule = ops.grid_sampler_2d if input.dim() == 4 else ops.grid_sampler_3d
    return rule(input, grid, mode, padding, align)


op(
    f"grid_sampler(Tensor input, Tensor grid, {_OPTIONS}) -> Tensor",
    says="Sample images or volumes at the points of a grid.",
    composite=_sampler,
    variants="function",
    samples="grid_sampler",
    autocast=("float32", "promote"),
)

# -- grids of affine maps -------------------------------------------------------------------------


def _base(size: Any, align: bool, like: Any) -> Any:
    """Homogeneous places of all elements, (…, x, y, 1): a row for each element of an image."""
    steps = []
    for count in size[2:]:
        if count <= 1:
            steps.append(like.new_zeros((max(count, 0),)))
            continue
        line = ops.linspace(-1, 1, count, dtype=like.dtype, device=like.device)
        steps.append(line if align else line * (count - 1) / count)
    parts = [ops.reshape(s, (-1,) + (1,) * (len(steps) - 1 - d)) for d, s in enumerate(steps)]
    whole = [p.expand(tuple(size[2:])) for p in reversed(parts)]
    whole.append(like.new_ones(tuple(size[2:])))
    base = ops.stack(whole, -1).view(1, -1, len(steps) + 1)
    return base.expand(size[0], -1, -1)


def _affine(theta: Any, size: Any, align: bool) -> Any:
    if len(size) not in (4, 5):
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    n = len(size) - 2
    base = _base(size, align, theta)
    return base.bmm(ops.transpose(theta, 1, 2)).view((size[0], *size[2:], n))


def _affine_backward(grad: Any, size: Any, align: bool) -> Any:
    n = len(size) - 2
    base = _base(size, align, grad)
    return ops.transpose(ops.transpose(base, 1, 2).bmm(grad.reshape(size[0], -1, n)), 1, 2)


op(
    "affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
    says="Return the grid of points that affine maps give, for grid_sample.",
    composite=_affine,
    kinds={"functional": "explicit"},
    variants="function",
    grad={"theta": lambda g, c: ops.affine_grid_generator_backward(g, c.size, c.align_corners)},
    samples="affine_grid_generator",
)
op(
    "affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor",
    composite=_affine_backward,
    variants="",
)
