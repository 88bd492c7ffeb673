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
    for fact, called in (("dtype", "dtype"), ("device", "device type")):
        of_query, of_key, of_value = (getattr(t, fact) for t in (query, key, value))
        if not of_query == of_key == of_value:
            raise ValueError(
                f"Expected query, key, and value to have the same {called}, but got "
                f"query.{fact}: {of_query}, key.{fact}: {of_key}, and value.{fact}: {of_value} "
                "instead."
            )
    if min(t.dim() for t in (query, key, value)) < 2:
        raise ValueError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )
