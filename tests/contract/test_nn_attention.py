"""Attention and transformers: with torch's weights they give torch's numbers and gradients."""

import importlib
import inspect
import warnings

import numpy as np
import pytest
import torch

ours = importlib.import_module("mindtorch")

#: Layer, shapes of its inputs, keywords of the call.
CASES = {
    "plain": ("MultiheadAttention(4, 2)", [(3, 2, 4)], {}),
    "no_weights": ("MultiheadAttention(4, 2)", [(3, 2, 4)], {"need_weights": False}),
    "cross": ("MultiheadAttention(4, 2, bias=False)", [(3, 2, 4), (5, 2, 4)], {}),
    "three": ("MultiheadAttention(4, 2)", [(3, 2, 4), (5, 2, 4), (5, 2, 4)], {}),
    "widths": ("MultiheadAttention(4, 2, kdim=3, vdim=5)", [(3, 2, 4), (6, 2, 3), (6, 2, 5)], {}),
    "batch_first": ("MultiheadAttention(4, 2, batch_first=True)", [(2, 3, 4)], {}),
    "unbatched": ("MultiheadAttention(4, 2)", [(3, 4)], {"average_attn_weights": False}),
    "more_keys": (
        "MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)",
        [(3, 2, 4)],
        {"attn_mask": "causal", "key_padding_mask": "padding"},
    ),
    "masks": (
        "MultiheadAttention(4, 2)",
        [(3, 2, 4)],
        {"attn_mask": "causal", "key_padding_mask": "padding", "need_weights": False},
    ),
    "causal": (
        "MultiheadAttention(4, 2)",
        [(3, 2, 4)],
        {"attn_mask": "causal", "is_causal": True, "need_weights": False},
    ),
    "encoder_layer": ("TransformerEncoderLayer(4, 2, 8, 0.0)", [(3, 2, 4)], {}),
    "encoder_layer_masks": (
        "TransformerEncoderLayer(4, 2, 8, 0.0, 'gelu', norm_first=True, batch_first=True)",
        [(2, 3, 4)],
        {"src_mask": "causal", "src_key_padding_mask": "padding"},
    ),
    "decoder_layer": (
        "TransformerDecoderLayer(4, 2, 8, 0.0)",
        [(3, 2, 4), (5, 2, 4)],
        {"tgt_mask": "causal"},
    ),
    "decoder_layer_norm_first": (
        "TransformerDecoderLayer(4, 2, 8, 0.0, norm_first=True, bias=False)",
        [(3, 2, 4), (5, 2, 4)],
        {"tgt_key_padding_mask": "padding", "tgt_is_causal": False},
    ),
    "encoder": (
        "TransformerEncoder(t.nn.TransformerEncoderLayer(4, 2, 8, 0.0), 2, t.nn.LayerNorm(4))",
        [(3, 2, 4)],
        {"mask": "causal"},
    ),
    "decoder": (
        "TransformerDecoder(t.nn.TransformerDecoderLayer(4, 2, 8, 0.0), 2)",
        [(3, 2, 4), (5, 2, 4)],
        {"tgt_mask": "causal"},
    ),
    "transformer": (
        "Transformer(4, 2, 1, 2, 8, 0.0)",
        [(3, 2, 4), (5, 2, 4)],
        {"src_mask": "causal"},
    ),
}


def build(text, t):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the oracle's advice on nested tensors
        return eval("t.nn." + text, {"t": t})


def mask(t, kind):
    if kind == "padding":
        return t.tensor([[False, False, True], [False, False, False]])
    return t.ones(3, 3).triu(1) > 0


def arguments(t, shapes, keywords):
    rng = np.random.default_rng(1)
    given = [t.from_numpy(rng.normal(size=s).astype(np.float32)).requires_grad_() for s in shapes]
    calls = {k: mask(t, v) if isinstance(v, str) else v for k, v in keywords.items()}
    return given, calls


def same_weights(text):
    """Both layers; the second has loaded the first's state."""
    torch.manual_seed(0)
    theirs = build(text, torch)
    mine = build(text, ours)
    state = {k: ours.from_numpy(v.numpy().copy()) for k, v in theirs.state_dict().items()}
    mine.load_state_dict(state)
    back = {k: torch.from_numpy(v.numpy().copy()) for k, v in mine.state_dict().items()}
    theirs.load_state_dict(back)
    return mine, theirs


