"""Attention whose scores and masks are functions of places: ``flex_attention``.

Without a compiler all scores are made at once, in torch as here. A :class:`BlockMask` says for
blocks of queries which blocks of keys they see at all; here it only brings its function along.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypedDict

from ...aten import torch
from ...core.module_names import adopt
from ...core.warning import warn
from . import _block_mask, _place_functions
from ._block_mask import _DEFAULT_SPARSE_BLOCK_SIZE as _DEFAULT_SPARSE_BLOCK_SIZE
from ._block_mask import BlockMask, create_block_mask
from ._block_mask import _adjust_num_blocks_and_indices as _adjust_num_blocks_and_indices
from ._block_mask import _convert_block_mask_to_mask as _convert_block_mask_to_mask
from ._block_mask import _convert_mask_to_block_mask as _convert_mask_to_block_mask
from ._block_mask import (
    _create_sparse_block_from_block_mask as _create_sparse_block_from_block_mask,
)
from ._block_mask import _dense_to_ordered as _dense_to_ordered
from ._block_mask import _ordered_to_dense as _ordered_to_dense
from ._block_mask import _round_up_to_multiple as _round_up_to_multiple
from ._block_mask import _sliced_mask_mod_error as _sliced_mask_mod_error
from ._block_mask import _transpose_ordered as _transpose_ordered
from ._place_functions import _identity as _identity
from ._place_functions import _places, _vmap_for_bhqkv, and_masks, create_mask, noop_mask, or_masks

__all__ = [
    "BlockMask",
    "flex_attention",
    "AuxOutput",
    "AuxRequest",
    "FlexKernelOptions",
    "create_block_mask",
    "create_mask",
    "or_masks",
    "and_masks",
    "noop_mask",
]

_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = False
_LARGE_SPARSE_BLOCK_SIZE = 1 << 30
_WARNED: set[str] = set()

Mod = Callable[..., Any]


class FlexKernelOptions(TypedDict, total=False):
    """Hints to a compiler's kernels; nothing follows from them here."""

    num_warps: int
    num_stages: int
    BLOCK_M: int
    BLOCK_N: int
    PRESCALE_QK: bool
    ROWS_GUARANTEED_SAFE: bool
    BLOCKS_ARE_CONTIGUOUS: bool
    WRITE_DQ: bool
    FORCE_USE_FLEX_ATTENTION: bool
    USE_TMA: bool
    BACKEND: Literal["AUTO", "TRITON", "FLASH", "TRITON_DECODE"]


class AuxRequest(NamedTuple):
    """What else than the result is wanted.

    :param lse: the logarithm of the sums of exponentials.
    :param max_scores: the largest score of each query.
    """

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """What was asked for with :class:`AuxRequest`; None is what was not."""

    lse: Any = None
    max_scores: Any = None


def _warn_once(warning_id: str, message: str, category: type[Warning] = UserWarning) -> None:
    if warning_id not in _WARNED:
        _WARNED.add(warning_id)
        warn(message, category)


def _check(query: Any, key: Any, value: Any, block_mask: Any, enable_gqa: bool) -> None:
    if {t.dim() for t in (query, key, value)} != {4}:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    if not enable_gqa and query.size(-3) != key.size(-3):
        raise ValueError(
            "Expect query and key/value to have the same number of heads but got "
            f"Hq={query.size(-3)} and Hkv={key.size(-3)}. Try setting enable_gqa=True for GQA."
        )
    if enable_gqa and query.size(1) % key.size(1):
        raise ValueError(
            "Expect number of query heads to be a multiple of kv heads for GQA but got "
            f"Hq={query.size(1)} and Hkv={key.size(1)}."
        )
    batch, other = query.size(0), key.size(0)
    if batch != other and block_mask is None:
        raise ValueError(
            "Expect query and key/value to have the same batch size, or non-none block_mask, "
            f"but got block_mask=None, Bq={batch}, and Bkv={other}."
        )
    if batch != other and block_mask.kv_num_blocks.size(0) != batch:
        raise ValueError(
            "Expect query and key/value to have the same batch size, or block_mask and query "
            "to have the same batch size, but got "
            f"block_mask.kv_num_blocks.size(0)={block_mask.kv_num_blocks.size(0)}, "
            f"Bq={batch}, and Bkv={other}."
        )
    if query.size(-1) != key.size(-1):
        raise ValueError(
            "Expect query and key/value to have the same embedding dimension but got "
            f"E={query.size(-1)} and E={key.size(-1)}."
        )


def _check_mask(query: Any, key: Any, block_mask: BlockMask) -> None:
    q_len, kv_len = query.size(-2), key.size(-2)
    mask_q, mask_kv = block_mask.shape[-2:]
    if (q_len, kv_len) == (mask_q, mask_kv):
        return
    start = (
        f"block_mask was created for block_mask.shape={block_mask.shape} but got q_len={q_len} and "
        f"kv_len={kv_len}. "
    )
    if q_len <= mask_q and kv_len <= mask_kv:
        raise ValueError(
            start + "As the block mask was created for a larger length than you're using it for, "
            "you can either 1. create a new block mask with the correct length, or 2. 'adjust' "
            "the existing block mask to the correct length by calling "
            "block_mask._adjust(q_len, kv_len). This essentially 'crops' the block mask to the "
            "upper left corner, which does not work for all mask_mods!"
        )
    raise ValueError(
        start + "As the block mask was created for a smaller length than you're using it for, you "
        "likely need to create a new block mask."
    )


def _create_empty_block_mask(query: Any, key: Any) -> BlockMask:
    """A mask of one block, which is as large as may be: it hides nothing."""
    return BlockMask.from_kv_blocks(
        kv_num_blocks=torch.ones([1, 1, 1], dtype=torch.int32, device=query.device),
        kv_indices=torch.zeros([1, 1, 1, 1], dtype=torch.int32, device=query.device),
        BLOCK_SIZE=_LARGE_SPARSE_BLOCK_SIZE,
        seq_lengths=(1, 1),
    )


def flex_attention(
    query: Any,
    key: Any,
    value: Any,
    score_mod: Mod | None = None,
    block_mask: BlockMask | None = None,
    scale: float | None = None,
    enable_gqa: bool = False,
    return_lse: bool = False,
    kernel_options: FlexKernelOptions | None = None,
    *,
    return_aux: AuxRequest | None = None,
) -> Any:
    """Attention of (B, H, L, E) whose scores ``score_mod(score, b, h, q, kv)`` changes.

    :param block_mask: hides pairs for which its function is False.
    :param scale: ``1 / sqrt(E)``, where None.
    :param enable_gqa: several heads of queries share one head of keys and values.
    :param return_aux: what else is wanted.

    Raises NotImplementedError where a gradient is wanted, as torch does on the host.
    """
    _check(query, key, value, block_mask, enable_gqa)
    if block_mask is not None:
        _check_mask(query, key, block_mask)
    if return_lse and return_aux is not None:
        raise ValueError("return_lse and return_aux cannot both be specified")
    if return_lse:
        _warn_once(
            "deprecated_return_lse",
            "return_lse is deprecated and will be removed in v2.10. Please use "
            "return_aux=AuxRequest(lse=True) instead.",
            FutureWarning,
        )
    if return_aux is not None and return_aux.max_scores and query.device.type == "cpu":
        raise NotImplementedError("Returning max scores is not supported on CPU/MPS.")
    wants_grad = torch.is_grad_enabled() and any(t.requires_grad for t in (query, key, value))
    if wants_grad and query.device.type == "cpu":
        raise NotImplementedError(
            "FlexAttention does not support backward on CPU. Please set the input requires_grad to "
            "False or use another device."
        )
    if not _FLEX_ATTENTION_DISABLE_COMPILE_DEBUG:
        _warn_once(
            "flex_attention_performance",
            "flex_attention called without torch.compile() - this will use an unfused "
            "implementation that materializes the full scores matrix instead of generating a fused "
            "kernel.\n\nSOLUTION: Use torch.compile(flex_attention)(...)\n\nIf you want to debug "
            "your score_mod/mask_mod, you can set:\n"
            "torch.nn.attention.flex_attention._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True\n\n"
            "This will allow you to use print statements or breakpoints. Note: This doesn't work "
            "with the backwards pass and may produce incorrect results.",
        )
    mask_mod = None if block_mask is None else block_mask.mask_mod
    out, lse, largest = _attend(query, key, value, score_mod, mask_mod, scale)
    if return_lse:
        return out, lse
    if return_aux is None:
        return out
    return out, AuxOutput(
        lse=lse if return_aux.lse else None, max_scores=largest if return_aux.max_scores else None
    )


def _attend(
    query: Any, key: Any, value: Any, score_mod: Mod | None, mask_mod: Mod | None,
    scale: float | None, score_buffers: tuple[Any, ...] = (), mask_buffers: tuple[Any, ...] = (),
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Result, logarithm of the sum of exponentials, and greatest score, of each query.

    :param score_buffers: what *score_mod* takes beside a score and its place.
    """
    batches, heads = query.size(0), query.size(1)
    key, value = (t.expand((batches, *t.shape[1:])) for t in (key, value))
    repeats = heads // key.size(1)
    if repeats > 1:
        key, value = key.repeat_interleave(repeats, 1), value.repeat_interleave(repeats, 1)
    factor = 1.0 / math.sqrt(query.size(-1)) if scale is None else scale
    wide = torch.float64 if query.dtype == torch.float64 else torch.float32
    scores = (query.to(wide) @ key.to(wide).transpose(-2, -1)) * factor
    places = _places((batches, heads, query.size(-2), key.size(-2)), query.device)
    if score_mod is not None:
        whole = (None,) * len(score_buffers)
        mapped = _vmap_for_bhqkv(score_mod, prefix=(0,), suffix=whole)
        scores = mapped(scores, *places, *score_buffers)
    if mask_mod is not None:
        whole = (None,) * len(mask_buffers)
        seen = _vmap_for_bhqkv(mask_mod, prefix=(), suffix=whole)(*places, *mask_buffers)
        scores = torch.where(seen, scores, -math.inf)
    lse = scores.logsumexp(-1)
    hidden = (scores == -math.inf).all(-1, keepdim=True)  # who sees nothing gets nothing
    weights = torch.where(hidden, 0.0, scores).softmax(-1)
    out = torch.where(hidden, 0.0, weights @ value.to(wide)).to(query.dtype)
    return out, lse, scores.amax(-1) if scores.size(-1) else lse


adopt(__name__, _block_mask, _place_functions)
