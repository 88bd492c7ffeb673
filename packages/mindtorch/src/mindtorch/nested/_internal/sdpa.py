"""Attention of nested tensors: each sample's own."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...nn import functional as F
from .nested_tensor import FUNCTIONS, NestedTensor, nested
from .recording import values_of

__all__: list[str] = []


def _validate_sdpa_input(query: Any, key: Any, value: Any, attn_mask: Any) -> None:
    three = (query, key, value)
    said = zip(("query", "key", "value"), three, strict=True)
    if not all(isinstance(t, NestedTensor) for t in three):
        told = [f"{name}.is_nested: {t.is_nested}" for name, t in said]
        _refuse("be nested tensors", told)
    for what, wanted in (("dtype", "dtype"), ("device", "device type")):
        if len({getattr(t, what) for t in three}) > 1:
            _refuse(f"have the same {wanted}", [f"{n}.{what}: {getattr(t, what)}" for n, t in said])
    if any(t.dim() < 3 for t in three):
        raise ValueError(
            "Expected query, key, and value to all be at least 3 dimensional, but got query.dim: "
            f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )
    if len({t._ragged_idx for t in three}) > 1:
        raise ValueError(
            "Expected query, key, and value to all be ragged on the same dimension, but got ragged "
            f"dims {query._ragged_idx}, {key._ragged_idx}, and {value._ragged_idx}, respectively."
        )
    if attn_mask is not None:
        raise ValueError("Masks are not yet supported!")


def _refuse(wanted: str, told: list[str]) -> None:
    raise ValueError(
        f"Expected query, key, and value to {wanted}, but got {told[0]}, {told[1]}, and {told[2]} "
        "instead."
    )


def jagged_scaled_dot_product_attention(
    func: Any,
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Attention of each sample's queries to its keys: of shape ``(B, heads, j, D)``.

    Raises ValueError for what is not nested, or not ragged in the same dimension, and for masks.
    """
    _validate_sdpa_input(query, key, value, attn_mask)
    how = {"dropout_p": dropout_p, "is_causal": is_causal, "scale": scale}
    if query.dim() > 3 and query._ragged_idx == 1:  # what is ragged is a second batch
        three = [values_of(t) for t in (query, key, value)]
        return nested(F.scaled_dot_product_attention(*three, **how), **query._structure())
    parts = zip(query.unbind(), key.unbind(), value.unbind(), strict=True)
    of_each = [
        F.scaled_dot_product_attention(*[t.unsqueeze(0) for t in one], enable_gqa=enable_gqa, **how)
        for one in parts
    ]
    values = torch.cat([t.squeeze(0) for t in of_each], query._ragged_idx - 1)
    if query._lengths is None:
        return nested(values, **query._structure())
    ends = torch.cat([query._lengths.new_zeros(1), query._lengths.cumsum(0)])
    return nested(values, offsets=ends, _ragged_idx=query._ragged_idx)


FUNCTIONS["scaled_dot_product_attention"] = jagged_scaled_dot_product_attention
