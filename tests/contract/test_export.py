"""``torch.export``: which graph is drawn of a module, and what the module of it computes."""

from __future__ import annotations

import importlib
import logging
import warnings

import pytest

from .helpers import assert_same_value, assert_torch_error, both
from .rows import report


def programs(t):
    """Module, arguments and arguments by keyword, by what is particular to them."""
    nn, F = t.nn, t.nn.functional

    class Buffers(nn.Module):
        """Buffers that change, and one that is assigned."""

        def __init__(self):
            super().__init__()
            self.register_buffer("kept", t.ones(3))
            self.register_buffer("hidden", t.ones(3), persistent=False)

        def forward(self, x):
            self.kept = self.kept + x
            self.hidden.add_(1)
            return x.sin() * self.hidden

    class Constants(nn.Module):
        """Tensors that are neither parameters nor arguments."""

        def __init__(self):
            super().__init__()
            self.scale = t.arange(3.0)

        def forward(self, x):
            return x * self.scale + t.tensor([1.0, 2.0, 3.0]) + t.zeros(3) + self.scale.sum()

    class Nested(nn.Module):
        """Arguments and results that are nested, and plain values among them."""

        def forward(self, x, n, d, flag=True, *, late=None):
            y = x * n + d["k"][0] if flag else x
            return {"y": y, "n": n, "more": (y + d["k"][1], None, True)}, [
                x if late is None else late
            ]

    class Tied(nn.Module):
        """Parameters that have several names."""

        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
            self.b.weight = self.a.weight
            self.both = nn.Sequential(self.a, nn.ReLU(), self.b)

        def forward(self, x):
            return self.both(self.b(x)) + self.a.weight

    class Any(nn.Module):
        """Arguments without names of their own."""

        def forward(self, *xs, **named):
            return xs[0] + xs[1] * named["k"]

    class Casts(nn.Module):
        """Other dtypes and views."""

        def forward(self, x):
            parts = (
                x.to(t.float64),
                x.half(),
                x.float(),
                x.T,
                x[..., :2],
                x[0],
                x.type_as(x.double()),
            )
            return (*parts, tuple(x.max(0)), x.split(1), x.shape)

    class Twice(nn.Module):
        """A module that is called twice."""

        def __init__(self):
            super().__init__()
            self.inner = nn.ModuleList([nn.Sequential(nn.Linear(3, 3), nn.Tanh())])

        def forward(self, x):
            return self.inner[0](self.inner[0](x))

    class Attention(nn.Module):
        """What a decoder is made of."""

        def __init__(self):
            super().__init__()
            self.embed, self.attend = (
                nn.Embedding(9, 4),
                nn.MultiheadAttention(4, 2, batch_first=True),
            )

        def forward(self, ids):
            x = self.embed(ids)
            x, weights = self.attend(x, x, x)
            mask = t.ones(3, 3, dtype=t.bool).tril()
            x = F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
            return F.cross_entropy(F.softmax(x, -1).flatten(0, 1), ids.flatten() % 4), weights

    class Count(nn.Module):
        """An attribute that changes."""

        calls = 0

        def forward(self, x):
            self.calls += 1
            return x + self.calls

    x = t.arange(9.0).reshape(3, 3)
    image = t.arange(2 * 3 * 36.0).reshape(2, 3, 6, 6) / 216
    convolved = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
    encoder = nn.TransformerEncoderLayer(4, 2, 8, 0.0, norm_first=True, activation="gelu")
    return {
        "buffers": (Buffers(), (t.ones(3),), {}),
        "constants": (Constants(), (t.ones(3),), {}),
        "nested": (Nested(), (x, 2, {"k": [t.ones(3), 1.5]}), {}),
        "nested, by keyword": (Nested(), (x, 2), {"d": {"k": [t.ones(3), 1]}, "late": t.ones(1)}),
        "tied": (Tied(), (x,), {}),
        "any": (Any(), (x, x + 1), {"k": t.ones(())}),
        "casts": (Casts(), (x,), {}),
        "twice": (Twice(), (x,), {}),
        "attention": (Attention(), (t.tensor([[0, 3, 8], [1, 2, 3]]),), {}),
        "attention in eval": (Attention().eval(), (t.tensor([[0, 3, 8], [1, 2, 3]]),), {}),
        "count": (Count(), (x,), {}),
        "convolution": (convolved, (image,), {}),
        "recurrence": (nn.LSTM(3, 4, 2), (t.ones(2, 1, 3),), {}),
        "encoder without gradients": (encoder.requires_grad_(False), (t.ones(2, 3, 4),), {}),
    }


def shown(value):
    """*value* as text, whichever of the two it is of."""
    return str(value).replace("mindtorch", "torch")


