"""Images in another size: the choice of the op, and what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from .by_name import functional as F

#: Modes that have an op per number of spatial axes, and whether it takes ``align_corners``.
_OPS: dict[tuple[str, int], str] = {
    ("nearest", 3): "upsample_nearest1d",
    ("nearest", 4): "upsample_nearest2d",
    ("nearest", 5): "upsample_nearest3d",
    ("nearest-exact", 3): "_upsample_nearest_exact1d",
    ("nearest-exact", 4): "_upsample_nearest_exact2d",
    ("nearest-exact", 5): "_upsample_nearest_exact3d",
    ("linear", 3): "upsample_linear1d",
    ("bilinear", 4): "upsample_bilinear2d",
    ("trilinear", 5): "upsample_trilinear3d",
    ("bicubic", 4): "upsample_bicubic2d",
    ("lanczos", 4): "_upsample_lanczos2d_aa",
}
_DIMS = {"linear": 3, "bilinear": 4, "trilinear": 5}


def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """*input* (N, C, spatial…) resampled to *size*, or to its own times *scale_factor*.

    Raises ValueError where both or neither are given, and for options that *mode* has not.
    """
    between = mode not in ("nearest", "area", "nearest-exact")
    if between:
        align_corners = bool(align_corners)
    elif align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | "
            "bilinear | bicubic | trilinear"
        )
    dim = input.dim() - 2
    sizes, factors = _targets(input, dim, size, scale_factor)
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if recompute_scale_factor or (mode == "area" and sizes is None):
        sizes = [int(input.size(i + 2) * factors[i]) for i in range(dim)]
        factors = None
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires "
            "a 4-D tensor as input"
        )
    if mode == "area" and dim in (1, 2, 3):
        return getattr(F, f"adaptive_avg_pool{dim}d")(input, sizes)
    op = _OPS.get((mode, dim + 2))
    if op is None:
        raise _no_such_mode(mode, dim + 2)
    if mode == "lanczos":
        wrong = "does not support align_corners=True" if align_corners else ""
        wrong = wrong or ("" if antialias else "requires antialias=True")
        if wrong:
            raise ValueError(f"Lanczos mode {wrong}")
    elif antialias:
        op = f"_{op}_aa"
    corners = () if align_corners is None else (align_corners,)
    return getattr(ops, op)(input, sizes, *corners, factors)


def _targets(input: Any, dim: int, size: Any, scale_factor: Any) -> tuple[Any, Any]:
    """Sizes and factors per spatial axis: one of them is None."""
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if not isinstance(size, (list, tuple)):
            return [size] * dim, None
        if len(size) != dim:
            raise ValueError(
                "Input and output must have the same number of spatial dimensions, but got input "
                f"with spatial dimensions of {list(input.shape[2:])} and output size of {size}. "
                "Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in "
                "(o1, o2, ...,oK) format."
            )
        if not all(map(_is_whole, size)):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or "
                f"Tuple[int, int, int], but got size with types {[type(x) for x in size]}"
            )
        return size, None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if not isinstance(scale_factor, (list, tuple)):
        return None, [scale_factor] * dim
    if len(scale_factor) != dim:
        raise ValueError(
            "Input and scale_factor must have the same number of spatial dimensions, but got "
            f"input with spatial dimensions of {list(input.shape[2:])} and scale_factor of shape "
            f"{scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
            "scale_factor in (s1, s2, ...,sK) format."
        )
    return None, scale_factor


def _is_whole(size: Any) -> bool:
    """Whether it is an integer, of any kind."""
    if isinstance(size, Tensor):
        return not size.is_floating_point()
    return hasattr(type(size), "__index__")


def _no_such_mode(mode: str, ndim: int) -> NotImplementedError:
    if mode in _DIMS and ndim in (3, 4, 5):
        return NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {_DIMS[mode]}D input")
    return NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: "
        "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
        f"(got {mode})"
    )


def _deprecated(name: str) -> None:
    warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.",
    )


def upsample(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Deprecated: :func:`interpolate`."""
    _deprecated("upsample")
    return F.interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """Deprecated: :func:`interpolate`."""
    _deprecated("upsample_nearest")
    return F.interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """Deprecated: :func:`interpolate` with aligned corners."""
    _deprecated("upsample_bilinear")
    return F.interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
