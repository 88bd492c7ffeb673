"""Attention of several heads, with its projections."""

from __future__ import annotations

import math
from typing import Any

from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from .by_name import functional as F


def _none_or_dtype(input: Any) -> Any:
    """The dtype of a tensor; None of None."""
    if input is None or isinstance(input, Tensor):
        return None if input is None else input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")


def _canonical_mask(
    mask: Any, mask_name: str, other_type: Any, other_name: str, target_type: Any,
    check_other: bool = True,
) -> Any:  # fmt: skip
    """*mask* as numbers to add: ``-inf`` where a bool mask is True. None stays None.

    It warns where *other_type*, the dtype of another mask, is another.

    Raises AssertionError for a mask that is neither bool nor floating.
    """
    if mask is None:
        return None
    is_bool = mask.dtype is ops.bool
    if not is_bool and not mask.is_floating_point():
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype is not other_type:
        warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. "
            "Use same type for both instead.",
        )
    if is_bool:
        return ops.zeros_like(mask, dtype=target_type).masked_fill_(mask, -math.inf)
    return mask


def _expect(holds: bool, text: str) -> None:
    if not holds:
        raise AssertionError(text)


def _mha_shape_check(
    query: Any, key: Any, value: Any, key_padding_mask: Any, attn_mask: Any, num_heads: int
) -> bool:
    """Whether there is a batch; the shapes must fit each other."""
    padding, mask, heads = key_padding_mask, attn_mask, num_heads
    ndim = query.dim()
    _expect(
        ndim in (2, 3),
        f"query should be unbatched 2D or batched 3D tensor but received {ndim}-D query tensor",
    )
    which = f"For {'batched' if ndim == 3 else 'unbatched'} ({ndim}-D) `query`, expected"
    _expect(
        key.dim() == ndim and value.dim() == ndim,
        f"{which} `key` and `value` to be {ndim}-D but found {key.dim()}-D and {value.dim()}-D "
        "tensors respectively",
    )
    _expect(
        padding is None or padding.dim() == ndim - 1,
        f"{which} `key_padding_mask` to be `None` or {ndim - 1}-D but found "
        f"{None if padding is None else padding.dim()}-D tensor instead",
    )
    if mask is not None:
        _expect(
            mask.dim() in (2, 3),
            f"{which} `attn_mask` to be `None`, 2-D or 3-D but found {mask.dim()}-D tensor instead",
        )
        if ndim == 2 and mask.dim() == 3:
            shape = (heads, query.shape[0], key.shape[0])
            _expect(
                tuple(mask.shape) == shape,
                f"Expected `attn_mask` shape to be {shape} but got {mask.shape}",
            )
    return ndim == 3


def _check_key_padding_mask(key_padding_mask: Any, src_len: int, bsz: int) -> None:
    """Refuse a mask of other keys."""
    for i, wanted in enumerate((bsz, src_len)):
        found = key_padding_mask.shape[i]
        _expect(
            found == wanted, f"Expected key_padded_mask.shape[{i}] to be {wanted}, but got {found}"
        )


