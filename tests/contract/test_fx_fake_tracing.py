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
    "other dtypes": "lambda x: (x.double(), x.half(), x.to(t.int64), x.float(), x.chalf())",
    "places": "lambda x: (x.cpu(), x.to('cpu'), x.to('cpu', t.float64), x.to(device='cpu'))",
    "as others": "lambda x: (x.to(x.double()), x.type(t.float64), x.type('torch.DoubleTensor'))",
    "formats": "lambda x: x[None, None].to(t.float64, memory_format=t.channels_last)",
    "transposed": "lambda x: (x.T, x.mT, x.H, x.mH)",
    "activations": "lambda x: F.relu6(F.gelu(F.softmax(x, -1)))",
    "attention": "lambda x: F.scaled_dot_product_attention(x, x, x)",
    "bits": "lambda x: ((x > 0) & (x < 2) | True) ^ (x > 1) if BEFORE else x",
    "shifts": "lambda x: x.long() << 1 >> x.long() if BEFORE else x",
    "contiguous": "lambda x: (x.contiguous(), x.t().contiguous(), x.conj())",
    "a part without gradients": "without",
}
#: Before autograd torch takes the wrappers of transforms for constants; here they are traced.
WRAPPED = ("a batch", "a transform")
#: What a graph cannot hold.
READING = {
    "a number of the host": "lambda x: x + x.sum().item()",
    "a number": "lambda x: x + float(x.sum())",
    "equality": "lambda x: x if t.equal(x, x) else x + 1",
    "nearness": "lambda x: x if t.allclose(x, x) else x + 1",
    "a truth": "lambda x: x if x.sum() > 0 else x + 1",
}


def without(t):
    """A function of which a part is not differentiated."""

    def f(x):
        with t.no_grad():
            y = x.exp()
        return x * y

    return f


def drawn(name, source, options):
    """The code of the graph, and of each node the name and what is known of its value."""
    t = importlib.import_module(name)
    t.manual_seed(0)
    make_fx = importlib.import_module(f"{name}.fx.experimental.proxy_tensor").make_fx
    scope = {"t": t, "F": t.nn.functional, "c": t.ones(2), "l": t.nn.Linear(2, 2)}
    scope |= {"without": without(t), "BEFORE": options.get("pre_dispatch", False)}
    x = t.ones(2, 2, requires_grad="autograd" in source)
    try:
        made = make_fx(eval(source, scope), **options)(x)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    known = [(n.name, *map(n.meta.get, ("val", "tensor_meta"))) for n in made.graph.nodes]
    return f"{made.code}{known}".replace("mindtorch", "torch")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"tracing_mode": "fake"},
        {"tracing_mode": "fake", "_allow_non_fake_inputs": True},
        {"pre_dispatch": True},
        {"pre_dispatch": True, "tracing_mode": "fake", "_allow_non_fake_inputs": True},
    ],
    ids=["real", "fake", "fake and others", "before autograd", "before autograd, fake"],
)
def test_graphs_and_what_their_nodes_know_are_the_oracles(options):
    """Every program."""
    logging.disable(logging.ERROR)  # torch logs what it raises
    try:
        lines = []
        for what, source in PROGRAMS.items():
            if what in WRAPPED and "pre_dispatch" in options:
                continue
            ours, theirs = (drawn(n, source, options) for n in ("mindtorch", "torch"))
            if ours != theirs:
                lines.append(f"{what}: ours {ours}, torch {theirs}")
        report(lines)
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.parametrize("pre_dispatch", [False, True])
def test_numbers_of_traced_tensors_are_refused(pre_dispatch):
    """Which operator asks for it is in the text."""
    lines = []
    for what, source in READING.items():
        options = {"pre_dispatch": pre_dispatch}
        ours, theirs = (drawn(n, source, options) for n in ("mindtorch", "torch"))
        if ours != theirs:
            lines.append(f"{what}: ours {ours}, torch {theirs}")
    report(lines)


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
