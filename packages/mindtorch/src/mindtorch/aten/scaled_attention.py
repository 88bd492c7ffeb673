"""Attention of queries to keys and values: one operator where the host has it, else its steps.

Source of checks and texts: torch aten/src/ATen/native/transformers/attention.cpp.
"""

from __future__ import annotations

import math
from typing import Any

from mindtorch_storage.dtype import bfloat16, float16, float32, float64

from ..call.row import op
from ..core.errors import c_type_name
from ..core.operators import of, ops
from ..core.signature import BATCHED
from .number_first import recording, watched

__all__: list[str] = []

_FLOATS = (float32, float64, float16, bfloat16)


def _is_one_operator(
    query: Any, key: Any, value: Any, mask: Any, dropout_p: float, shared: bool
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


def _to_be_added(mask: Any, query: Any) -> Any:
    """A mask as numbers that are added to the scores; None stays None."""
    if mask is None or mask.dtype is not ops.bool:
        return mask
    unseen = ops.scalar_tensor(-math.inf, dtype=query.dtype, device=query.device)
    return ops.where(mask, 0.0, unseen)


def _told(query: Any, key: Any, value: Any) -> str:
    return f"but got query.{query} key.{key} and value.{value} instead."


def _check_inputs(query: Any, key: Any, value: Any, mask: Any) -> None:
    """Refuse what does not fit together."""
    three = query, key, value
    if not query.dtype is key.dtype is value.dtype:
        told = _told(*[f"dtype: {c_type_name(t.dtype)}" for t in three])
        raise RuntimeError(f"Expected query, key, and value to have the same dtype, {told}")
    if not query.device == key.device == value.device:
        told = _told(*[f"device: {t.device}" for t in three])
        raise RuntimeError(f"Expected query, key, and value to have the same device type, {told}")
    if min(t.dim() for t in three) < 2:
        told = _told(*[f"dim: {t.dim()}" for t in three])
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, {told}"
        )
    if mask is not None and mask.dtype not in (ops.bool, float32, query.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {c_type_name(mask.dtype)} and  query.dtype: "
            f"{c_type_name(query.dtype)} instead."
        )


def _of_each_head(query: Any, key: Any, value: Any) -> tuple[Any, Any]:
    """Keys and values for each head of queries, several of which share one."""
    heads = query.size(-3)
    counts = key.size(-3), value.size(-3)
    if any(heads % n for n in counts):
        raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
    spread = [
        t.repeat_interleave(heads // n, -3) for t, n in zip((key, value), counts, strict=True)
    ]
    return spread[0], spread[1]


def _attention(
    query: Any, key: Any, value: Any, attn_mask: Any, dropout_p: float, is_causal: bool,
    scale: float | None, enable_gqa: bool,
) -> Any:  # fmt: skip
    if _is_one_operator(query, key, value, attn_mask, dropout_p, enable_gqa):
        attn_mask = _to_be_added(attn_mask, query)
        return ops._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
        )[0]
    _check_inputs(query, key, value, attn_mask)
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    if enable_gqa:
        key, value = _of_each_head(query, key, value)
    if not all((*query.shape[:-1], key.shape[-2], value.shape[-1])):
        return _of_nothing(query, key, value)
    attn_mask = _to_be_added(attn_mask, query)
    kind = query.dtype
    if kind in (float16, bfloat16):  # rounded once, at the end
        query, key, value = (t.to(float32) for t in (query, key, value))
    # Each side takes the root of the scale, so that nothing overflows that need not.
    factor = 1.0 / math.sqrt(query.size(-1) or 1) if scale is None else scale
    root = math.sqrt(abs(factor))
    times = of("mul.Scalar")
    query = times(query, math.copysign(root, factor))
    if is_causal:
        size = query.size(-2), key.size(-2)
        sees = ops.ones(size, dtype=ops.bool, layout=query.layout, device=query.device)
        attn_mask = _to_be_added(sees.tril(), query)
    scores = query @ times(key.transpose(-2, -1), root)
    if attn_mask is not None:
        seen = watched(scores) or watched(attn_mask)
        scores = scores + attn_mask if seen else scores.add_(attn_mask)
    # A query that may see no key at all gets zeros, as those that are only padding do.
    weights = ops._safe_softmax(scores, -1)
    if dropout_p > 0.0:
        weights = ops.dropout(weights, dropout_p, True)
    return (weights @ value).to(kind)


def _of_nothing(*three: Any) -> Any:
    """Zeros where there is nothing to attend to, whose gradients are zeros."""
    query, _, value = three
    shape = (*query.shape[:-1], value.shape[-1])
    zeros = ops.zeros(shape, dtype=query.dtype, device=query.device)
    if not (recording() and any(t.requires_grad for t in three)):
        return zeros
    first, second, third = [t.sum() for t in three]
    return zeros + of("mul.Scalar")(first + second + third, 0)


op(
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
    "float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) "
    "-> Tensor",
    says="""Return ``softmax(query @ key.T * scale) @ value``, over the last two dimensions.

    :param attn_mask: True where a query may see a key, or numbers to add before the softmax.
    :param is_causal: a query sees the keys up to its own position.
    :param scale: ``1 / sqrt`` of the width of queries, where None.
    :param enable_gqa: several heads of queries share one head of keys and values.
    """,
    composite=_attention,
    module="nn",
    variants="function",
    samples="scaled_attention",
    tags=("product",),
    autocast="lower precision",
)
