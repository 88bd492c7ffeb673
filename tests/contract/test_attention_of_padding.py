"""Attention where a query may see no key: rows of padding give zeros, NaN where torch has one op.

That is where nothing is recorded: in evaluation, without gradients.
"""

import contextlib

import pytest

from tests.contract.both_frameworks import BOTH, agree, outcome, same

INFINITE = float("-inf")


def _rounded(x):
    return [round(v, 3) + 0.0 for v in x.detach().double().flatten().tolist()]


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_query_that_sees_no_key_gets_zeros(kind, dtype):
    def run(t):
        t.manual_seed(0)
        q, k, v = (
            t.randn(2, 2, 3, 4, dtype=getattr(t, dtype), requires_grad=True) for _ in range(3)
        )
        mask = t.tensor([[True, False, True], [False, False, False], [True, True, True]])
        if kind == "float":
            mask = t.zeros(3, 3, dtype=q.dtype).masked_fill(~mask, INFINITE)
        out = t.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        (out * t.arange(24.0).reshape(2, 3, 4)[:, None]).sum().backward()
        return [_rounded(x) for x in (out, q.grad, k.grad, v.grad)]

    assert agree(run)[0][4:8] == [0.0] * 4


MASKS = {
    "no mask": None,
    "one sample": [[True] * 3, [False] * 3],
    "the last ones": [[False, False, True], [False, True, True]],
    "the first ones": [[True, False, False], [False] * 3],
    "all": [[True] * 3] * 2,
}
#: What the modules are made with.
OPTIONS = {
    "plain": {},
    "gelu": {"activation": "gelu"},
    "norm first": {"norm_first": True},
    "odd heads": {"nhead": 1},
    "sequence first": {"batch_first": False},
    "another activation": {"activation": lambda x: x * 2},
}


def _steady(module):
    for i, p in enumerate(module.parameters()):
        p.data.copy_(((p.data * 0 + i).cumsum(-1) * 0.7).sin())
    return module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("recorded", [False, True])
def test_layers_and_padding(mask, options, recorded):
    """In evaluation without gradients too; an encoder then leaves padding at the ends out."""

    def run(t):
        given = {"nhead": 2, "batch_first": True, "dropout": 0.0, **OPTIONS[options]}
        x = t.arange(24.0).reshape(2, 3, 4).sin()
        padding = None if MASKS[mask] is None else t.tensor(MASKS[mask])
        order = t.stack([x, x * 2]) if given["batch_first"] else t.stack([x, x * 2]).transpose(1, 2)
        layer = t.nn.TransformerEncoderLayer(4, dim_feedforward=8, **given)
        found = []
        with contextlib.nullcontext() if recorded else t.no_grad():
            for module in (
                layer,
                t.nn.TransformerEncoder(layer, 2),
                t.nn.TransformerEncoder(layer, 2, t.nn.LayerNorm(4), False),
                t.nn.TransformerEncoder(layer, 1, mask_check=False),
            ):
                for x in order:
                    try:
                        out = _steady(module).eval()(x, src_key_padding_mask=padding)
                        found.append(_rounded(out))
                    except RuntimeError as error:
                        found.append(str(error))
            mask_of_queries = t.tensor([[False, True, False], [True] * 3, [False] * 3])
            for m in (mask_of_queries, mask_of_queries.float() / 2):
                found.append(_rounded(_steady(layer).eval()(order[0], src_mask=m)))
            attention = layer.self_attn
            for weights in (False, True):
                out = attention(order[0], order[0], order[0], padding, weights)
                found.append([_rounded(o) for o in out if o is not None] + [out[0].stride()])
        return repr(found)

    (got, heard), (want, expected) = (outcome(run, t) for t in BOTH)
    assert want[0] == "value"
    assert got == want
    assert _texts(heard) == _texts(expected)


def _texts(warnings):
    """What was warned of; torch warns of each nested tensor that it makes, with a place in C++."""
    return {text.partition(" (Triggered")[0] for text, _ in warnings}


def test_softmax_of_nothing_but_minus_infinity():
    same(
        lambda t: t._safe_softmax(t.tensor([[0.0, INFINITE], [INFINITE, INFINITE]]), -1, t.float64)
    )
    same(lambda t: t._safe_softmax(t.tensor(INFINITE), 0))
    same(lambda t: t._safe_softmax(t.ones(2, 2).long(), 0))
    same(lambda t: t._safe_softmax(t.ones(2, 2).long(), 0, dtype=t.float32))
    same(lambda t: t._safe_softmax(t.ones(2, 2), 5))


def test_associative_scan_has_a_module_of_its_own():
    def run(t):
        from importlib import import_module

        scan = import_module(f"{t.__name__}._higher_order_ops")
        return callable(scan.associative_scan)

    assert agree(run) is True
