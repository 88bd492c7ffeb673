"""Attention: a mean of values, weighted by how well queries and keys fit."""

from __future__ import annotations

import math

from ...core.operators import ops
from ...tensor import Tensor


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """``softmax(query @ key.T * scale) @ value``, over the last two dimensions.

    :param attn_mask: True where a query may see a key, or numbers to add before the softmax.
    :param is_causal: a query sees the keys up to its own position.
    :param scale: ``1 / sqrt`` of the width of queries, where None.
    :param enable_gqa: several heads of queries share one head of keys and values.
    """
    if is_causal and attn_mask is not None:
        # torch aten/src/ATen/native/transformers/attention.cpp.
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    if enable_gqa:
        repeats = query.size(-3) // key.size(-3)
        key = key.repeat_interleave(repeats, -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    # Each side takes the root of the scale, so that half precision does not overflow.
    root = math.sqrt(1.0 / math.sqrt(query.size(-1)) if scale is None else scale)
    scores = (query * root) @ (key.transpose(-2, -1) * root)
    if is_causal:
        sees = ops.ones((query.size(-2), key.size(-2)), dtype=ops.bool, device=query.device)
        attn_mask = sees.tril()
    if attn_mask is not None:
        if attn_mask.dtype is ops.bool:
            scores = scores.masked_fill(attn_mask.logical_not(), -math.inf)
        else:
            scores = scores + attn_mask
    # A query that may see no key at all gets zeros, as those that are only padding do.
    weights = scores.softmax(-1) if attn_mask is None else ops._safe_softmax(scores, -1)
    if dropout_p > 0.0:
        weights = ops.dropout(weights, dropout_p, True)
    return weights @ value