def leaves(t, tree):
    """The values in *tree*; tensors as lists of numbers of six figures."""
    pytree = importlib.import_module(f"{t.__name__}.utils._pytree")

    def rounded(value):
        if not isinstance(value, t.Tensor):
            return value
        numbers = value.detach().double().flatten().tolist()
        return shown(value.dtype), tuple(value.shape), [float(f"{x:.5g}") for x in numbers]

    return [rounded(value) for value in pytree.tree_leaves(tree)]


def drawn(name):
    """By program: everything that can be said of it, and what the module of it gives."""
    t = importlib.import_module(name)
    logging.disable(logging.ERROR)
    found = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            t.manual_seed(0)
            for what, (module, args, kwargs) in programs(t).items():
                program = t.export.export(module, args, kwargs)
                calls = [n for n in program.graph.nodes if n.op == "call_function"]
                facts = {
                    "graph": program.graph,
                    "signature": program.graph_signature,
                    "outputs": program.graph_signature.output_specs,
                    "modules": [(n.name, n.meta.get("nn_module_stack")) for n in calls],
                    "values": [(n.name, n.meta.get("val")) for n in program.graph.nodes],
                    "state": list(program.state_dict),
                    "constants": list(program.constants),
                    "call": program.call_spec,
                    "entries": [(e.fqn, e.signature) for e in program.module_call_graph],
                    "parameters": [n for n, _ in program.named_parameters()],
                    "buffers": [n for n, _ in program.named_buffers()],
                    "examples": program.example_inputs,
                }
                made = program.module()
                facts |= {"code": made.code, "names": list(made.state_dict())}
                t.manual_seed(1)
                results = made(*args, **kwargs), dict(made.named_buffers())
                if what == "buffers":
                    del facts["modules"]  # torch names the root twice
                found[what] = {key: shown(value) for key, value in facts.items()}
                found[what]["results"] = leaves(t, results)
    finally:
        logging.disable(logging.NOTSET)
    return found


def test_programs_are_drawn_as_the_oracle_draws_them():
    """Graphs, signatures, and modules of them."""
    ours, theirs = drawn("mindtorch"), drawn("torch")
    report(
        f"{what}, {key}: ours {ours[what][key]}, torch {facts[key]}"
        for what, facts in theirs.items()
        for key in facts
        if ours[what][key] != facts[key]
    )


def test_switches_of_the_program_are_part_of_it():
    """Without gradients, and under autocast: also one in the other, which torch forgets."""

    def program(t):
        class Switching(t.nn.Module):
            def forward(self, x):
                with t.no_grad():
                    y = x.neg() * 2
                with t.autocast("cpu", dtype=t.bfloat16):
                    z = x @ x
                return y, z, x * y

        class Both(t.nn.Module):
            def forward(self, x):
                with t.autocast("cpu", dtype=t.bfloat16), t.no_grad():
                    return x @ x

        x = t.ones(2, 2, requires_grad=True)
        made = t.export.export(Switching(), (x,)).module()
        both = t.export.export(Both(), (x,)).module() if t.__name__ == "mindtorch" else Both()
        return [made(x), both(x)]

    assert_same_value(*both(program))


@pytest.mark.parametrize(
    "call",
    [
        lambda t, m, x: t.export.export(lambda x: x, (x,)),
        lambda t, m, x: t.export.export(m, [x]),
        lambda t, m, x: t.export.export(m, (x, object())),
        lambda t, m, x: t.export.export(m, ()),
        lambda t, m, x: t.export.export(m, (x,))(x),
        lambda t, m, x: t.export.export(m, (x,)).module()(t.ones(3, 3)),
        lambda t, m, x: t.export.export(m, (x,)).module()(x, x),
        lambda t, m, x: t.export.export(m, (x,)).module()([x]),
        lambda t, m, x: t.export.export(m, (x,)).module()(x, other=x),
        lambda t, m, x: t.export.export(m, (x,)).module().train(),
        lambda t, m, x: t.export.export(m, (x,)).module().eval(),
    ],
)
def test_what_is_wrong_is_refused_in_the_oracles_words(call):
    """Modules and arguments that cannot be exported, and calls that were not."""

    def program(t):
        return call(t, t.nn.Linear(3, 4), t.ones(2, 3))

    logging.disable(logging.ERROR)
    try:
        assert_torch_error(*both(program))
    finally:
        logging.disable(logging.NOTSET)


def test_strict_exports_trace_operators_as_well():
    """What Python does besides is not written down."""
    import mindtorch as torch

    linear, x = torch.nn.Linear(3, 4), torch.ones(2, 3)
    strict = torch.export.export(linear, (x,), strict=True)
    assert str(strict.graph) == str(torch.export.export(linear, (x,)).graph)
