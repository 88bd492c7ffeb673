"""Attention: a mean of values, weighted by how well queries and keys fit."""

from __future__ import annotations

import math

from mindtorch_storage.dtype import bfloat16, float16, float32, float64

from ...core.operators import ops
from ...core.signature import BATCHED
from ...tensor import Tensor

_FLOATS = (float32, float64, float16, bfloat16)


def _is_one_operator(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout_p: float, shared: bool
) -> bool:
    """Whether the backend has one operator for these: else attention is several steps.

    Source: torch aten/src/ATen/native/transformers/sdp_utils_cpp.cpp, use_flash_attention_cpp.
    """
    q, k, v = query.shape, key.shape, value.shape
    if dropout_p or not len(q) == len(k) == len(v) == 4 or (query._sig | key._sig) & BATCHED:
        return False
    heads = k[1] and q[1] % k[1] == 0 if shared else q[1] == k[1]
    if not (heads and k == v and q[0] == k[0] and q[3] == k[3] and q[2] and k[2]):
        return False
    if not (query.is_cpu and query.dtype is key.dtype is value.dtype and query.dtype in _FLOATS):
        return False
    if not query.stride(3) == key.stride(3) == value.stride(3) == 1:
        return False
    if mask is None:
        return True
    if mask.requires_grad or mask.dtype not in (ops.bool, query.dtype):
        return False
    sizes = (q[0], q[1], q[2], k[2])
    return mask.dim() in (2, 4) and all(
        n in (1, m) for n, m in zip(reversed(mask.shape), reversed(sizes), strict=False)
    )


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
    if _is_one_operator(query, key, value, attn_mask, dropout_p, enable_gqa):
        if attn_mask is not None and attn_mask.dtype is ops.bool:
            attn_mask = ops.where(attn_mask, 0.0, -math.inf).to(query.dtype)
        return ops._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
        )[0]
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
    kind = query.dtype
    if kind in (ops.float16, ops.bfloat16):  # rounded once, at the end
        query, key, value = (t.to(ops.float32) for t in (query, key, value))
    # Each side takes the root of the scale, so that nothing overflows that need not.
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
    weights = ops._safe_softmax(scores, -1)
    if dropout_p > 0.0:
        weights = ops.dropout(weights, dropout_p, True)
    return (weights @ value).to(kind)
