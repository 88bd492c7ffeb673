"""``torch.nn.attention``: the choice of kernels, causal biases, attention by functions."""

from __future__ import annotations

import importlib
import inspect

import numpy as np
import pytest

from .both_frameworks import ours, same, torch
from .helpers import differences

BOTH = (ours, torch)
MODULES = ("attention", "attention.bias", "attention.flex_attention", "attention.varlen")


def module(t, path):
    return importlib.import_module(f"{t.__name__}.nn.{path}")


@pytest.mark.parametrize("path", MODULES)
def test_public_names_and_their_arguments_are_torchs(path):
    mine, theirs = module(ours, path), module(torch, path)
    assert sorted(mine.__all__) == sorted(theirs.__all__)
    for name in theirs.__all__:
        value = getattr(theirs, name)
        if inspect.isfunction(value):
            a, b = (list(inspect.signature(getattr(m, name)).parameters) for m in (mine, theirs))
            assert a == b, name


def tensor(t, *shape, seed=0):
    numbers = np.random.default_rng([seed, *shape]).uniform(-1, 1, shape)
    return t.from_numpy(numbers.astype(np.float32))


def inputs(t, heads=2, q=5, kv=7):
    return tensor(t, 2, heads, q, 4), tensor(t, 2, 2, kv, 4, seed=1), tensor(t, 2, 2, kv, 3, seed=2)


def flex(t):
    return module(t, "attention.flex_attention")


def kernels(t):
    attention = module(t, "attention")
    backend = attention.SDPBackend
    seen = [str(b) for b in attention._cur_sdpa_kernel_backends()]
    with attention.sdpa_kernel(backend.MATH):
        seen += [str(b) for b in attention._cur_sdpa_kernel_backends()]
        with attention.sdpa_kernel([backend.FLASH_ATTENTION, backend.EFFICIENT_ATTENTION]):
            seen += [repr(b) for b in attention._cur_sdpa_kernel_backends()]
            seen.append(t.backends.cuda.math_sdp_enabled())
    seen += [str(b) for b in attention._cur_sdpa_kernel_backends()]
    return seen + [int(b) for b in backend.__members__.values()] + [backend(1).name]


def biased(t, variant, q, kv):
    bias = getattr(module(t, "attention.bias"), variant)(q, kv)
    query, key, value = inputs(t, q=q, kv=kv)
    out = t.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
    return [repr(bias), [round(x, 4) for x in out.reshape(-1).tolist()]]


def block_mask(t, mod, b, h, q, kv, size):
    made = flex(t).create_block_mask(mod, b, h, q, kv, device="cpu", BLOCK_SIZE=size)
    names = "kv_num_blocks kv_indices full_kv_num_blocks full_kv_indices q_num_blocks q_indices"
    parts = [getattr(made, n).tolist() for n in names.split()]
    return [*parts, made.to_dense(), made.shape, round(made.sparsity(), 4), made.numel(), str(made)]


CASES = {
    "kernels": kernels,
    "no kernel": lambda t: module(t, "attention").sdpa_kernel("math").__enter__(),
    "upper left": lambda t: biased(t, "causal_upper_left", 3, 5),
    "lower right": lambda t: biased(t, "causal_lower_right", 3, 5),
    "square": lambda t: biased(t, "causal_lower_right", 4, 4),
    "NaN": lambda t: repr(module(t, "attention.bias").causal_lower_right(3, 2)),
    "one size": lambda t: module(t, "attention.bias").causal_lower_right(3),
    "twice causal": lambda t: t.nn.functional.scaled_dot_product_attention(
        *inputs(t, q=3, kv=3),
        attn_mask=module(t, "attention.bias").causal_upper_left(3, 3),
        is_causal=True,
    ),
    "blocks": lambda t: block_mask(t, lambda b, h, q, k: q >= k, 1, 1, 16, 16, 4),
    "uneven blocks": lambda t: block_mask(t, lambda b, h, q, k: q - k < 3, 2, None, 10, 7, (4, 2)),
    "part": lambda t: (
        flex(t)
        .create_block_mask(lambda b, h, q, k: q >= k, 2, 2, 16, 16, "cpu", 4)[1, 0]
        .kv_num_blocks
    ),
    "mask": lambda t: flex(t).create_mask(lambda b, h, q, k: q + h >= k, 1, 2, 3, 4, "cpu"),
    "joined masks": lambda t: flex(t).create_mask(
        flex(t).and_masks(
            flex(t).or_masks(lambda b, h, q, k: q == k, lambda b, h, q, k: k == 0),
            lambda b, h, q, k: q > 0,
        ),
        1, 1, 3, 3, "cpu",
    ),
    "no masks": lambda t: flex(t).or_masks(3),
    "few dims": lambda t: flex(t).flex_attention(*[x[0] for x in inputs(t)]),
    "heads": lambda t: flex(t).flex_attention(*inputs(t, heads=4)),
    "other length": lambda t: flex(t).flex_attention(
        *inputs(t),
        block_mask=flex(t).create_block_mask(lambda b, h, q, k: q >= k, 1, 1, 16, 16, "cpu", 4),
    ),
    "largest": lambda t: flex(t).flex_attention(
        *inputs(t), return_aux=flex(t).AuxRequest(max_scores=True)
    ),
    "gradient": lambda t: flex(t).flex_attention(inputs(t)[0].requires_grad_(), *inputs(t)[1:]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_masks_and_kernels_are_torchs(name):
    same(CASES[name])


CALLS = {
    "plain": lambda t: flex(t).flex_attention(*inputs(t)),
    "scaled": lambda t: flex(t).flex_attention(*inputs(t), scale=2.0),
    "scores": lambda t: flex(t).flex_attention(
        *inputs(t), lambda s, b, h, i, j: s * (h + 1) + (j - i) * 0.1
    ),
    "shared heads": lambda t: flex(t).flex_attention(*inputs(t, heads=4), enable_gqa=True),
    "blocks": lambda t: flex(t).flex_attention(
        *inputs(t),
        block_mask=flex(t).create_block_mask(lambda b, h, q, k: q >= k, None, None, 5, 7, "cpu", 4),
    ),
    "blind queries": lambda t: flex(t).flex_attention(
        *inputs(t),
        block_mask=flex(t).create_block_mask(lambda b, h, q, k: q > k, None, None, 5, 7, "cpu", 4),
    ),
    "more": lambda t: (
        flex(t).flex_attention(*inputs(t), return_aux=flex(t).AuxRequest(lse=True))[1].lse
    ),
}


@pytest.mark.filterwarnings("ignore:flex_attention called without")
@pytest.mark.parametrize("name", CALLS)
def test_attention_by_functions_gives_torchs_numbers(name):
    got, want = CALLS[name](ours), CALLS[name](torch)
    pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
    for a, b in pairs:
        assert not differences(a, b, rtol=1e-5, atol=1e-6)
