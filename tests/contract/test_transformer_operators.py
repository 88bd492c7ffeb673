"""Layers of transformers where nothing is recorded: torch's one operator serves the whole layer."""

from __future__ import annotations

import math

import mindtorch
import pytest
import torch

#: What the layers are made with, and whether attention and layer are one operator each.
LAYERS = {
    "plain": {},
    "gelu": {"activation": "gelu"},
    "norms come first": {"norm_first": True},
    "an own activation": {"activation": math.tanh},
    "an odd number of heads": {"nhead": 3},
    "no bias": {"bias": False},
    "length first": {"batch_first": False},
    "double": {"dtype": "float64"},
}

MASKS = {
    "none": lambda t: {},
    "causal": lambda t: {"src_mask": t.nn.Transformer.generate_square_subsequent_mask(4)},
    "of bools": lambda t: {"src_mask": t.ones(4, 4, dtype=t.bool).triu(1)},
    "padding": lambda t: {"src_key_padding_mask": t.tensor([[False] * 4, [False] * 3 + [True]])},
    "both": lambda t: {
        "src_mask": t.ones(4, 4, dtype=t.bool).triu(1),
        "src_key_padding_mask": t.tensor([[False] * 4, [False] * 3 + [True]]),
    },
}


def layer(t, options):
    options = {"d_model": 12, "nhead": 2, "dim_feedforward": 8, "batch_first": True} | options
    if "dtype" in options:
        options["dtype"] = getattr(t, options["dtype"])
    if callable(options.get("activation")):
        options["activation"] = t.tanh
    made = t.nn.TransformerEncoderLayer(**options).eval()
    with t.no_grad():
        for i, p in enumerate(made.parameters()):
            steps = t.arange(p.numel(), dtype=p.dtype).reshape(p.shape)
            p.copy_(((steps + i) * 0.7).sin() * 0.4)
    return made


def inputs(t, made):
    dtype = made.linear1.weight.dtype
    return (t.arange(96, dtype=dtype).reshape(2, 4, 12) * 0.3).cos()


