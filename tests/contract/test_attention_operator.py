"""Attention of CPU tensors is one operator: what modes see, numbers, gradients, layouts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.contract.both_frameworks import ours as mindtorch
from tests.contract.both_frameworks import refuse
from tests.contract.both_frameworks import torch as oracle

CASES = {
    "plain": {},
    "causal": {"is_causal": True},
    "scaled": {"scale": 0.3},
    "masked": {"attn_mask": np.arange(30).reshape(5, 6) % 3 > 0},
    "weighted": {"attn_mask": np.linspace(-1, 1, 30).reshape(5, 6)},
    "blind": {"attn_mask": np.arange(30).reshape(5, 6) >= 6},
    "shared": {"enable_gqa": True},
}


def attended(t, case, dtype, layout="whole"):
    """The result of attention and the gradients of its operands, as arrays with their strides."""
    numbers = np.random.default_rng(0)
    heads = 2 if case == "shared" else 4
    shapes = [(2, 4, 5, 8), (2, heads, 6, 8), (2, heads, 6, 8)]
    made = [t.tensor(numbers.standard_normal(s)).to(getattr(t, dtype)) for s in shapes]
    if layout == "turned":
        made[0] = made[0].transpose(1, 2).contiguous().transpose(1, 2)
    elif layout == "parts":  # as of one product for queries, keys and values
        made = [t.stack([x.transpose(1, 2)] * 3, 2)[:, :, 1].transpose(1, 2) for x in made]
    made = [x.detach().requires_grad_() for x in made]
    options = dict(CASES[case])
    if "attn_mask" in options:
        mask = t.tensor(options["attn_mask"])
        options["attn_mask"] = mask if mask.dtype is t.bool else mask.to(getattr(t, dtype))
    out = t.nn.functional.scaled_dot_product_attention(*made, **options)
    (out * out).sum().backward()
    return [(x.tolist(), x.stride()) for x in (out.detach(), *[x.grad for x in made])]


@pytest.mark.parametrize("layout", ["whole", "turned", "parts"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", CASES)
def test_numbers_and_gradients(case, dtype, layout):
    bound = {"float32": 1e-4, "float64": 1e-11}[dtype]
    both = [attended(t, case, dtype, layout) for t in (mindtorch, oracle)]
    for (ours, our_strides), (theirs, their_strides) in zip(*both, strict=True):
        assert our_strides == their_strides
        np.testing.assert_allclose(ours, theirs, bound, bound)


def seen(t, *args, **options):
    """The operators that a mode sees of a call."""
    names = []

    class Watch(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            names.append(str(func))
            return func(*args, **(kwargs or {}))

    with Watch():
        t.nn.functional.scaled_dot_product_attention(*args, **options)
    return names


@pytest.mark.parametrize("width", [4, 3])
def test_a_mode_sees_one_operator_where_torch_has_one(width):
    def run(t):
        q = t.ones(1, 2, 3, 4)
        return seen(t, q, q, q if width == 4 else t.ones(1, 2, 3, width))

    alone = ["aten._scaled_dot_product_flash_attention_for_cpu.default"]
    ours, theirs = run(mindtorch), run(oracle)
    assert (ours == alone) is (theirs == alone) is (width == 4)


def test_the_gradient_can_be_differentiated_again():
    """torch refuses it; here the formula is one over tensors then."""
    t = mindtorch
    q = t.linspace(-1, 1, 24, dtype=t.float64).reshape(1, 2, 3, 4).requires_grad_()

    def run(q):
        return t.nn.functional.scaled_dot_product_attention(q, q.sin(), q * 2)

    assert t.autograd.gradcheck(run, (q,))
    assert t.autograd.gradgradcheck(run, (q,))


def _inputs(t, **changed):
    """Queries, keys and values of three heads, some of them in another way."""
    made = {"query": (2, 3, 4, 8), "key": (2, 3, 5, 8), "value": (2, 3, 5, 6)}
    tensors = {name: t.ones(changed.get(name, shape)) for name, shape in made.items()}
    for name, dtype in changed.get("dtypes", {}).items():
        tensors[name] = tensors[name].to(getattr(t, dtype))
    for name in changed.get("meta", ()):
        tensors[name] = tensors[name].to("meta")
    return tensors


#: What of the inputs is another, and the mask's dtype or None.
REFUSED = {
    "a key of another dtype": ({"dtypes": {"key": "float64"}}, None, {}),
    "a value elsewhere": ({"meta": ["value"]}, None, {}),
    "a query without a width": ({"query": (4,)}, None, {}),
    "another dtype comes before no width": ({"query": (4,), "dtypes": {"key": "int64"}}, None, {}),
    "a mask of integers": ({}, "int32", {}),
    "a mask wider than queries": ({}, "float64", {}),
    "a mask of fewer bits": ({}, "float16", {}),
    "a wide mask of halves": (
        {"dtypes": dict.fromkeys(("query", "key", "value"), "float16")},
        "float64",
        {},
    ),
    "a bad mask of causal attention": ({}, "int32", {"is_causal": True}),
    "a mask of causal attention": ({}, "float32", {"is_causal": True}),
    "heads that do not divide": ({"query": (2, 5, 4, 8)}, None, {"enable_gqa": True}),
    "values that do not divide": ({"value": (2, 2, 5, 6)}, None, {"enable_gqa": True}),
    "no heads": (
        {"query": (4, 8), "key": (5, 8), "value": (5, 6)},
        None,
        {"enable_gqa": True},
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_inputs_that_do_not_fit_are_refused_in_torchs_words(case):
    changed, mask, options = REFUSED[case]

    def called(t):
        made = _inputs(t, **changed)
        if mask is not None:
            options["attn_mask"] = t.ones(4, 5, dtype=getattr(t, mask))
        t.nn.functional.scaled_dot_product_attention(**made, **options)

    refuse(called)


@pytest.mark.parametrize("scale", [-0.5, 0.0, 2.0])
def test_any_number_scales(scale):
    def called(t):
        made = [t.linspace(-1, 1, x.numel()).view(x.shape) for x in _inputs(t).values()]
        return t.nn.functional.scaled_dot_product_attention(*made, scale=scale)

    np.testing.assert_allclose(called(mindtorch), called(oracle), 1e-5, 1e-5)
