"""The parts of attention that libraries import and write layers of their own with."""

import numpy as np
import pytest

from tests.contract.both_frameworks import ours, outcome, torch


def tensor(t, *shape, seed=0):
    return t.tensor(np.random.default_rng(seed).standard_normal(shape).round(3))


def rounded(value):
    """Nested results with their numbers rounded."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, (list, tuple)):
        return [rounded(v) for v in value]
    return value


def same(fn):
    """What *fn* returns, raises and warns about is the same in both."""
    got, want = (outcome(lambda t: fn(t, t.nn.functional), t) for t in (ours, torch))
    assert rounded(got) == rounded(want)


def packed(t, kind):
    x, y, z = (tensor(t, 3, 2, 4, seed=i) for i in range(3))
    return {"one": (x, x, x), "two": (x, y, y), "three": (x, y, z), "turned": (x, y, x)}[kind]


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("kind", ["one", "two", "three", "turned"])
def test_three_inputs_go_through_one_weight(kind, bias):
    def weight(t):
        return tensor(t, 12, 4, seed=7), tensor(t, 12, seed=8) if bias else None

    same(lambda t, F: list(F._in_projection_packed(*packed(t, kind), *weight(t))))


@pytest.mark.parametrize("wrong", [None, "w0", "w1", "w2", "b0", "b1", "b2"])
def test_each_input_goes_through_its_weight(wrong):
    def projected(t, F):
        widths = 4, 3, 5
        inputs = [tensor(t, 2, n, seed=i) for i, n in enumerate(widths)]
        sizes = {f"w{i}": (4, n) for i, n in enumerate(widths)} | {f"b{i}": (4,) for i in range(3)}
        sizes |= {} if wrong is None else {wrong: (6, 6)}
        return list(F._in_projection(*inputs, *[tensor(t, *size) for size in sizes.values()]))

    same(projected)


@pytest.mark.parametrize("other", [None, "bool", "float32"])
@pytest.mark.parametrize("dtype", ["bool", "float64", "int64"])
def test_masks_become_numbers(dtype, other):
    def made(t, F):
        mask = (tensor(t, 2, 3) > 0).to(getattr(t, dtype))
        kind = None if other is None else getattr(t, other)
        return F._canonical_mask(mask, "mask", kind, "other", t.float32)

    same(made)
    same(lambda t, F: F._canonical_mask(None, "mask", None, "", t.float32))


def test_what_is_no_tensor_has_no_dtype():
    same(lambda t, F: str(F._none_or_dtype(t.ones(2))))
    same(lambda t, F: F._none_or_dtype(None))
    same(lambda t, F: F._none_or_dtype(3))


@pytest.mark.parametrize("mask", [(3,), (3, 3), (2, 3, 3), (4, 3, 3)])
@pytest.mark.parametrize("query", [(4,), (3, 4), (3, 2, 4)])
def test_shapes_tell_whether_there_is_a_batch(query, mask):
    same(lambda t, F: F._mha_shape_check(*[t.ones(query)] * 3, None, t.ones(mask), 2))
    same(lambda t, F: F._mha_shape_check(*[t.ones(query)] * 3, t.ones(mask), None, 2))


def forward(t, F, **changed):
    x = tensor(t, 3, 2, 4)
    weights = {"in_proj_weight": tensor(t, 12, 4), "out_proj_weight": tensor(t, 4, 4)}
    given = {
        "query": x, "key": x, "value": x, "embed_dim_to_check": 4, "num_heads": 2,
        "in_proj_bias": None, "bias_k": None, "bias_v": None, "add_zero_attn": False,
        "dropout_p": 0.0, "out_proj_bias": None, **weights,
        **{k: v(t) if callable(v) else v for k, v in changed.items()},
    }  # fmt: skip
    return F.multi_head_attention_forward(**given)


REFUSED = {
    "padding of another batch": {"key_padding_mask": lambda t: t.ones(1, 3) > 0},
    "padding of other keys": {"key_padding_mask": lambda t: t.ones(2, 4) > 0},
    "more keys alone": {"bias_k": lambda t: t.ones(1, 1, 4)},
    "more values alone": {"bias_v": lambda t: t.ones(1, 1, 4)},
    "no weights of their own": {"use_separate_proj_weight": True},
    "a weight of another width": {
        "use_separate_proj_weight": True,
        "q_proj_weight": lambda t: t.ones(4, 4).double(),
        "k_proj_weight": lambda t: t.ones(4, 4).double(),
        "v_proj_weight": lambda t: t.ones(3, 4).double(),
    },
}


@pytest.mark.parametrize("case", REFUSED)
def test_parts_that_do_not_fit_are_refused(case):
    same(lambda t, F: forward(t, F, **REFUSED[case]))


MASKS = {
    "none": (None, None),
    "padding": (None, (2, 3)),
    "one for all": ((3, 3), None),
    "one for each head": ((4, 3, 3), (2, 3)),
    "both": ((3, 3), (2, 3)),
}


@pytest.mark.parametrize("case", MASKS)
def test_masks_are_merged(case):
    def merged(t, F):
        masks = [None if shape is None else tensor(t, *shape) for shape in MASKS[case]]
        return t.nn.MultiheadAttention(4, 2).merge_masks(*masks, t.ones(2, 3, 4))

    same(merged)
