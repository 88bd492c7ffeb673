"""Attention as one operator on accelerators, and its gradient: no score is kept.

The results are those of CUDA's memory-efficient kernel: attention as (batch, length, heads, size)
with two dimensions changed, and the logarithm of each query's sum, padded to 32 queries. Where
weights are dropped, the seed and the offset of the generator are kept instead of a mask: the
gradient draws the same numbers again.
Source: torch aten/src/ATen/native/transformers/cuda/attention.cu; torch._meta_registrations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import float32, int64
from mindtorch_storage.layout import contiguous_strides

from ..call.row import Out, op
from ..core.operators import of
from ..tensor.drawing_generator import generator_or_default
from ..tensor.philox import CountedNumbers
from .attention import attend, attend_back, attention_gradients
from .derivatives import listed_as_not_implemented
from .randomness import SEEDED
from .reflected import recording

__all__: list[str] = []

#: Queries that a kernel serves at a time, and numbers of a mask.
_ALIGNED: Final = 32
_ALIGNED_MASK: Final = 16
_SEED: Final = Out((), int64)


def _of_heads(t: Any, width: int) -> Out:
    """What looks like *t*, (batch, heads, length, size), in memory with the heads behind."""
    batch, heads, length, _ = t.shape
    strides = (length * heads * width, width, heads * width, 1)
    return Out((batch, heads, length, width), t.dtype, strides)


def _of_mask(mask: Any) -> Out:
    """What looks like *mask*, with rows that begin at multiples of 16 numbers."""
    *outer, width = mask.shape
    padded = -(-width // _ALIGNED_MASK) * _ALIGNED_MASK
    return Out((*outer, width), mask.dtype, contiguous_strides((*outer, padded)))


def _meta(
    query: Any, key: Any, value: Any, attn_bias: Any, compute_log_sumexp: bool, dropout_p: float,
    is_causal: bool, scale: float | None,
) -> tuple[Out, ...]:  # fmt: skip
    batch, heads, length, _ = query.shape
    kept = -(-length // _ALIGNED) * _ALIGNED if compute_log_sumexp else 0
    out = _of_heads(query, value.shape[3])
    return out, Out((batch, heads, kept), float32), _SEED, _SEED


def _dropping(
    query: Any, key: Any, dropout_p: float
) -> Callable[[Any], tuple[Any, tuple[int, int]]] | None:
    """What draws by what each weight is multiplied; None where nothing is dropped.

    It takes who draws, and returns the factors, and the seed and the offset they were drawn from.
    """
    if not dropout_p:
        return None
    shape = (*query.shape[:3], key.shape[2])
    limit = np.uint64(dropout_p * (1 << 32))
    scale = np.array(0.0 if dropout_p == 1 else 1.0 / (1.0 - dropout_p), query.dtype)

    def factors(numbers: CountedNumbers) -> tuple[Any, tuple[int, int]]:
        place = numbers.seed, numbers.offset
        return (numbers.words(prod(shape)) >= limit).reshape(shape) * scale, place

    return factors


def _prepare(
    query: Any, key: Any, value: Any, attn_bias: Any, compute_log_sumexp: bool, dropout_p: float,
    is_causal: bool, scale: float | None,
) -> Callable[..., tuple[Any, ...]]:  # fmt: skip
    run = attend(query, key, value, is_causal, attn_bias, scale)
    dropping = _dropping(query, key, dropout_p)
    batch, heads, length, _ = query.shape
    kept = -(-length // _ALIGNED) * _ALIGNED if compute_log_sumexp else 0

    def kernel(query: Any, key: Any, value: Any, attn_bias: Any, *_: Any) -> tuple[Any, ...]:
        factors, place = None, (0, 0)
        if dropping is not None:
            gen = generator_or_default(None)
            with gen.lock:
                factors, place = dropping(gen.philox)
        out, log = run(query, key, value, attn_bias, factors)
        padded = np.zeros((batch, heads, kept), np.float32)
        if kept:
            padded[..., :length] = log
        seed, offset = np.array(place, np.uint64).view(np.int64)
        return out, padded, np.array(seed), np.array(offset)

    return kernel


def _backward_meta(
    grad_out: Any, query: Any, key: Any, value: Any, attn_bias: Any, out: Any, logsumexp: Any,
    philox_seed: Any, philox_offset: Any, dropout_p: float, grad_input_mask: Sequence[bool],
    *rest: Any,
) -> tuple[Out | None, ...]:  # fmt: skip
    three = [_of_heads(t, t.shape[3]) for t in (query, key, value)]
    added = attn_bias is not None and grad_input_mask[3]
    return *three, _of_mask(attn_bias) if added else None


def _prepare_backward(
    grad_out: Any, query: Any, key: Any, value: Any, attn_bias: Any, out: Any, logsumexp: Any,
    philox_seed: Any, philox_offset: Any, dropout_p: float, grad_input_mask: Sequence[bool],
    is_causal: bool, scale: float | None,
) -> Callable[..., tuple[Any, ...]]:  # fmt: skip
    length = query.shape[2]
    added = attn_bias is not None and grad_input_mask[3]
    run = attend_back(query, key, value, is_causal, attn_bias, scale, added)
    dropping = _dropping(query, key, dropout_p)

    def kernel(
        grad_out: Any, query: Any, key: Any, value: Any, attn_bias: Any, out: Any, logsumexp: Any,
        philox_seed: Any, philox_offset: Any, *_: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        factors = None
        if dropping is not None:
            seed, offset = (int(a.view(np.uint64)) for a in (philox_seed, philox_offset))
            factors, _ = dropping(CountedNumbers(seed, offset))
        kept = logsumexp[..., :length].astype(query.dtype, copy=False)
        return run(grad_out, query, key, value, out, kept, attn_bias, factors)

    return kernel


_NAME: Final = "_scaled_dot_product_efficient_attention"


def _gradient(g: Any, c: Any) -> Any:
    out = g[0]
    if out is None:
        return None, None, None, None
    if recording() and not c.dropout_p:
        return attention_gradients(out, c.query, c.key, c.value, c.attn_bias, c.is_causal, c.scale)
    return of(f"{_NAME}_backward")(
        out, c.query, c.key, c.value, c.attn_bias, c.result0, c.result1, c.result2, c.result3,
        c.dropout_p, c.mask, c.is_causal, scale=c.scale,
    )  # fmt: skip


op(
    f"{_NAME}(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, "
    "bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, *, float? scale=None) -> "
    "(Tensor output, Tensor log_sumexp, Tensor philox_seed, Tensor philox_offset)",
    meta=_meta,
    prepare=_prepare,
    random=True,
    variants="function",
    grad={"query, key, value, attn_bias": _gradient},
    tangent="not implemented",
    samples="efficient_attention",
    tags=("not_on_cpu", "one_gradient", "no_gradient: 1, 2, 3", *SEEDED),
)
op(
    f"{_NAME}_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, "
    "Tensor attn_bias, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, "
    "float dropout_p, bool[4] grad_input_mask, bool is_causal=False, *, float? scale=None) -> "
    "(Tensor, Tensor, Tensor, Tensor)",
    meta=_backward_meta,
    prepare=_prepare_backward,
    variants="",
    grad=listed_as_not_implemented(
        f"{_NAME}_backward", "grad_out_", "query", "key", "value", "attn_bias", "out", "logsumexp"
    ),
    tags=("not_on_cpu", "undefined: attn_bias"),
)
