"""``torch.nn.functional.interpolate``."""

from __future__ import annotations

import math

from ..._ops import ops
from ...tensor import Tensor
from . import home

aten = ops.aten


def _interpolated(
    input: Tensor,
    size: list[int] | None,
    scale_factor: list[float] | None,
    mode: str,
    align_corners: bool | None,
    recompute: bool,
    antialias: bool,
) -> Tensor:
    between = mode != "nearest" and mode != "area" and mode != "nearest-exact"
    corners = False
    if align_corners is not None:
        if not between:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | "
                "bilinear | bicubic | trilinear"
            )
        corners = align_corners
    dims = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    sizes: list[int] | None = size
    factors: list[float] | None = scale_factor
    if recompute or mode == "area":
        if scale_factor is not None:
            made: list[int] = []
            for i in range(dims):
                made.append(int(math.floor(float(input.size(i + 2)) * scale_factor[i])))
            sizes = made
        factors = None
    if mode == "nearest":
        if dims == 1:
            return aten.upsample_nearest1d(input, sizes, factors)
        if dims == 2:
            return aten.upsample_nearest2d(input, sizes, factors)
        return aten.upsample_nearest3d(input, sizes, factors)
    if mode == "nearest-exact":
        if dims == 1:
            return aten._upsample_nearest_exact1d(input, sizes, factors)
        if dims == 2:
            return aten._upsample_nearest_exact2d(input, sizes, factors)
        return aten._upsample_nearest_exact3d(input, sizes, factors)
    if mode == "area":
        assert sizes is not None
        if dims == 1:
            return aten.adaptive_avg_pool1d(input, sizes)
        if dims == 2:
            return aten.adaptive_avg_pool2d(input, sizes)
        return aten.adaptive_avg_pool3d(input, sizes)
    if mode == "linear":
        return aten.upsample_linear1d(input, sizes, corners, factors)
    if mode == "bilinear":
        if antialias:
            return aten._upsample_bilinear2d_aa(input, sizes, corners, factors)
        return aten.upsample_bilinear2d(input, sizes, corners, factors)
    if mode == "trilinear":
        return aten.upsample_trilinear3d(input, sizes, corners, factors)
    if mode == "bicubic":
        if antialias:
            return aten._upsample_bicubic2d_aa(input, sizes, corners, factors)
        return aten.upsample_bicubic2d(input, sizes, corners, factors)
    raise NotImplementedError(f"no interpolation of {input.dim()} dimensions by {mode}")


def _sizes(input: Tensor, size: int) -> list[int]:
    return [size] * (input.dim() - 2)


def _factors(input: Tensor, factor: float) -> list[float]:
    return [factor] * (input.dim() - 2)


def interpolate(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: list[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    again = recompute_scale_factor is not None and recompute_scale_factor
    return _interpolated(input, size, scale_factor, mode, align_corners, again, antialias)


def _interpolate_to_int(
    input: Tensor,
    size: int,
    scale_factor: list[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    sizes = _sizes(input, size)
    return _interpolated(input, sizes, scale_factor, mode, align_corners, False, antialias)


def _interpolate_by_float(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: float = 1.0,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    again = recompute_scale_factor is not None and recompute_scale_factor
    factors = _factors(input, scale_factor)
    return _interpolated(input, size, factors, mode, align_corners, again, antialias)


interpolate.script_overloads_ = (interpolate, _interpolate_to_int, _interpolate_by_float)  # type: ignore[attr-defined]  # a mark


home("torch.nn.functional", globals())
