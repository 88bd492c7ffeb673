"""Results of tensors whose elements lie apart, in any order: numbers, strides and offsets."""

from __future__ import annotations

import random
import warnings
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

#: Calls on a tensor ``x`` of three dimensions; ``t`` is the framework and ``F`` its functions.
CALLS = """
x.sort(0); x.sort(-1); x.cumsum(0); x.flip(0); x.roll(1, 0); x.clone(); x.contiguous(); x + x
x.exp(); x.softmax(-1); F.log_softmax(x, 0); x.topk(1, -1); x.rot90(1, (0, 1)); x.repeat(2, 1, 1)
x.index_select(0, t.tensor([0, 0])); x[t.tensor([0, 0])]; x[:, t.tensor([0, 0])]; x[x > 0]
t.stack([x, x]); t.stack([x, x], -1); t.cat([x, x]); t.cat([x, x], -1); t.fft.fft(x); x.double()
t.linalg.inv(x @ x.mT + 9 * t.eye(x.shape[-2])); x.mT @ x; t.bmm(x, x.mT); t.linalg.qr(x)
F.layer_norm(x, x.shape[-1:]); t.where(x > 0, x, 0); x.masked_fill(x > 0, 1.0); F.pad(x, (1, 1))
F.pad(x, (-1, 0)); t.zeros_like(x); x.bool(); x.tril(); x.triu(1); x.cummax(0); x.kthvalue(1, 0)
x.median(0); x.sum(1); x.mean(0, keepdim=True); x.std(1); x.norm(dim=1); F.normalize(x); F.gelu(x)
F.silu(x); x.diff(); x.reshape(-1); x.flatten(); t.logcumsumexp(x, 1); t.var_mean(x, 1); x.prod(0)
t.aminmax(x, dim=0); x.gather(0, t.zeros(1, 1, 1, dtype=t.int64)); x.new_zeros(2); x.nan_to_num()
x.scatter(0, t.zeros(1, 1, 1, dtype=t.int64), 1.0); x.index_add(0, t.tensor([0]), x[:1])
x.index_fill(0, t.tensor([0]), 1.0); t.take_along_dim(x, x.argsort(0), 0); F.dropout(x, 0.0)
F.interpolate(x, scale_factor=2); F.avg_pool1d(x, 1); F.max_pool1d(x, 1); t.lerp(x, x, 0.5)
t.baddbmm(x @ x.mT, x, x.mT); F.conv1d(x, t.ones(1, x.shape[1], 1)); x.repeat_interleave(2, 0)
t.renorm(x, 2, 0, 1.0); t.select_scatter(x, x[0], 0, 0); t.slice_scatter(x, x[:1], 0, 0, 1)
t.diagonal_scatter(x, t.zeros(x.shape[0], min(x.shape[1:])), 0, 1, 2); F.unfold(x[None], 1)
t.as_strided_scatter(x, t.zeros(1), (1,), (1,)); t.channel_shuffle(x[None], 1); x.tile(2)
F.scaled_dot_product_attention(x[None], x[None], x[None]); F.embedding(x.long().abs() * 0, x[0])
F.scaled_dot_product_attention(x, x, x, is_causal=True); F.linear(x, x[0]); t.cdist(x, x)
F.glu(t.cat([x, x], -1)); F.batch_norm(x, None, None, training=True); F.prelu(x, t.ones(1))
F.rrelu(x); F.rms_norm(x[None], x.shape[-1:]); F.rms_norm(x.movedim(0, 2)[None], x.shape[:1])
""".replace("\n", "; ")


def outcome(t: Any, call: str, parent: Any, steps: list[int], order: list[int]) -> list[Any]:
    """How each result looks and its numbers; or the type of the error."""
    whole = t.tensor(parent)
    x = whole[tuple(slice(None, None, step) for step in steps)].permute(order)
    try:
        found = eval(call, {"t": t, "F": t.nn.functional, "x": x})
    except (RuntimeError, ValueError, IndexError) as error:
        return [type(error)]
    results = found if isinstance(found, tuple) else (found,)
    return [
        (tuple(r.shape), r.stride(), r.storage_offset(), str(r.dtype).partition(".")[2], r.numpy())
        for r in results
    ]


@pytest.mark.parametrize("call", [c.strip() for c in CALLS.split(";") if c.strip()])
def test_results_lie_as_torchs_do(call: str) -> None:
    chosen, numbers = random.Random(call), np.random.default_rng(len(call))
    for _ in range(8):
        shape = [chosen.choice((1, 2, 3, 4)) for _ in range(3)]
        steps, order = [chosen.choice((1, 1, 2)) for _ in range(3)], chosen.sample(range(3), 3)
        sizes = [n * step for n, step in zip(shape, steps, strict=True)]
        parent = numbers.standard_normal(sizes).astype(np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours, theirs = (outcome(t, call, parent, steps, order) for t in (mindtorch, torch))
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            if isinstance(one, tuple) and isinstance(other, tuple):
                assert one[:-1] == other[:-1], (sizes, steps, order)
                np.testing.assert_allclose(one[-1], other[-1], 1e-3, 1e-4)
            else:
                assert one == other