def run(layer, text, t, shapes, keywords):
    given, calls = arguments(t, shapes, keywords)
    inputs = list(given)
    if "Multihead" in text:
        inputs += [inputs[-1]] * (3 - len(inputs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = layer(*inputs, **calls)
    results = result if isinstance(result, tuple) else (result,)
    (results[0] * results[0].sin()).sum().backward()
    grads = [x.grad for x in given] + [p.grad for _, p in sorted(layer.named_parameters())]
    return [r for r in (*results, *grads) if r is not None]


@pytest.mark.parametrize("name", CASES)
def test_numbers_and_gradients(name):
    """Results and all gradients, with the same weights."""
    text, shapes, keywords = CASES[name]
    mine, theirs = same_weights(text)
    got = run(mine, text, ours, shapes, keywords)
    want = run(theirs, text, torch, shapes, keywords)
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert tuple(g.shape) == tuple(w.shape)
        np.testing.assert_allclose(g.detach().numpy(), w.detach().numpy(), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", CASES)
def test_printing_and_state(name):
    """repr, keys of the state dict, shapes, and the first weights for the same seed."""
    text = CASES[name][0]
    facts = []
    for t in (ours, torch):
        t.manual_seed(3)
        layer = build(text, t)
        state = {k: v.numpy() for k, v in layer.state_dict().items()}
        facts.append((repr(layer), list(state), state))
    assert facts[0][:2] == facts[1][:2]
    for key, want in facts[1][2].items():
        np.testing.assert_allclose(facts[0][2][key], want, rtol=1e-6, err_msg=key)


def encoder(t, **options):
    return t.nn.TransformerEncoder(t.nn.TransformerEncoderLayer(4, 2, 8, **options), 1)


ERRORS = [
    lambda t, m, q: t.nn.MultiheadAttention(4, 3),
    lambda t, m, q: t.nn.MultiheadAttention(0, 3),
    lambda t, m, q: m(q[0, 0], q, q),
    lambda t, m, q: m(q, q[0], q),
    lambda t, m, q: m(q[0], q[0], q[0], key_padding_mask=t.ones(1, 3) > 0),
    lambda t, m, q: m(q[0], q[0], q[0], attn_mask=t.ones(1, 3, 3)),
    lambda t, m, q: m(q, q, q, attn_mask=t.ones(3, 2)),
    lambda t, m, q: m(q, q, q, attn_mask=t.ones(2, 3, 3)),
    lambda t, m, q: m(q, q, q, attn_mask=t.ones(3)),
    lambda t, m, q: m(q, q, q, attn_mask=t.ones(3, 3, dtype=t.int64)),
    lambda t, m, q: m(q, q, q, key_padding_mask=t.ones(2, 3, dtype=t.int64)),
    lambda t, m, q: m(q, q, q, is_causal=True),
    lambda t, m, q: m(t.ones(3, 2, 5), q, q),
    lambda t, m, q: m(q, t.ones(2, 2, 4), q),
    lambda t, m, q: t.nn.TransformerEncoderLayer(4, 2, activation="x"),
    lambda t, m, q: t.nn.Transformer(4, 2, 0, 0, 8)(q, t.ones(3, 4, 4)),
    lambda t, m, q: t.nn.Transformer(4, 2, 0, 0, 8)(t.ones(3, 2, 5), q),
    lambda t, m, q: encoder(t, batch_first=True)(q[0, 0]),
    lambda t, m, q: encoder(t, batch_first=False)(q[0, 0, 0]),
]


@pytest.mark.parametrize("case", range(len(ERRORS)))
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_errors_are_the_oracles(case):
    """Type and text."""

    def raised(t):
        with pytest.raises((RuntimeError, ValueError, AssertionError, IndexError)) as caught:
            ERRORS[case](t, t.nn.MultiheadAttention(4, 2), t.ones(3, 2, 4))
        return caught.type, str(caught.value)

    assert raised(ours) == raised(torch)


def test_parameters_have_the_oracles_names():
    """Of the layers and the function: names, order, defaults."""
    names = "MultiheadAttention Transformer TransformerEncoder TransformerDecoder".split()
    for name in [*names, "TransformerEncoderLayer", "TransformerDecoderLayer"]:
        for method in ("__init__", "forward"):
            mine, theirs = (
                inspect.signature(getattr(getattr(t.nn, name), method)) for t in (ours, torch)
            )
            assert list(mine.parameters) == list(theirs.parameters)


SLOW_LAYERS = [
    {},
    {"batch_first": True},
    {"batch_first": True, "norm_first": True},
    {"batch_first": True, "bias": False},
    {"batch_first": True, "activation": "gelu"},
    {"batch_first": True, "activation": abs},
    {"batch_first": True, "nhead": 1},
]


@pytest.mark.parametrize("options", SLOW_LAYERS, ids=str)
def test_an_encoder_warns_of_layers_that_take_the_slow_way(options):
    """In the words that say why torch could hand the layers no nested tensors."""
    heard = []
    for home in (ours, torch):
        layer = home.nn.TransformerEncoderLayer(**{"d_model": 4, "nhead": 2} | options)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            home.nn.TransformerEncoder(layer, 1)
        heard.append([str(w.message) for w in seen])
    assert heard[0] == heard[1]
