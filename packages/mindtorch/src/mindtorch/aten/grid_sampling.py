"""Images and volumes read at places between their elements: ``grid_sampler`` and its gradient.

Along each axis an element of the result is made of a few taps: neighbours with weights that depend
on the place alone. So all combinations of taps serve every interpolation, and the slope of a weight
in place of the weight gives the gradient of the grid.

Source: torch aten/src/ATen/native/GridSampler.cpp, GridSampler.h, GridSamplerUtils.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from mindtorch_autograd import enable_grad
from mindtorch_storage.dtype import bfloat16, float16

from ..call.elementwise_meta import FLOATING, refuse, wanted
from ..call.row import Out, op
from ..core.operators import grad, ops
from ..tensor.gradient import require_grad
from .grid_coordinates import BICUBIC, BILINEAR, NEAREST, REFLECTION, ZEROS, Sampling

__all__: list[str] = []

#: Of so many elements, counted at each place, every one gets a weight.
_FEW = 4096


def _with_nothing(input: Any, kind: Any, area: int) -> Any:
    """The elements of images, with zeros behind them for what lies outside: (N, area + 1, C)."""
    batch, channels = input.shape[:2]
    flat = np.empty((batch, area + 1, channels), kind)
    flat[:, :area] = input.reshape(batch, channels, area).transpose(0, 2, 1)
    flat[:, area] = 0
    return flat


def _read(flat: Any, at: Any) -> Any:
    """Elements *at*, (combinations, N, places), of :func:`_with_nothing`."""
    batch, rows, channels = flat.shape
    if batch > 1:
        at = at + (np.arange(batch) * rows)[:, None]
    return flat.reshape(-1, channels).take(at, 0)


#: So many numbers are read at a time: what is read stays in the cache.
_TILE = 1 << 18


def _tiles(batch: int, count: int, each: int) -> Any:
    """The images and places to work on at a time, where a place takes *each* numbers."""
    if batch * count * each <= _TILE:
        return [(slice(None), slice(None))]
    step = max(_TILE // each, 1)
    starts = range(0, count, step)
    return [(slice(b, b + 1), slice(k, k + step)) for b in range(batch) for k in starts]


def _prepare_sample(
    input: Any, grid: Any, mode: int, padding: int, align: bool
) -> Callable[..., Any]:
    batch, channels, *sizes = input.shape
    kind = np.dtype(np.float32) if input.dtype.itemsize == 2 else input.dtype
    dtype, shape = input.dtype, (batch, channels, *grid.shape[1:-1])
    count = math.prod(grid.shape[1:-1])
    if not math.prod(shape):
        return lambda *args: np.zeros(shape, dtype)
    sampling = Sampling(sizes, kind, mode, padding, align)
    skips = len(sizes) == 3 or mode == NEAREST
    tiles = _tiles(batch, count, channels * sampling.combinations)
    rows, areas, weigh = (batch, count, sampling.n), (batch, channels, sampling.area), None
    if sampling.mode != BICUBIC and batch * count * sampling.area <= _FEW:
        weigh = sampling.weigher(batch, count)

    def sample(flat: Any, grid: Any) -> Any:
        place, weights, _ = sampling.taps(grid, False)
        at = sampling.elements(place, (weights,) if skips else ())
        axes = [weights[..., d] for d in range(sampling.n)]
        met = _read(flat, at)
        met *= sampling.combined(np.multiply, axes)[..., None]
        return np.add.reduce(met, 0)

    def kernel(input: Any, grid: Any, *options: Any) -> Any:
        grid = grid.astype(kind, copy=False).reshape(rows)
        if weigh is not None:
            out = np.matmul(input.reshape(areas), weigh(grid)[0])
            flat = out.reshape(-1)
            if not math.isnan(flat.dot(flat)):  # zero times infinity may have been added
                return out.astype(dtype, copy=False).reshape(shape)
        flat = _with_nothing(input, kind, sampling.area)
        if len(tiles) == 1:
            out = sample(flat, grid)
        else:
            out = np.empty((batch, count, channels), kind)
            for images, places in tiles:
                out[images, places] = sample(flat[images], grid[images, places])
        return out.transpose(0, 2, 1).astype(dtype, "C").reshape(shape)

    return kernel


def _prepare_sample_backward(
    grad_output: Any, input: Any, grid: Any, mode: int, padding: int, align: bool, mask: Any
) -> Callable[..., tuple[Any, Any]]:
    batch, channels, *sizes = input.shape
    dtype, shape, places = input.dtype, input.shape, grid.shape
    count = math.prod(places[1:-1])
    sampling = Sampling(sizes, dtype, mode, padding, align)
    n, area = sampling.n, sampling.area
    tiles = _tiles(batch, count, channels * sampling.combinations) if grad_output.size else []
    planes, weigh = (batch, channels), None
    if sampling.mode != BICUBIC and 0 < grad_output.size and batch * count * area <= _FEW:
        weigh = sampling.weigher(batch, count, bool(mask[1]))

    def weighed(pull: Any, input: Any, grid: Any) -> Any:
        """Both gradients by a weight for every element; None where zero times infinity is added."""
        pull = pull.reshape(*planes, count)
        whole, slopes = weigh(grid.reshape(batch, count, n))
        to_input = np.matmul(pull, whole.swapaxes(1, 2)) if mask[0] else None
        to_grid = np.zeros((batch, count, n), dtype) if mask[1] else None
        if slopes:
            met = np.matmul(input.reshape(*planes, area).swapaxes(1, 2), pull)
            for d, slope in enumerate(slopes):
                slope *= met
                np.add.reduce(slope, 1, None, to_grid[..., n - 1 - d])
        for found in (to_input, to_grid):
            if found is not None and not math.isfinite(np.vdot(found, found)):
                return None
        return (
            None if to_input is None else to_input.reshape(shape),
            None if to_grid is None else to_grid.reshape(places),
        )

    def pulled(pull: Any, flat: Any, grid: Any, to_input: Any, to_grid: Any) -> None:
        place, weights, slopes = sampling.taps(grid, bool(mask[1]))
        at = sampling.elements(place, (weights, *([] if slopes is None else [slopes])))
        axes = [weights[..., d] for d in range(n)]
        if mask[0]:
            parts = pull * sampling.combined(np.multiply, axes)[..., None]
            numbers = at + (np.arange(len(pull)) * (area + 1))[:, None]
            entries = numbers[..., None] * channels + np.arange(channels)
            total = np.bincount(entries.ravel(), parts.ravel(), to_input.size)
            to_input += total.reshape(to_input.shape)
        if mode != NEAREST and mask[1]:
            met = np.einsum("knpc,npc->knp", _read(flat, at), pull)
            np.copyto(met, 0, where=at == area)
            for d in range(n):
                sloped = [slopes[..., e] if e == d else axis for e, axis in enumerate(axes)]
                change = met * sampling.combined(np.multiply, sloped)
                to_grid[..., n - 1 - d] = np.add.reduce(change, 0)

    def kernel(grad_output: Any, input: Any, grid: Any, *options: Any) -> tuple[Any, Any]:
        if weigh is not None:
            made: tuple[Any, Any] | None = weighed(grad_output, input, grid)
            if made is not None:
                return made
        pull = grad_output.reshape(batch, channels, count).transpose(0, 2, 1)
        flat = _with_nothing(input, dtype, area) if mask[1] else None
        grid = grid.reshape(batch, count, n)
        to_input = np.zeros((batch, area + 1, channels)) if mask[0] else None
        to_grid = np.zeros((batch, count, n), dtype) if mask[1] else None
        for images, some in tiles:
            pulled(
                pull[images, some],
                None if flat is None else flat[images],
                grid[images, some],
                None if to_input is None else to_input[images],
                None if to_grid is None else to_grid[images, some],
            )
        return (
            None
            if to_input is None
            else to_input[:, :area].transpose(0, 2, 1).astype(dtype, "C").reshape(shape),
            None if to_grid is None else to_grid.reshape(places),
        )

    return kernel


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
        given = [require_grad(t.detach()) for t in (c.grad_output, c.input, c.grid)]
        pull, input, grid = given
        out = _composed(input, grid, c.interpolation_mode, c.padding_mode, c.align_corners)
        pair = grad([out], [input, grid], [pull], create_graph=True, allow_unused=True)
        total: Any = None
        for first, second in zip(pair, g, strict=True):
            if first is not None and second is not None:
                part = (first * second.detach()).sum()
                total = part if total is None else total + part
        if total is None:  # only a grid was asked about that is rounded to its elements
            return None, None, None
        found = grad([total], given, allow_unused=True)
    found = (*found[:2], ops.zeros_like(grid) if found[2] is None else found[2])
    return tuple([t if asked else None for t, asked in zip(found, c.mask, strict=True)])


def _composed(input: Any, grid: Any, mode: int, padding: int, align: bool) -> Any:
    """The sampling, of tensors."""
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
        prepare=_prepare_sample,
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
        prepare=_prepare_sample_backward,
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
            if count == 1 and like.dtype in (float16, bfloat16):
                refuse(like.dtype, {"tensor_cpu": frozenset({like.dtype.name})}, like)
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
    tags=("loops: functional",),
)
op(
    "affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor",
    composite=_affine_backward,
    variants="",
)
