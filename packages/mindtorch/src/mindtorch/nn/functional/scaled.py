"""Products of scaled and of grouped matrices."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ..._ops import ops as _ops
from ...aten import torch
from ...aten.torch import Tensor
from ...jit.internal import BroadcastingList1, BroadcastingList2, BroadcastingList3

__all__ = [
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "GRID_SAMPLE_INTERPOLATION_MODES",
    "GRID_SAMPLE_PADDING_MODES",
    "ScalingType",
    "SwizzleType",
    "assert_int_or_pair",
    "grouped_mm",
    "scaled_grouped_mm",
    "scaled_mm",
]

GRID_SAMPLE_INTERPOLATION_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
GRID_SAMPLE_PADDING_MODES = {"zeros": 0, "border": 1, "reflection": 2}


class _Numbered(Enum):
    """An enumeration whose members are numbers for those who ask, and equal to none."""

    def __int__(self) -> int:
        return int(self.value)

    __index__ = __hash__ = __int__


class _ScalingType(_Numbered):
    """Which elements of a matrix share a scale."""

    TensorWise = 0
    RowWise = 1
    BlockWise1x16 = 2
    BlockWise1x32 = 3
    BlockWise1x128 = 4
    BlockWise128x128 = 5


class _SwizzleType(_Numbered):
    """In which order scales lie in memory."""

    NO_SWIZZLE = 0
    SWIZZLE_32_4_4 = 1


ScalingType = _ScalingType
SwizzleType = _SwizzleType


def assert_int_or_pair(arg: list[int], arg_name: str, message: str) -> None:
    """Check that *arg* is a number or a pair. Raises AssertionError with *message* if not."""
    if not (isinstance(arg, int) or len(arg) == 2):
        raise AssertionError(message.format(arg_name))


def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: torch.dtype | None = None,
) -> Tensor:
    """Return the products of groups of matrices.

    :param offs: where each group ends, of matrices that lie in one tensor of two dimensions.
    """
    return torch._grouped_mm(mat_a, mat_b, offs, bias, out_dtype)


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return given if isinstance(given, list) else [given]


def _numbers(given: Any) -> list[int]:
    """The values of one member of an enumeration, or of several."""
    return [member.value for member in _listed(given)]


def scaled_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    scale_a: Tensor | list[Tensor],
    scale_recipe_a: ScalingType | list[ScalingType],
    scale_b: Tensor | list[Tensor],
    scale_recipe_b: ScalingType | list[ScalingType],
    swizzle_a: SwizzleType | list[SwizzleType] | None = None,
    swizzle_b: SwizzleType | list[SwizzleType] | None = None,
    bias: Tensor | None = None,
    output_dtype: torch.dtype | None = torch.bfloat16,
    contraction_dim: list[int] | tuple[int, ...] = (),
    use_fast_accum: bool = False,
) -> Tensor:
    """Return the product of matrices of 8-bit floats and their scales.

    :param scale_recipe_a: what each of the scales belongs to.
    """
    return torch._scaled_mm_v2(
        mat_a, mat_b, _listed(scale_a), _numbers(scale_recipe_a), _numbers(swizzle_a),
        _listed(scale_b), _numbers(scale_recipe_b), _numbers(swizzle_b), bias, output_dtype,
        contraction_dim, use_fast_accum,
    )  # fmt: skip


def scaled_grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    scale_a: Tensor | list[Tensor],
    scale_recipe_a: ScalingType | list[ScalingType],
    scale_b: Tensor | list[Tensor],
    scale_recipe_b: ScalingType | list[ScalingType],
    swizzle_a: SwizzleType | list[SwizzleType] | None = None,
    swizzle_b: SwizzleType | list[SwizzleType] | None = None,
    bias: Tensor | None = None,
    offs: Tensor | None = None,
    output_dtype: torch.dtype | None = torch.bfloat16,
    contraction_dim: list[int] | tuple[int, ...] = (),
    use_fast_accum: bool = False,
) -> Tensor:
    """Refuse: torch has the products of groups of scaled matrices on accelerators alone."""
    return _ops.aten._scaled_grouped_mm_v2(
        mat_a, mat_b, _listed(scale_a), _numbers(scale_recipe_a), _numbers(swizzle_a),
        _listed(scale_b), _numbers(scale_recipe_b), _numbers(swizzle_b), offs, bias,
        output_dtype, contraction_dim, use_fast_accum,
    )  # fmt: skip


for _made in (ScalingType, SwizzleType, assert_int_or_pair, grouped_mm, scaled_grouped_mm):
    _made.__module__ = "mindtorch.nn.functional"
scaled_mm.__module__ = "mindtorch.nn.functional"
