"""A nested tensor of what a mask leaves of samples that were filled up to one length.

Source: torch aten/src/ATen/native/nested/NestedTensorMath.cpp, NestedTensor_from_mask.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage.dtype import bool_

from ..core.nested_samples import strided_from_list
from ..core.operators import ops

__all__ = ["_nested_tensor_from_mask", "_nested_tensor_from_mask_left_aligned"]


def _expect_padded(t: Any, mask: Any) -> None:
    """Raise unless *mask* says of each position of each sample whether it counts."""
    if mask.dtype is not bool_:
        raise RuntimeError(
            f"Expected mask to be of ScalarType Bool, but got {mask.dtype.scalar_type} instead."
        )
    if mask.dim() != 2:
        raise RuntimeError("Padding mask should be 2D")
    if t.dim() != 3:
        raise RuntimeError("Input should be a 3D tensor, N * L * D")
    if tuple(t.shape[:2]) != tuple(mask.shape):
        raise RuntimeError("Mask size should match input size")


def _counts(mask: Any) -> list[int]:
    return [int(n) for n in mask.sum(1).tolist()]


def _nested_tensor_from_mask_left_aligned(t: Any, mask: Any) -> bool:
    """Say whether a mask counts leading elements of each sample only."""
    _expect_padded(t, mask)
    places = ops.arange(mask.shape[1], device=mask.device)
    return bool((mask == (places < mask.sum(1, True))).all())


def _nested_tensor_from_mask(t: Any, mask: Any, mask_check: bool = True) -> Any:
    """Return a nested tensor of the leading elements of each sample that a mask counts.

    Raises RuntimeError for a mask with gaps, unless *mask_check* is off.
    """
    _expect_padded(t, mask)
    if mask_check and not _nested_tensor_from_mask_left_aligned(t, mask):
        raise RuntimeError("Mask must be left-aligned without gaps")
    if not t.shape[0]:
        raise RuntimeError("stack expects a non-empty TensorList")
    return strided_from_list([t.select(0, i).narrow(0, 0, n) for i, n in enumerate(_counts(mask))])