def called(t, run):
    """The names of the operators that a dispatch mode sees, and what *run* gives."""
    names = []

    class Told(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            names.append(str(function))
            return function(*args, **(kwargs or {}))

    with Told():
        found = run()
    return names, found


def alike(run):
    ours, theirs = called(mindtorch, lambda: run(mindtorch)), called(torch, lambda: run(torch))
    whole = [
        [n for n in told if "_transformer" in n or "_native" in n] for told, _ in (ours, theirs)
    ]
    assert whole[0] == whole[1]
    for a, b in zip(ours[1], theirs[1], strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            numbers = torch.tensor(a.tolist(), dtype=b.dtype)
            torch.testing.assert_close(numbers, b, equal_nan=True)
            assert a.shape == b.shape and a.stride() == b.stride()
    return whole[0]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.filterwarnings("ignore")
def test_encoder_layers_call_the_operator_that_they_call_in_torch(mask):
    seen = set()
    for name, options in LAYERS.items():
        if name == "length first" and mask != "none":
            continue

        def run(t, options=options):
            made = layer(t, options)
            with t.no_grad():
                return (made(inputs(t, made), **MASKS[mask](t)),)

        seen.update(alike(run))
    assert "aten._transformer_encoder_layer_fwd.default" in seen


def test_encoder_layers_lower_their_precision_where_they_do_in_torch():
    def run(t, **options):
        made = layer(t, options)
        with t.no_grad(), t.autocast("cpu", dtype=t.bfloat16):
            found = made(inputs(t, made))
        assert found.dtype is t.bfloat16
        return found.float()

    for options in ({}, {"norm_first": True}, {"activation": "gelu"}):
        ours = torch.tensor(run(mindtorch, **options).tolist())
        torch.testing.assert_close(ours, run(torch, **options), atol=0.05, rtol=0.05)


@pytest.mark.filterwarnings("ignore")
def test_attention_calls_the_operator_that_it_calls_in_torch():
    def run(t, padding=None, mask=None, **options):
        made = layer(t, {}).self_attn
        x = (t.arange(96.0).reshape(2, 4, 12) * 0.3).cos()
        with t.no_grad():
            found = made(
                x, x, x, key_padding_mask=padding and padding(t), attn_mask=mask and mask(t),
                **options,
            )  # fmt: skip
        return found

    bools = MASKS["of bools"]
    seen = set()
    for options in (
        {},
        {"need_weights": False},
        {"average_attn_weights": False},
        {"mask": lambda t: bools(t)["src_mask"]},
        {"mask": lambda t: t.zeros(4, 4)},
        {"padding": lambda t: MASKS["padding"](t)["src_key_padding_mask"]},
    ):
        seen.update(alike(lambda t, options=options: run(t, **options)))
    assert "aten._native_multi_head_attention.default" in seen


def test_hooks_of_parts_are_called_and_steps_of_derived_classes_are_theirs():
    def outcomes(t):
        heard = []
        x = t.ones(1, 2, 4)
        made = t.nn.TransformerEncoderLayer(4, 2, 4, batch_first=True).eval()
        made.linear1.register_forward_hook(lambda *args: heard.append("hook"))

        class Own(t.nn.TransformerEncoderLayer):
            def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
                heard.append(("attends", attn_mask is None, is_causal))
                return x

            def _ff_block(self, x):
                heard.append("feeds")
                return x

        class Decoder(t.nn.TransformerDecoderLayer):
            def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
                heard.append(("attends to memory", mem.shape))
                return x

        with t.no_grad():
            made(x)
        Own(4, 2, 4, batch_first=True)(x, is_causal=False)
        Decoder(4, 2, 4, batch_first=True, norm_first=True)(x, t.ones(1, 3, 4))
        return heard

    assert str(outcomes(mindtorch)) == str(outcomes(torch))


def test_attention_in_traces_is_its_steps():
    def outcomes(t):
        made = layer(t, {})
        from_fx = __import__(f"{t.__name__}.fx.experimental.proxy_tensor", fromlist=["make_fx"])
        x = inputs(t, made)
        with t.no_grad():
            told = []
            for run in (lambda x: made.self_attn(x, x, x)[0], made):
                graph = from_fx.make_fx(run)(x).graph
                told.append([str(n.target) for n in graph.nodes if "_native" in str(n.target)
                             or "_transformer" in str(n.target)])  # fmt: skip
        return told

    assert outcomes(mindtorch) == outcomes(torch)


def test_attention_that_is_known_of_one_tensor_is_right_for_three():
    made = layer(mindtorch, {}).self_attn
    weights = made.in_proj_weight, made.in_proj_bias, made.out_proj.weight, made.out_proj.bias
    x, y, z = (mindtorch.randn(2, 4, 12) for _ in range(3))

    def attend(*three):
        found = mindtorch._native_multi_head_attention(*three, 12, 2, *weights)
        assert not found[0]._is_view()
        return [t.tolist() for t in found]

    with mindtorch.no_grad():
        once = {three: attend(*three) for three in [(x, x, x), (x, y, z), (x, x, y), (x, y, x)]}
        for _ in range(12):
            for three, wanted in once.items():
                for a, b in zip(attend(*three), wanted, strict=True):
                    torch.testing.assert_close(torch.tensor(a), torch.tensor(b))


def test_products_with_weights_are_known_where_nothing_is_recorded():
    def outcomes(t):
        weight = ((t.arange(12.0) * 0.3).sin().reshape(3, 4)).requires_grad_()
        x, told = t.arange(24.0).reshape(2, 3, 4), []
        for n in range(12):
            with t.set_grad_enabled(n % 4 == 3):
                for found in (t.nn.functional.linear(x, weight), x @ weight.t(), x @ weight[:2].T):
                    name = found.grad_fn and found.grad_fn.name()
                    told.append((name, found._is_view(), found.shape, found.stride()))
                    told.append([round(v, 3) for v in found.detach().flatten().tolist()])
        return told

    assert outcomes(mindtorch) == outcomes(torch)
