"""``make_fx`` on tensors without numbers, and what the nodes of a graph know of their values."""

from __future__ import annotations

import importlib
import logging

import pytest

from .rows import report

#: ``t``: torch; ``c``: a tensor that is no argument; ``l``: a linear layer.
PROGRAMS = {
    "a number": "lambda x: x + 1",
    "a gradient": "lambda x: t.autograd.grad(x.sin().sum(), x)[0]",
    "numbers written down": "lambda x: (x * t.tensor([1.0, 2.0])).tan_()",
    "one number": "lambda x: x * t.tensor(2.0)",
    "a captured tensor": "lambda x: x + c",
    "a layer": "l",
    "a factory": "lambda x: x.new_zeros(3) + t.zeros(3)",
    "indices": "lambda x: x[t.tensor([0])]",
    "another shape": "lambda x: x.t_().add_(1)",
    "parts": "lambda x: x.split(1)",
    "two results": "lambda x: (x.max(0), x.sum().to(t.float64))",
    "a batch": "t.vmap(lambda x: x.sum())",
    "a transform": "t.func.grad(lambda x: (x * x).sum())",
    "a norm": "lambda x: F.layer_norm(x, (2,))",
    "a loss": "lambda x: F.cross_entropy(x, t.zeros(2, dtype=t.long))",
    "strides": "lambda x: x.t().contiguous()",
}


def drawn(name, source, options):
    """The code of the graph, and of each node the name and what is known of its value."""
    t = importlib.import_module(name)
    t.manual_seed(0)
    make_fx = importlib.import_module(f"{name}.fx.experimental.proxy_tensor").make_fx
    scope = {"t": t, "F": t.nn.functional, "c": t.ones(2), "l": t.nn.Linear(2, 2)}
    x = t.ones(2, 2, requires_grad="autograd" in source)
    try:
        made = make_fx(eval(source, scope), **options)(x)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    known = [(n.name, *map(n.meta.get, ("val", "tensor_meta"))) for n in made.graph.nodes]
    return f"{made.code}{known}".replace("mindtorch", "torch")


@pytest.mark.parametrize(
    "options",
    [{}, {"tracing_mode": "fake"}, {"tracing_mode": "fake", "_allow_non_fake_inputs": True}],
    ids=["real", "fake", "fake and others"],
)
def test_graphs_and_what_their_nodes_know_are_the_oracles(options):
    """Every program."""
    logging.disable(logging.ERROR)  # torch logs what it raises
    try:
        lines = []
        for what, source in PROGRAMS.items():
            ours, theirs = (drawn(n, source, options) for n in ("mindtorch", "torch"))
            if ours != theirs:
                lines.append(f"{what}: ours {ours}, torch {theirs}")
        report(lines)
    finally:
        logging.disable(logging.NOTSET)


def test_the_mode_of_an_argument_is_the_mode_of_the_graph():
    """A fake tensor brings its mode along, and no number is ever computed."""

    def asked(name):
        t = importlib.import_module(name)
        make_fx = importlib.import_module(f"{name}.fx.experimental.proxy_tensor").make_fx
        mode = importlib.import_module(f"{name}._subclasses").FakeTensorMode()
        fake = mode.from_tensor(t.ones(2))
        graphs = [make_fx(lambda x: x + 1, tracing_mode=m)(fake) for m in ("real", "fake")]
        values = [n.meta["val"] for g in graphs for n in g.graph.nodes if "val" in n.meta]
        return [v.fake_mode is mode for v in values], graphs[1](t.ones(2)).tolist()

    assert asked("mindtorch") == asked("torch")


def test_a_tracing_mode_that_is_none():
    """The text names those that there are."""
    texts = []
    for name in ("mindtorch", "torch"):
        make_fx = importlib.import_module(f"{name}.fx.experimental.proxy_tensor").make_fx
        with pytest.raises(AssertionError) as caught:
            make_fx(lambda x: x, tracing_mode="foo")
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