def _in_projection(
    q: Any, k: Any, v: Any, w_q: Any, w_k: Any, w_v: Any, b_q: Any = None, b_k: Any = None,
    b_v: Any = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The three inputs, each through a weight of its own, to the width of *q*."""
    width = q.size(-1)
    named = ("query", q, w_q, b_q), ("key", k, w_k, b_k), ("value", v, w_v, b_v)
    for name, x, weight, _ in named:
        _expect_shape(weight, (width, x.size(-1)), f"{name} weights")
    for name, _, _, bias in named:
        if bias is not None:
            _expect_shape(bias, (width,), f"{name} bias")
    first, second, third = [F.linear(x, weight, bias) for _, x, weight, bias in named]
    return first, second, third


def _expect_shape(given: Any, wanted: tuple[int, ...], name: str) -> None:
    _expect(
        tuple(given.shape) == wanted, f"expecting {name} shape of {wanted}, but got {given.shape}"
    )


def _in_projection_packed(q: Any, k: Any, v: Any, w: Any, b: Any = None) -> tuple[Any, Any, Any]:
    """The three inputs through one weight, in as few products as they allow."""
    width = q.size(-1)
    if q is k is v:
        joined = F.linear(q, w, b)
        parted = joined.unflatten(-1, (3, width)).unsqueeze(0).transpose(0, -2)
        parted = parted.squeeze(-2).contiguous()
        return parted[0], parted[1], parted[2]
    if k is v:
        w_q, w_kv = w.split([width, width * 2])
        b_q, b_kv = (None, None) if b is None else b.split([width, width * 2])
        first = F.linear(q, w_q, b_q)
        joined = F.linear(k, w_kv, b_kv)
        parted = joined.unflatten(-1, (2, width)).unsqueeze(0).transpose(0, -2)
        parted = parted.squeeze(-2).contiguous()
        return first, parted[0], parted[1]
    weights = w.chunk(3)
    biases = (None, None, None) if b is None else b.chunk(3)
    first, second, third = [
        F.linear(x, own, bias) for x, own, bias in zip((q, k, v), weights, biases, strict=True)
    ]
    return first, second, third


def _check_mask(mask: Any, target: int, source: int, rows: int) -> Any:
    """*mask* with three dimensions."""
    if mask.dim() == 2:
        if tuple(mask.shape) != (target, source):
            raise RuntimeError(
                f"The shape of the 2D attn_mask is {mask.shape}, but should be {(target, source)}."
            )
        return mask.unsqueeze(0)
    if tuple(mask.shape) != (rows, target, source):
        raise RuntimeError(
            f"The shape of the 3D attn_mask is {mask.shape}, but should be "
            f"{(rows, target, source)}."
        )
    return mask


def _static(given: Any, computed: Any, name: str, rows: int, heads: int, width: int) -> Any:
    if given is None:
        return computed.view(computed.shape[0], rows, width).transpose(0, 1)
    _expect(
        given.size(0) == rows,
        f"expecting static_{name}.size(0) of {rows}, but got {given.size(0)}",
    )
    _expect(
        given.size(2) == width,
        f"expecting static_{name}.size(2) of {width}, but got {given.size(2)}",
    )
    return given


def _separate_projections(
    query: Any, key: Any, value: Any, weights: tuple[Any, Any, Any], bias: Any
) -> tuple[Any, Any, Any]:
    """The three inputs, each through a weight that must be given."""
    _expect(
        key.shape[:2] == value.shape[:2],
        f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}",
    )
    for name, given in zip("qkv", weights, strict=True):
        _expect(
            given is not None, f"use_separate_proj_weight is True but {name}_proj_weight is None"
        )
    biases = (None, None, None) if bias is None else bias.chunk(3)
    found: tuple[Any, Any, Any] = F._in_projection(query, key, value, *weights, *biases)
    return found


def _longer(mask: Any) -> Any:
    """*mask* for one more key, behind the others, that is seen."""
    return None if mask is None else F.pad(mask, (0, 1))


def _weighed(q: Any, k: Any, v: Any, mask: Any, dropout_p: float) -> tuple[Any, Any]:
    """Attention of each row of (rows, L, head), and its weights (rows, L, S)."""
    scaled = q * math.sqrt(1.0 / float(q.size(2)))
    keys = k.transpose(-2, -1)
    scores = ops.bmm(scaled, keys) if mask is None else ops.baddbmm(mask, scaled, keys)
    weights = F.softmax(scores, dim=-1)
    if dropout_p > 0.0:
        weights = F.dropout(weights, p=dropout_p)
    return ops.bmm(weights, v), weights


def _attended(
    q: Any, k: Any, v: Any, mask: Any, dropout_p: float, is_causal: bool, sizes: tuple[int, int]
) -> Any:
    """Attention by the operator; *sizes* are those of the batch and of its heads."""
    if mask is not None:
        one_for_all = mask.size(0) == 1 and mask.dim() == 3
        mask = mask.unsqueeze(0) if one_for_all else mask.view(*sizes, -1, k.size(1))
    q, k, v = (x.view(*sizes, x.size(1), x.size(2)) for x in (q, k, v))
    causal = is_causal and mask is None
    return F.scaled_dot_product_attention(q, k, v, mask, dropout_p, causal)


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention of *num_heads* heads over (L, N, E), or (L, E), and its weights.

    :param key_padding_mask: (N, S), True for keys that nobody sees, or numbers to add.
    :param attn_mask: (L, S) or (N * heads, L, S), of the same two kinds.
    :param need_weights: whether the second result is the weights (N, L, S), or None.
    :param average_attn_weights: the mean over heads, or (N, heads, L, S).
    :param is_causal: says that *attn_mask* is the causal one.

    Raises AssertionError or RuntimeError for shapes that do not fit.
    """
    batched = F._mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    target, batch, width = query.shape
    source = key.shape[0]
    key_padding_mask = F._canonical_mask(
        mask=key_padding_mask, mask_name="key_padding_mask", other_name="attn_mask",
        other_type=F._none_or_dtype(attn_mask), target_type=query.dtype,
    )  # fmt: skip
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None  # attention makes it itself
    else:
        attn_mask = F._canonical_mask(
            mask=attn_mask, mask_name="attn_mask", other_name="", other_type=None,
            target_type=query.dtype, check_other=False,
        )  # fmt: skip
        is_causal = is_causal and key_padding_mask is None
    _expect(
        width == embed_dim_to_check,
        f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}",
    )
    head = width // num_heads
    _expect(head * num_heads == width, f"embed_dim {width} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        own = q_proj_weight, k_proj_weight, v_proj_weight
        q, k, v = _separate_projections(query, key, value, own, in_proj_bias)
    else:
        _expect(
            key.shape == value.shape,
            f"key shape {key.shape} does not match value shape {value.shape}",
        )
        q, k, v = F._in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    rows = batch * num_heads
    if attn_mask is not None:
        attn_mask = _check_mask(attn_mask, target, source, rows)
    if bias_k is not None and bias_v is not None:
        _expect(static_k is None, "bias cannot be added to static key.")
        _expect(static_v is None, "bias cannot be added to static value.")
        k = ops.cat([k, bias_k.repeat(1, batch, 1)])
        v = ops.cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask, key_padding_mask = _longer(attn_mask), _longer(key_padding_mask)
    else:
        _expect(bias_k is None, "bias_k is set but bias_v is None")
        _expect(bias_v is None, "bias_v is set but bias_k is None")
    q = q.view(target, rows, head).transpose(0, 1)
    k = _static(static_k, k, "k", rows, num_heads, head)
    v = _static(static_v, v, "v", rows, num_heads, head)
    if add_zero_attn:
        zeros = ops.zeros((rows, 1, head), dtype=k.dtype, device=k.device)
        k, v = ops.cat([k, zeros], 1), ops.cat([v, zeros], 1)
        attn_mask, key_padding_mask = _longer(attn_mask), _longer(key_padding_mask)
    source = k.size(1)
    if key_padding_mask is not None:
        F._check_key_padding_mask(key_padding_mask, source, batch)
        padding = key_padding_mask.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
        padding = padding.reshape(rows, 1, source)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    dropout_p = dropout_p if training else 0.0
    weights: Any = None
    if need_weights:
        out, weights = _weighed(q, k, v, attn_mask, dropout_p)
        joined = out.transpose(0, 1).reshape(target * batch, width)
    else:
        out = _attended(q, k, v, attn_mask, dropout_p, is_causal, (batch, num_heads))
        joined = out.permute(2, 0, 1, 3).reshape(batch * target, width)
    result = F.linear(joined, out_proj_weight, out_proj_bias)
    result = result.view(target, batch, result.size(1))
    if weights is not None:
        weights = weights.view(batch, num_heads, target, source)
        if average_attn_weights:
            weights = weights.mean(1)
    if not batched:
        result = result.squeeze(1)
        weights = None if weights is None else weights.squeeze(0)
    return result, weights
