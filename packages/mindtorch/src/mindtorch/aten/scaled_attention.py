"""Attention of queries to keys and values: one operator where the host has it, else its steps.

Source of checks and texts: torch aten/src/ATen/native/transformers/attention.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mindtorch_storage.dtype import bfloat16, float16, float32, float64

from ..backends.attention_switches import flash, mem_efficient
from ..backends.attention_switches import math as math_steps
from ..call.device_checks import refuse_apart
from ..call.row import op
from ..core import signature as S
from ..core.backend_registry import BACKENDS
from ..core.errors import c_type_name
from ..core.operators import of, ops
from ..core.warning import warn, warn_once
from .reflected import recording, watched

__all__: list[str] = []

#: The numbers of ``torch.nn.attention.SDPBackend``.
_STEPS, _ONE_OPERATOR, _EFFICIENT = 0, 1, 2
_FLOATS = (float32, float64, float16, bfloat16)
#: What accelerators' one operator computes.
_OF_ACCELERATORS = (float32, float16, bfloat16)


def _obstacle(
    query: Any, key: Any, value: Any, mask: Any, dropout_p: float, shared: bool
) -> str | None:
    """Why the host's one operator does not serve these; None where it does.

    Source: torch aten/src/ATen/native/transformers/sdp_utils_cpp.cpp, use_flash_attention_cpp.
    """
    if dropout_p:
        return "Both fused kernels do not support non-zero dropout."
    if mask is not None and mask.requires_grad:
        return ""
    return _misfit(query, key, value, mask, shared, (query, key, value))


def _misfit(
    query: Any, key: Any, value: Any, mask: Any, shared: bool, alike: Sequence[Any]
) -> str | None:
    """Why no one operator serves these, wherever they are; None where one does.

    :param alike: those of the three whose last dimensions must be one size.
    """
    three = query, key, value
    if not query.dim() == key.dim() == value.dim() == 4:
        told = _each(" dim: {}", [t.dim() for t in three])
        return (
            "All fused kernels requires query, key and value to be 4 dimensional, but got "
            f"{told} instead."
        )
    found = _differing_heads(*[list(t.shape) for t in three], shared)
    if found is None and mask is not None:
        found = _misfitting_mask(mask, query.shape, key.size(2))
    if found is not None:
        return found
    if any(t.size(3) != alike[0].size(3) for t in alike[1:]):
        told = _each(".size(-1): {}", [t.size(3) for t in three])
        return (
            f"Flash attention requires q,k,v to have the same last dimension. Got {told} instead."
        )
    if not (query.numel() and key.numel() and key.size(2) == value.size(2)):
        return ""
    if not query.stride(3) == key.stride(3) == value.stride(3) == 1:
        told = _each(".stride(-1): {}", [t.stride(3) for t in three])
        return (
            "All fused kernels require the last dimension of the input to have stride 1. Got "
            f"{told}"
        )
    if query.dtype not in _FLOATS:
        query_told, key_told, value_told = (f"dtype: {c_type_name(t.dtype)}" for t in three)
        return (
            "Expected query, key and value to all be of dtype: {Float, Double, BFloat16, Half}. "
            f"Got Query {query_told}, Key {key_told}, and Value {value_told} instead."
        )
    return None


def _each(text: str, facts: Sequence[Any]) -> str:
    """*text* with the fact of each of the three."""
    names = "Query", "Key", "Value"
    return ", ".join([name + text.format(f) for name, f in zip(names, facts, strict=True)])


def _differing_heads(q: list[int], k: list[int], v: list[int], shared: bool) -> str | None:
    if not q[0] == k[0] == v[0]:
        return (
            "For dense inputs, both fused kernels require query, key and value to have the same "
            f"batch_size. {_each('.sizes(): {}', (q, k, v))} instead. To broadcast dense inputs, "
            "try using unsqueeze and expand_to before passing them into the kernel."
        )
    if not shared and not q[1] == k[1] == v[1]:
        return (
            "For dense input, both fused kernels require query, key and value to have the same "
            f"num_heads. Query.sizes(): {q}, Key sizes(): {k}, Value sizes(): {v} instead. To "
            "broadcast dense inputs, try using unsqueeze and expand_to before passing them into "
            "the kernel."
        )
    if k[1] != v[1]:
        return (
            "Both fused kernels require key and value to have the same num_heads and batch_size "
            f"but got: Key sizes: {k}, Value sizes: {v}, Query sizes: {q} instead."
        )
    if not k[1] or q[1] % k[1]:
        return (
            "The number of heads in key/value must divide number of heads in query.Got input Key "
            f"sizes(): {k[1]}, Value sizes(): {v[1]}, Query sizes(): {q[1]} instead."
        )
    return None


def _misfitting_mask(mask: Any, q: Any, keys: int) -> str | None:
    if mask.size(-2) not in (1, q[2]) or mask.size(-1) not in (1, keys):
        return ""
    fits = mask.dim() == 4 and mask.size(0) in (1, q[0]) and mask.size(1) in (1, q[1])
    if fits or mask.dim() == 2:
        return None
    return (
        "Please use the following attn mask shapes: 2d - ({Q_seq_len, 1}  x {KV_seq_len, 1}); 4d - "
        "({Batch, 1} x {Num_heads, 1} x {Q_seq_len, 1}  x {KV_seq_len, 1})"
    )


def _is_one_operator(
    query: Any, key: Any, value: Any, mask: Any, dropout_p: float, shared: bool
) -> bool:
    """Whether the backend has one operator for these: else attention is several steps."""
    if not flash.value or (query._sig_ | key._sig_) & S.BATCHED:
        return False
    if not (query.is_cpu and query.dtype is key.dtype is value.dtype and query.dtype in _FLOATS):
        return False
    if mask is not None and mask.dtype not in (ops.bool, float32, query.dtype):
        return False
    return _obstacle(query, key, value, mask, dropout_p, shared) is None


def _is_efficient(query: Any, key: Any, value: Any, mask: Any, shared: bool) -> bool:
    """Whether the accelerator of these has one operator for them, which keeps no scores."""
    sig = query._sig_ | key._sig_ | value._sig_
    if not sig & S.ACCELERATORS or sig & (S.BATCHED | S.DUAL):
        return False
    if not (flash.value or mem_efficient.value):
        return False
    if not BACKENDS[query.device.type].fused_kernels or key.device != query.device:
        return False
    if not (query.dtype is key.dtype is value.dtype and query.dtype in _OF_ACCELERATORS):
        return False
    if mask is not None and mask.dtype not in (ops.bool, query.dtype):
        return False
    # CUDA's kernel for shared heads wants one width, the other one leaves values theirs.
    alike = (query, key, value) if shared else (query, key)
    return _misfit(query, key, value, mask, shared, alike) is None


def _refuse(
    query: Any, key: Any, value: Any, mask: Any, dropout_p: float, shared: bool
) -> RuntimeError:
    """What is said where no step by step is wanted, and the one operator does not serve."""
    if not flash.value:
        return RuntimeError(
            "No viable backend for scaled_dot_product_attention was found. This is likely due to "
            "turning off both the math kernel and the fused kernels."
        )
    warn("Flash attention kernel not used because:")
    text = _obstacle(query, key, value, mask, dropout_p, shared)
    if text:
        warn(text)
    return RuntimeError("No available kernel.  Aborting execution.")


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
    if _is_efficient(query, key, value, attn_mask, enable_gqa):
        added = _to_be_added(attn_mask, query)
        if added is not None:
            added = added.expand(*query.shape[:3], key.shape[2])
        kept = recording() and any(
            t is not None and t.requires_grad for t in (query, key, value, added)
        )
        return ops._scaled_dot_product_efficient_attention(
            query, key, value, added, kept, dropout_p, is_causal, scale=scale
        )[0]
    _check_inputs(query, key, value, attn_mask)
    if not all((*query.shape[:-1], *key.shape[:-1], *value.shape)):
        return _of_nothing(query, key, value)
    batched = (query._sig_ | key._sig_ | value._sig_) & S.BATCHED
    if not math_steps.value and query.is_cpu and not batched:
        raise _refuse(query, key, value, attn_mask, dropout_p, enable_gqa)
    added = _to_be_added(attn_mask, query)
    return _in_steps(query, key, value, added, dropout_p, is_causal, None, scale, enable_gqa)[0]


def _in_steps(
    query: Any, key: Any, value: Any, attn_mask: Any, dropout_p: float, is_causal: bool,
    dropout_mask: Any, scale: float | None, enable_gqa: bool,
) -> tuple[Any, Any]:  # fmt: skip
    """What is attended to, and how much to each key."""
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    if enable_gqa:
        key, value = _of_each_head(query, key, value)
    kind = query.dtype
    if any(t.dtype in (float16, bfloat16) for t in (query, key, value)):
        query, key, value = (t.to(float32) for t in (query, key, value))  # rounded at the end
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
        seen = watched(scores, attn_mask)
        scores = scores + attn_mask if seen else scores.add_(attn_mask)
    # A query that may see no key at all gets zeros, as those that are only padding do.
    weights = ops._safe_softmax(scores, -1)
    if dropout_p > 0.0:
        if dropout_mask is None:
            weights = ops.dropout(weights, dropout_p, True)
        else:
            warn_once("Dropout mask should only be used for testing purposes.")
            weights = of("masked_fill.Scalar")(weights, dropout_mask.logical_not(), 0.0)
            value = value * (1.0 / (1.0 - dropout_p))
    return (weights @ value).to(kind), weights.to(kind)


def _choice(
    query: Any, key: Any, value: Any, attn_mask: Any, dropout_p: float, is_causal: bool,
    scale: float | None, enable_gqa: bool,
) -> int:  # fmt: skip
    refuse_apart("aten::_fused_sdp_choice", (query, key, value, attn_mask))
    if _is_one_operator(query, key, value, attn_mask, dropout_p, enable_gqa):
        return _ONE_OPERATOR
    if _is_efficient(query, key, value, attn_mask, enable_gqa):
        return _EFFICIENT
    if not math_steps.value and query.is_cpu:
        raise _refuse(query, key, value, attn_mask, dropout_p, enable_gqa)
    return _STEPS


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
op(
    "_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, "
    "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, "
    "Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)",
    says="Return attention in steps, and what each query pays to each key.",
    composite=_in_steps,
    variants="function",
    samples="attention_steps",
    tags=("product",),
)
op(
    "_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
    "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int",
    says="Return which backend attention would have, by the numbers of `SDPBackend`.",
    composite=_choice,
    kinds={"functional": "tensors"},
    variants="function",
    samples="scaled_attention",
)
