"""Attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._building import BOOL, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates
from .activations import dropout
from .shapes import are_numbers


@translates("scaled_dot_product_attention")
def attention(
    g: Builder,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Value:
    return attended(g, query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)[0]


@translates("_scaled_dot_product_attention_math")
def attention_math(
    g: Builder,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: Value | None = None,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[Value, Value]:
    if dropout_mask is not None:
        raise DispatchError("attention with a mask of what is dropped")
    if attn_mask is not None:  # here a mask of truth is added, too
        attn_mask = g.cast(attn_mask, query.dtype)
    return attended(g, query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)


@translates("_scaled_dot_product_flash_attention_for_cpu")
def flash_attention(
    g: Builder,
    query: Value,
    key: Value,
    value: Value,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Value | None = None,
    scale: float | None = None,
) -> tuple[Value, Any]:
    found = attended(g, query, key, value, attn_mask, dropout_p, is_causal, scale, False)[0]
    return found, None


def attended(
    g: Builder,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> tuple[Value, Value]:
    """What the queries see, and with which weights."""
    width = g.size(query, -1)
    if scale is None:
        if not isinstance(width, int):
            raise DispatchError("attention over a width that varies")
        scale = 1 / math.sqrt(width)
    if enable_gqa and query.rank > 2:
        key, value = _repeated(g, key, query), _repeated(g, value, query)
    order = [*range(key.rank - 2), key.rank - 1, key.rank - 2]
    root = math.sqrt(scale) if scale >= 0 else None
    if root is None:
        query = g.op("Mul", query, scale)
    else:  # half of it on either side, as torch does it
        query, key = (g.op("Mul", v, root, shape=v.shape) for v in (query, key))
    scores = g.op("MatMul", query, g.op("Transpose", key, perm=order))
    mask = attn_mask
    if is_causal:
        mask = _causal(g, query, key)
    if mask is not None and mask.dtype is BOOL:
        scores = g.where(mask, scores, -math.inf, scores.dtype)
    elif mask is not None:
        scores = g.op("Add", scores, g.cast(mask, scores.dtype))
    weights = g.op("Softmax", scores, axis=-1)
    if mask is not None and mask.dtype is BOOL:  # who sees nothing gets nothing
        weights = g.where(g.op("IsNaN", weights), 0, weights, weights.dtype)
    weights = dropout(g, weights, dropout_p, dropout_p > 0)
    return g.op("MatMul", weights, value), weights


def _causal(g: Builder, query: Value, key: Value) -> Value:
    """True where a place is not behind the one that looks."""
    sizes = [g.size(query, -2), g.size(key, -2)]
    if are_numbers(sizes):
        return g.const(np.tri(*sizes), BOOL)
    return g.op("Trilu", g.expand(g.const(True, BOOL), sizes), g.const(0), upper=0)


def _repeated(g: Builder, value: Value, query: Value) -> Value:
    """The heads of *value*, each as often as several heads of *query* share it."""
    sizes = [g.size(value, i) for i in range(value.rank)]
    *batch, heads, length, width = sizes
    times = (query.shape or ())[-3] // heads
    if times == 1:
        return value
    spread = g.expand(g.unsqueeze(value, value.rank - 2), [*batch, heads, times, length, width])
    return g.reshape(spread, [*batch, heads * times, length, width])
