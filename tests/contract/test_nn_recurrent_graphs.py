"""Graphs of recurrent layers: their nodes, and the order in which weights and hooks are met."""

from __future__ import annotations

import pytest

from tests.contract.both_frameworks import ours, torch

CELLS = [
    f"{kind}Cell(3, 4, {bias}{more})"
    for bias in (True, False)
    for kind, more in (("RNN", ""), ("RNN", ", 'relu'"), ("LSTM", ""), ("GRU", ""))
]
#: Not an LSTM of float32 without projections, which torch hands to oneDNN: one node for a layer.
LAYERS = [
    text.format(bias)
    for bias in (True, False)
    for text in (
        "RNN(3, 4, bias={})",
        "RNN(3, 4, 2, 'relu', {})",
        "GRU(3, 4, bias={})",
        "GRU(3, 4, 1, {}, bidirectional=True)",
        "LSTM(3, 4, bias={}, proj_size=2)",
    )
]
PACKED = [*LAYERS, "LSTM(3, 4, 2)", "LSTM(3, 4, 1, False, bidirectional=True)"]
CASES = [(text, "cell") for text in CELLS] + [(text, "plain") for text in LAYERS]


def given(t, kind):
    """An input of that kind, a leaf or made of leaves."""
    if kind == "packed":
        parts = [t.ones(n, 3, requires_grad=True) for n in (3, 2)]
        return t.nn.utils.rnn.pack_sequence(parts)
    return t.ones(*((2, 3) if kind == "cell" else (2, 2, 3)), requires_grad=True)


def tensors(result):
    """The tensors of *result*, in order."""
    if isinstance(result, (tuple, list)):
        return [t for part in result for t in tensors(part)]
    return [result] if hasattr(result, "grad_fn") else []


def tree(node):
    """*node* and what it leads to, by name."""
    if node is None:
        return None
    return type(node).__name__, [tree(following) for following, _ in node.next_functions]


@pytest.mark.filterwarnings("ignore:LSTM with projections")
@pytest.mark.parametrize(("text", "kind"), CASES)
def test_the_graph_has_the_oracles_nodes(text, kind):
    def nodes(t):
        layer = eval("t.nn." + text, {"t": t})
        return [tree(result.grad_fn) for result in tensors(layer(given(t, kind)))]

    assert nodes(ours) == nodes(torch)


@pytest.mark.filterwarnings("ignore:LSTM with projections")  # says that oneDNN has none
@pytest.mark.parametrize(("text", "kind"), [*CASES, *[(text, "packed") for text in PACKED]])
def test_hooks_run_in_the_oracles_order(text, kind):
    """Those of the module, of its weights and of what its weights have accumulated."""

    def events(t):
        layer, log = eval("t.nn." + text, {"t": t}), []
        layer.register_forward_pre_hook(lambda *_: log.append("before"))
        layer.register_forward_hook(lambda *_: log.append("after"))
        if kind != "packed":
            layer.register_full_backward_pre_hook(lambda *_: log.append("backward begins"))
            layer.register_full_backward_hook(lambda *_: log.append("backward ends"))
        for name, p in layer.named_parameters():
            p.register_hook(lambda g, name=name: log.append((name, tuple(g.shape))))
            p.register_post_accumulate_grad_hook(lambda _, name=name: log.append((name, "kept")))
        found = tensors(layer(given(t, kind)))
        sum(r.sum() for r in found if r.requires_grad).backward()
        return log

    assert events(ours) == events(torch)
