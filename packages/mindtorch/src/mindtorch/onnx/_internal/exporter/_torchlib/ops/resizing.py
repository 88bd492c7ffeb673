"""Images in other sizes, and at other places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._building import FLOAT32, Builder, Value
from ..._errors import DispatchError
from ..._registration import TRANSLATIONS, translates


def _resized(
    g: Builder, self: Value, sizes: Any, scales: Sequence[Any] | None, **attributes: Any
) -> Value:
    """*self* with other spatial sizes: those given, or its own times *scales*."""
    none = g.const([], FLOAT32) if g.version < 13 else None  # these must be there, then
    if scales is not None and all(s is not None for s in scales):
        factors = g.const(np.array([1, 1, *scales]), FLOAT32)
        return g.op("Resize", self, none, factors, **attributes)
    whole = [g.size(self, 0), g.size(self, 1), *sizes]
    return g.op("Resize", self, none, none, g.ints(whole), **attributes)


def _known(g: Builder, output_size: Any, scales: Any) -> Any:
    return g.out.shape[2:] if output_size is None else output_size


def _nearest(exact: bool) -> Any:
    attributes = {
        "mode": "nearest",
        "coordinate_transformation_mode": "half_pixel" if exact else "asymmetric",
        "nearest_mode": "round_prefer_ceil" if exact else "floor",
    }

    def translate(g: Builder, self: Value, output_size: Any, *scales: Any) -> Value:
        given = scales if scales and all(s is not None for s in scales) else None
        return _resized(g, self, output_size, given, **attributes)

    def from_list(g: Builder, input: Value, output_size: Any, scale_factors: Any) -> Value:
        return _resized(g, input, _known(g, output_size, None), scale_factors, **attributes)

    return translate, from_list


def _smooth(mode: str, antialias: bool = False) -> Any:
    def attributes(align_corners: bool) -> dict[str, Any]:
        found: dict[str, Any] = {
            "mode": mode,
            "coordinate_transformation_mode": "align_corners" if align_corners else "half_pixel",
        }
        if mode == "cubic":
            found["cubic_coeff_a"] = -0.5 if antialias else -0.75
        if antialias:
            found |= {"antialias": 1, "exclude_outside": 1}
            if align_corners:
                raise DispatchError("ONNX smooths no corners that are aligned")
        return found

    def translate(
        g: Builder, self: Value, output_size: Any, align_corners: bool, *scales: Any
    ) -> Value:
        given = scales if scales and all(s is not None for s in scales) else None
        given = None if align_corners else given
        return _resized(g, self, output_size, given, **attributes(align_corners))

    def from_list(
        g: Builder, input: Value, output_size: Any, align_corners: bool, scale_factors: Any
    ) -> Value:
        given = None if align_corners else scale_factors
        sizes = _known(g, output_size, None)
        return _resized(g, input, sizes, given, **attributes(align_corners))

    return translate, from_list


def _register(name: str, pair: Any) -> None:
    TRANSLATIONS[name], TRANSLATIONS[f"{name}.vec"] = pair


for _rank in (1, 2, 3):
    _register(f"upsample_nearest{_rank}d", _nearest(False))
    _register(f"_upsample_nearest_exact{_rank}d", _nearest(True))
for _name in ("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"):
    _register(_name, _smooth("linear"))
_register("upsample_bicubic2d", _smooth("cubic"))
_register("_upsample_bilinear2d_aa", _smooth("linear", True))
_register("_upsample_bicubic2d_aa", _smooth("cubic", True))

_MODES = (("linear", "bilinear"), ("nearest", "nearest"), ("cubic", "bicubic"))
_EDGES = ("zeros", "border", "reflection")


@translates("grid_sampler grid_sampler_2d grid_sampler_3d")
def grid_sampler(
    g: Builder,
    input: Value,
    grid: Value,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Value:
    return g.op(
        "GridSample",
        input,
        grid,
        mode=_MODES[interpolation_mode][0 if g.version >= 20 else 1],
        padding_mode=_EDGES[padding_mode],
        align_corners=int(align_corners),
    )


@translates("affine_grid_generator")
def affine_grid(g: Builder, theta: Value, size: Sequence[int], align_corners: bool) -> Value:
    spatial = list(size[2:])
    lines = []
    for count in spatial:
        line = np.linspace(-1, 1, count) if count > 1 else np.zeros(1)
        lines.append(line if align_corners else line * (count - 1) / count)
    grids = np.meshgrid(*lines, indexing="ij")
    base = np.stack([*reversed(grids), np.ones_like(grids[0])], -1).reshape(-1, len(spatial) + 1)
    turned = g.op("Transpose", theta, perm=[0, 2, 1])
    return g.reshape(g.op("MatMul", g.const(base, theta.dtype), turned), g.out.shape)
