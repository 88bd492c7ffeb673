"""``npu_fusion_attention``: attention that keeps no scores.

Queries are served in blocks. For the gradient the largest score and the sum of exponentials of
each query are kept, and the scores are computed again. So memory grows with the length of a
sequence and not with its square, and a plan of a program sees what the hardware's operator takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from mindtorch.aten import torch
from mindtorch.autograd import Function
from mindtorch.autograd.function import once_differentiable

__all__ = ["npu_fusion_attention"]

#: So many scores of a head are there at a time, and so many queries at least.
_SCORES: Final = 1 << 16
_FEWEST: Final = 16
#: So many equal columns have the maxima and sums that the operator returns.
_COLUMNS: Final = 8
_MOST: Final = 2147483647
#: Layout -> the order of its dimensions in which they are batch, head, sequence, size of a head.
_ORDERS: Final = {
    "BNSD": (0, 1, 2, 3),
    "BSND": (0, 2, 1, 3),
    "BSH": (0, 2, 1, 3),
    "SBH": (1, 2, 0, 3),
}
#: Modes of ``sparse_mode``: a mask, with bands; all of a mask; triangles at either corner; a band.
_DEFAULT, _ALL, _FROM_START, _FROM_END, _BAND = range(5)


class _Window(NamedTuple):
    """Which scores of a query count, and how.

    :ivar before: how many keys before its own a query sees, and *after* behind it; None: all.
    :ivar shift: the place of the first query's own key.
    :ivar keep: the part of the weights that dropout leaves, drawn from *seed*.
    """

    scale: float
    keep: float
    before: int | None
    after: int | None
    shift: int
    seed: int


class _Attention(Function):
    """The attention of queries (B, K, G, S, D) to keys and values (B, K, T, D): G queries a key."""

    @staticmethod
    def forward(
        ctx: Any, query: Any, key: Any, value: Any, pse: Any, mask: Any, window: _Window
    ) -> Any:
        """The result, float32 maxima of scores and sums of exponentials."""
        out = query.new_empty((*query.shape[:-1], value.shape[-1]))
        largest, total = (
            query.new_empty((*query.shape[:-1], 1), dtype=torch.float32) for _ in range(2)
        )
        keys, values = key.float().unsqueeze(2), value.float().unsqueeze(2)
        for rows in _blocks(query, keys):
            scores = _scores(query[..., rows, :].float(), keys, pse, mask, rows, window)
            most = scores.amax(-1, keepdim=True)
            most = most.masked_fill(most == -torch.inf, 0.0)  # of a query that sees no key
            weights = torch.exp(scores - most)
            summed = weights.sum(-1, keepdim=True)
            kept = _dropped(weights / _not_zero(summed), rows, window)
            out[..., rows, :] = (kept @ values).to(out.dtype)
            largest[..., rows, :], total[..., rows, :] = most, summed
        ctx.save_for_backward(query, key, value, pse, mask, out, largest, total)
        ctx.window = window
        ctx.mark_non_differentiable(largest, total)
        return out, largest, total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Any, *_: Any) -> Any:
        """Gradients of query, key, value and pse."""
        query, key, value, pse, mask, out, largest, total = ctx.saved_tensors
        keys, values = key.float().unsqueeze(2), value.float().unsqueeze(2)
        d_query = torch.empty_like(query)
        d_key, d_value = torch.zeros_like(keys), torch.zeros_like(values)
        d_pse = torch.zeros_like(pse, dtype=torch.float32) if ctx.needs_input_grad[3] else None
        for rows in _blocks(query, keys):
            q, g = query[..., rows, :].float(), grad[..., rows, :].float()
            scores = _scores(q, keys, pse, mask, rows, ctx.window)
            weights = torch.exp(scores - largest[..., rows, :]) / _not_zero(total[..., rows, :])
            d_value += (_dropped(weights, rows, ctx.window).mT @ g).sum(2, keepdim=True)
            d_weights = _dropped(g @ values.mT, rows, ctx.window)
            along = (g * out[..., rows, :].float()).sum(-1, keepdim=True)
            d_scores = weights * (d_weights - along) * ctx.window.scale
            d_query[..., rows, :] = (d_scores @ keys).to(query.dtype)
            d_key += (d_scores.mT @ q).sum(2, keepdim=True)
            if d_pse is not None:
                part = d_pse[..., rows, :]
                part += d_scores.sum_to_size(part.shape)
        return (
            d_query,
            d_key.squeeze(2).to(key.dtype),
            d_value.squeeze(2).to(value.dtype),
            None if d_pse is None else d_pse.to(pse.dtype),
            None,
            None,
        )


def _blocks(query: Any, keys: Any) -> Iterator[slice]:
    length, step = query.shape[-2], max(_FEWEST, _SCORES // max(keys.shape[-2], 1))
    return (slice(i, min(i + step, length)) for i in range(0, length, step))


def _not_zero(total: Any) -> Any:
    """The sum of a query that sees no key is zero, and so are its weights."""
    return total.clamp(min=torch.finfo(torch.float32).tiny)


def _scores(q: Any, keys: Any, pse: Any, mask: Any, rows: slice, window: _Window) -> Any:
    """The scaled scores of a block of queries; -inf where a key does not count."""
    scores = q @ keys.mT
    if pse is not None:
        scores = scores + pse[..., rows, :]
    scores = scores * window.scale
    if mask is not None:
        scores = scores.masked_fill(mask[..., rows, :], -torch.inf)
    if window.before is None and window.after is None:
        return scores
    own = torch.arange(rows.start, rows.stop, device=q.device)[:, None] + window.shift
    ahead = torch.arange(keys.shape[-2], device=q.device) - own
    if window.before is not None:
        scores = scores.masked_fill(ahead < -window.before, -torch.inf)
    if window.after is not None:
        scores = scores.masked_fill(ahead > window.after, -torch.inf)
    return scores


def _dropped(weights: Any, rows: slice, window: _Window) -> Any:
    """The weights that dropout leaves, the same ones for the same block."""
    if window.keep >= 1:
        return weights
    generator = torch.Generator(weights.device).manual_seed(window.seed + rows.start)
    drawn = torch.rand(weights.shape, generator=generator, device=weights.device)
    return weights * (drawn < window.keep) / window.keep


def npu_fusion_attention(
    query: Any,
    key: Any,
    value: Any,
    head_num: int,
    input_layout: str,
    pse: Any = None,
    padding_mask: Any = None,
    atten_mask: Any = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = _MOST,
    next_tockens: int = _MOST,
    inner_precise: int = 0,
    prefix: Sequence[int] | None = None,
    actual_seq_qlen: Sequence[int] | None = None,
    actual_seq_kvlen: Sequence[int] | None = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
) -> tuple[Any, Any, Any, Any, int, int, int]:
    """``dropout(softmax(mask(scale * (query @ keyᵀ + pse)))) @ value``.

    :param head_num: heads of the query; keys may have fewer, of which each serves several.
    :param input_layout: ``BSH``, ``SBH``, ``BSND``, ``BNSD``; ``TND``: sequences one after the
        other, that end at *actual_seq_qlen* and *actual_seq_kvlen*.
    :param atten_mask: True where a key does not count, broadcast to (batch, heads, S, T).
    :param pre_tockens: how many keys before its own a query sees, and *next_tockens* behind it.
    :param sparse_mode: 0: the mask, and the two numbers before; 1: all of the mask; 2: no key
        behind its own, the first key being the first query's; 3: the last key being the last
        query's; 4: a band of the two numbers, counted as for 3.
    :returns: the result in the layout of *query*; maxima of scores and sums of exponentials,
        float32 (batch, heads, S, 8) or (T, heads, 8); an empty tensor; seed, offset and count of
        the numbers that dropout draws.

    Raises NotImplementedError for other modes and for a compressed *pse*.
    """
    if padding_mask is not None or prefix is not None or not _DEFAULT <= sparse_mode <= _BAND:
        raise NotImplementedError(
            "npu_fusion_attention: padding_mask, prefix and sparse_mode above 4 are not there"
        )
    if sparse_mode > _ALL:
        atten_mask = None  # the triangle that the operator is given is that of the mode
    seed = int(torch.randint(_MOST, ()).item()) if keep_prob < 1 else 0
    how = (head_num, atten_mask, scale, keep_prob, pre_tockens, next_tockens, sparse_mode, seed)
    if input_layout == "TND":
        parts = _sequences(query, key, value, pse, actual_seq_qlen, actual_seq_kvlen, how)
        *tensors, counts = zip(*parts, strict=True)
        (out, largest, total), count = map(torch.cat, tensors), sum(counts)
    elif input_layout in _ORDERS:
        out, largest, total, count = _of_layout(query, key, value, input_layout, pse, how)
    else:
        raise RuntimeError(
            "The input_layout should be BSH/SBH/BNSD/BSND/TND(case-insensitive), but got "
            f"{input_layout}"
        )
    columns = [t.expand(*t.shape[:-1], _COLUMNS).contiguous() for t in (largest, total)]
    return out, *columns, query.new_empty(0), seed, 0, count if keep_prob < 1 else 0


def _sequences(
    query: Any, key: Any, value: Any, pse: Any, q_ends: Any, k_ends: Any, how: tuple[Any, ...]
) -> Iterator[tuple[Any, Any, Any, int]]:
    """The results for sequences that lie one after the other, each (length, heads, …)."""
    if q_ends is None or k_ends is None:
        raise RuntimeError("TND needs actual_seq_qlen and actual_seq_kvlen")
    begin_q = begin_k = 0
    for end_q, end_k in zip(q_ends, k_ends, strict=True):
        q = query[begin_q:end_q].transpose(0, 1)[None]
        k, v = (t[begin_k:end_k].transpose(0, 1)[None] for t in (key, value))
        *found, count = _of_heads(q, k, v, pse, how)
        out, largest, total = (t[0].transpose(0, 1) for t in found)
        yield out, largest, total, count
        begin_q, begin_k = end_q, end_k


def _of_layout(
    query: Any, key: Any, value: Any, layout: str, pse: Any, how: tuple[Any, ...]
) -> tuple[Any, Any, Any, int]:
    order, heads = _ORDERS[layout], how[0]
    if layout.endswith("H"):
        size = query.shape[-1] // heads
        query, key = (t.unflatten(-1, (-1, size)) for t in (query, key))
        value = value.unflatten(-1, (key.shape[2], -1))
    q, k, v = (t.permute(order) for t in (query, key, value))
    out, largest, total, count = _of_heads(q, k, v, pse, how)
    back = [order.index(i) for i in range(4)]
    out = out.permute(back).contiguous()
    return out.flatten(-2) if layout.endswith("H") else out, largest, total, count


def _of_heads(
    query: Any, key: Any, value: Any, pse: Any, how: tuple[Any, ...]
) -> tuple[Any, Any, Any, int]:
    """The results for tensors (batch, heads, length, size), and how many scores there are."""
    _, mask, scale, keep, before, after, mode, seed = how
    (_, heads, length, _), served = query.shape, key.shape[1]
    if pse is not None and pse.shape[-2] not in (1, length):
        raise NotImplementedError("npu_fusion_attention: compressed position encodings")
    if mode in (_FROM_START, _FROM_END):
        before, after = _MOST, 0
    ranged = mode != _ALL and (mode != _DEFAULT or mask is not None)
    window = _Window(
        scale,
        keep,
        before if ranged and before < _MOST else None,
        after if ranged and after < _MOST else None,
        key.shape[2] - length if mode >= _FROM_END else 0,
        seed,
    )
    found = _Attention.apply(
        query.unflatten(1, (served, -1)),
        key,
        value,
        None if pse is None else _in_groups(pse, heads, served, length),
        None if mask is None else _in_groups(mask.bool(), heads, served, length),
        window,
    )
    out, largest, total = (t.flatten(1, 2) for t in found)
    return out, largest, total, largest.numel() * key.shape[2]


def _in_groups(t: Any, heads: int, served: int, length: int) -> Any:
    """What is added to scores, or masks them, as (batch, keys' heads, group, S, T) or broadcast."""
    t = t[(None,) * (4 - t.dim())]
    t = t.expand(-1, -1, length, -1)
    return t.unflatten(1, (served, -1)) if t.shape[1] == heads > 1 else t.unsqueeze(2)
