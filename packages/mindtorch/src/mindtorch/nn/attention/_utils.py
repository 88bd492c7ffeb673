"""Checks of attention's arguments."""

from __future__ import annotations

import math
from typing import Any

__all__: list[str] = []


def _input_requires_grad(*tensors: Any) -> bool:
    """Whether a gradient is wanted of any of *tensors*."""
    return any(t.requires_grad for t in tensors)


def _postprocess_flash_output(inpt_tensor: Any, og_size: int) -> Any:
    """*inpt_tensor* without what was added to make its last dimension longer than *og_size*."""
    return inpt_tensor[..., :og_size] if inpt_tensor.size(-1) != og_size else inpt_tensor


def _calculate_scale(head_dim_size: int, scale: float | None) -> float:
    """*scale*, or one by the root of the width of a head."""
    return scale if scale is not None else 1.0 / math.sqrt(head_dim_size)


def _validate_sdpa_input(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    allow_lowp_kv: bool = False,
) -> None:
    """Raises ValueError for tensors that do not fit together."""
    if query.dtype != key.dtype or query.dtype != value.dtype:
        raise ValueError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{query.dtype}, key.dtype: {key.dtype}, and value.dtype: {value.dtype} instead."
        )
    if query.device != key.device or query.device != value.device:
        raise ValueError(
            "Expected query, key, and value to have the same device type, but got query.device: "
            f"{query.device}, key.device: {key.device}, and value.device: {value.device} instead."
        )
    if query.dim() < 2 or key.dim() < 2 or value.dim() < 2:
        raise ValueError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )
