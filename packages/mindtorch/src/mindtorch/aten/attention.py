"""Attention as one operator, and its gradient: what CPU tensors of four dimensions get.

Source of checks and texts: torch aten/src/ATen/native/transformers/attention.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import float32
from mindtorch_storage.layout import contiguous_strides
from mindtorch_storage.output_layout import empty_like_strides

from ..call.row import Out, op
from ..core.dims import element_strides, laid_out, scalar_name
from ..core.operators import of, ops
from .derivatives import listed_as_not_implemented
from .indexing import like
from .reflected import recording
from .summation import sums

__all__ = ["attend", "attend_back", "attention_gradients"]

_NAME = "scaled_dot_product_attention_flash_attention"
_COMPUTED = frozenset(("float32", "float64", "bfloat16", "float16"))
#: Rows of up to so many scores find their largest by sorting.
_SORTED = 64


def _meta(
    query: Any, key: Any, value: Any, dropout_p: float, is_causal: bool, attn_mask: Any,
    scale: float | None,
) -> tuple[Out, Out]:  # fmt: skip
    dtype = query.dtype
    if dtype.name not in _COMPUTED:
        raise RuntimeError(
            f"{_NAME}: Expected data type in FP32, FP64, BF16, FP16, but got "
            f"{scalar_name(dtype)} instead."
        )
    if not query.dim() == key.dim() == value.dim() == 4:
        raise RuntimeError(f"{_NAME}: Accept only 4 dims inputs shape of {{B, H, T, K}}")
    if dropout_p > 0:
        raise RuntimeError(f"{_NAME}: Currently do not support dropout > 0")
    batch, heads, length, width = query.shape
    if not width == key.shape[3] == value.shape[3]:
        raise RuntimeError(f"{_NAME}: Q/K/V should have the same head size")
    sums_dtype = float32 if dtype.itemsize == 2 else dtype
    log = Out((batch, heads, length), sums_dtype, (heads * length, 1, heads))
    return like(query), log


def _factor(width: int, scale: float | None) -> float:
    return 1.0 / math.sqrt(width) if scale is None else scale


def _scorer(
    query: Any, key: Any, is_causal: bool, attn_mask: Any, scale: float | None
) -> Callable[[Any, Any, Any], Any]:
    """What says how well queries and keys fit: products, with what the mask adds."""
    length, width, keys = query.shape[2], query.shape[3], key.shape[2]
    factor = np.array(_factor(width, scale), query.dtype)
    multiply, matmul, add = np.multiply, np.matmul, np.add
    unseen = np.triu(np.full((length, keys), -np.inf, query.dtype), 1) if is_causal else None

    def scores(query: Any, key: Any, attn_mask: Any) -> Any:
        out = matmul(multiply(query, factor), key.swapaxes(2, 3))
        if unseen is not None:
            add(out, unseen, out)
        if attn_mask is not None:
            add(out, attn_mask, out)
        return out

    return scores


def _sharing(query: Any, key: Any) -> Callable[[Any], Any]:
    """What gives each head of queries its keys or values, of which several may share one."""
    repeats = query.shape[1] // key.shape[1] if key.shape[1] else 1
    if repeats == 1:
        return lambda a: a
    return lambda a: np.repeat(a, repeats, 1)


def _dense_strides(a: Any) -> tuple[int, ...] | None:
    """Strides of what is laid out as *a*, which may have gaps; None if they are contiguous."""
    strides = empty_like_strides(a.shape, element_strides(a))
    return None if strides == contiguous_strides(a.shape) else strides


def attend(
    query: Any, key: Any, value: Any, is_causal: bool, attn_mask: Any, scale: float | None
) -> Callable[[Any, Any, Any, Any], tuple[Any, Any]]:
    """What gives attention, and the logarithm of each query's sum, of arrays that look like these.

    It takes query, key, value and mask, and what weights are multiplied by once they are there.
    """
    batch, heads, length, _ = query.shape
    keys, dtype = key.shape[2], query.dtype
    shape, stats = (batch * heads * length, keys), (batch, heads, length)
    scores, spread = _scorer(query, key, is_causal, attn_mask, scale), _sharing(query, key)
    total = sums(np.empty(shape, dtype), (1,), (shape[0], 1))
    matmul, subtract, exp, divide, log = np.matmul, np.subtract, np.exp, np.divide, np.log
    largest, masked, lowest = np.maximum.reduce, attn_mask is not None, dtype.type(-np.inf)
    dense = _dense_strides(query)
    short, whole = keys <= _SORTED, (batch, heads, length, keys)
    late = value.shape[3] < keys  # results are divided by the sums: there are fewer than weights

    def run(query: Any, key: Any, value: Any, attn_mask: Any, kept: Any = None) -> tuple[Any, Any]:
        key, value = spread(key), spread(value)
        weights = scores(query, key, attn_mask).reshape(shape)
        if short:
            top = weights.copy()
            top.sort(1)  # a NaN comes last
            top = top[:, -1:]
        else:
            top = largest(weights, 1, None, None, True)
        blind = None
        if masked and (top == lowest).any():
            # A query that may see no key at all gets zeros.
            blind = top == lowest
            top = np.where(blind, dtype.type(0), top)
        subtract(weights, top, weights)
        exp(weights, weights)
        sizes = total(weights)
        if blind is not None:
            sizes[blind] = 1
        if not late:
            divide(weights, sizes, weights)
        weights = weights.reshape(whole)
        out = matmul(weights if kept is None else weights * kept, value)
        if late:
            divide(out, sizes.reshape(*stats, 1), out)
        log(sizes, sizes)
        sizes += top
        if dense is not None:
            out = laid_out(out, dense)
        return out, sizes.reshape(stats)

    return run


def _prepare(
    query: Any, key: Any, value: Any, dropout_p: float, is_causal: bool, attn_mask: Any,
    scale: float | None,
) -> Callable[..., tuple[Any, Any]]:  # fmt: skip
    run = attend(query, key, value, is_causal, attn_mask, scale)
    return lambda query, key, value, *rest: run(query, key, value, rest[2])


def _backward_meta(
    grad_out: Any, query: Any, key: Any, value: Any, out: Any, logsumexp: Any, dropout_p: float,
    is_causal: bool, attn_mask: Any, scale: float | None,
) -> tuple[Out, Out, Out]:  # fmt: skip
    return like(query), like(key), like(value)


def attend_back(
    query: Any, key: Any, value: Any, is_causal: bool, attn_mask: Any, scale: float | None,
    of_mask: bool = False,
) -> Callable[..., tuple[Any, Any, Any, Any]]:  # fmt: skip
    """What gives the gradients of query, key and value, of arrays that look like these.

    It takes the gradient of attention, query, key, value, attention, logarithms and mask, and what
    weights were multiplied by.

    :param of_mask: whether it gives the gradient of the mask, too, in place of None.
    """
    scores, spread = _scorer(query, key, is_causal, attn_mask, scale), _sharing(query, key)
    batch, heads, length, width = query.shape
    groups = (batch, key.shape[1], heads // (key.shape[1] or 1), key.shape[2], -1)
    factor = np.array(_factor(width, scale), query.dtype)
    result = np.empty((batch, heads, length, value.shape[3]), query.dtype)
    total = sums(result, (3,), (batch, heads, length, 1))
    matmul, multiply, subtract, exp = np.matmul, np.multiply, np.subtract, np.exp
    add, shared = np.add.reduce, key.shape[1] != heads
    strides = [_dense_strides(a) for a in (query, key, value)]

    def run(
        grad_out: Any, query: Any, key: Any, value: Any, out: Any, logsumexp: Any, attn_mask: Any,
        kept: Any = None,
    ) -> tuple[Any, Any, Any, Any]:  # fmt: skip
        key, value = spread(key), spread(value)
        weights = scores(query, key, attn_mask)
        subtract(weights, logsumexp[..., None], weights)
        exp(weights, weights)
        inner = matmul(grad_out, value.swapaxes(2, 3))
        used = weights
        if kept is not None:
            multiply(inner, kept, inner)
            used = weights * kept
        subtract(inner, total(multiply(grad_out, out)), inner)
        multiply(inner, weights, inner)
        added = _summed_to(inner.copy(), attn_mask.shape) if of_mask else None
        multiply(inner, factor, inner)
        turned = inner.swapaxes(2, 3)
        grads = [
            matmul(inner, key),
            matmul(turned, query),
            matmul(used.swapaxes(2, 3), grad_out),
        ]
        if shared:
            grads[1:] = [add(g.reshape(groups), 2) for g in grads[1:]]
        first, second, third = [
            g if at is None else laid_out(g, at) for g, at in zip(grads, strides, strict=True)
        ]
        return first, second, third, added

    return run


def _summed_to(a: Any, shape: tuple[int, ...]) -> Any:
    """The gradient of what was spread from *shape* to that of *a*."""
    whole = (1,) * (a.ndim - len(shape)) + shape
    spread = tuple(d for d, n in enumerate(whole) if n != a.shape[d])
    return a.sum(spread, keepdims=True).reshape(shape) if spread or whole != shape else a


def _prepare_backward(
    grad_out: Any, query: Any, key: Any, value: Any, out: Any, logsumexp: Any, dropout_p: float,
    is_causal: bool, attn_mask: Any, scale: float | None,
) -> Callable[..., tuple[Any, Any, Any]]:  # fmt: skip
    run = attend_back(query, key, value, is_causal, attn_mask, scale)
    return lambda g, query, key, value, out, logsumexp, *rest: run(
        g, query, key, value, out, logsumexp, rest[2]
    )[:3]


_BACKWARD = "_scaled_dot_product_flash_attention_for_cpu_backward"


def _gradient(g: Any, c: Any) -> Any:
    out = g[0]
    if out is None:
        return None, None, None
    if recording():
        return attention_gradients(out, c.query, c.key, c.value, c.attn_mask, c.is_causal, c.scale)[
            :3
        ]
    return of(_BACKWARD)(
        out, c.query, c.key, c.value, c.result0, c.result1, c.dropout_p, c.is_causal,
        attn_mask=c.attn_mask, scale=c.scale,
    )  # fmt: skip


def attention_gradients(
    g: Any, query: Any, key: Any, value: Any, attn_mask: Any, is_causal: bool, scale: float | None
) -> tuple[Any, Any, Any, Any]:
    """The same as an expression over tensors, which can be differentiated again; of the mask, too.

    Where the mask needs none its gradient is None.
    """
    factor = _factor(query.shape[3], scale)
    served = key.shape[1]
    key, value = (t.repeat_interleave(query.shape[1] // served, 1) for t in (key, value))
    query = query * factor
    scores = query.matmul(key.mT)
    if is_causal:
        unseen = ops.ones(scores.shape[2:], dtype=ops.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(unseen, -math.inf)
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = ops._safe_softmax(scores, -1)
    inner = g.matmul(value.mT)
    inner = weights * (inner - (inner * weights).sum(-1, True))
    grads = inner.mT.matmul(query), weights.mT.matmul(g)
    of_key, of_value = (t.unflatten(1, (served, -1)).sum(2) for t in grads)
    added = attn_mask is not None and attn_mask.requires_grad
    of_mask = inner.sum_to_size(attn_mask.shape) if added else None
    return inner.matmul(key) * factor, of_key, of_value, of_mask


op(
    "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, "
    "float dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) "
    "-> (Tensor output, Tensor logsumexp)",
    meta=_meta,
    prepare=_prepare,
    variants="",
    grad={"query, key, value": _gradient},
    tags=("one_gradient",),
)
op(
    f"{_BACKWARD}(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, "
    "Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, "
    "float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
    meta=_backward_meta,
    prepare=_prepare_backward,
    variants="",
    grad=listed_as_not_implemented(
        _BACKWARD, "grad_out", "query", "key", "value", "out", "logsumexp"
    ),
)
