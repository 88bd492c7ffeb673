"""Products of scaled and of grouped matrices."""

from __future__ import annotations

from enum import Enum

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
    """The products of groups of matrices.

    :param offs: where each group ends, of matrices that lie in one tensor of two dimensions.
    """
    if mat_a.dim() not in (2, 3) or mat_b.dim() not in (2, 3):
        raise RuntimeError("mat_a has to be 2 or 3d" if mat_a.dim() not in (2, 3) else
                           "mat_b has to be 2 or 3d")  # fmt: skip
    if bias is not None:
        raise RuntimeError("Bias not supported yet")
    if mat_a.dim() == mat_b.dim() == 3:
        if offs is not None:
            raise RuntimeError("Offsets tensor not provided is only for 2d matrices")
        return torch.bmm(mat_a, mat_b).to(out_dtype or mat_a.dtype)
    if offs is None:
        raise RuntimeError("Have to provide offsets for 2d arguments")
    ends = offs.tolist()
    starts = [0, *ends[:-1]]
    spans = list(zip(starts, ends, strict=True))
    if mat_a.dim() == 3:  # the columns of mat_b are in groups
        found = torch.cat([a @ mat_b[:, i:j] for a, (i, j) in zip(mat_a, spans, strict=True)], 1)
    elif mat_b.dim() == 3:  # the rows of mat_a
        found = torch.cat([mat_a[i:j] @ b for b, (i, j) in zip(mat_b, spans, strict=True)], 0)
    else:  # the dimension that is summed over
        found = torch.stack([mat_a[:, i:j] @ mat_b[i:j] for i, j in spans])
    return found.to(out_dtype or mat_a.dtype)


def _refuse(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"torch.nn.functional.{name} needs kernels for scaled matrices of 8 bits, which mindtorch "
        "does not have: convert the matrices to float32, scale and multiply them"
    )


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
    """Refuse: there are no kernels for scaled matrices."""
    raise _refuse("scaled_mm")


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
    """Refuse: there are no kernels for scaled matrices."""
    raise _refuse("scaled_grouped_mm")


for _made in (ScalingType, SwizzleType, assert_int_or_pair, grouped_mm, scaled_grouped_mm):
    _made.__module__ = "mindtorch.nn.functional"
scaled_mm.__module__ = "mindtorch.nn.functional"
