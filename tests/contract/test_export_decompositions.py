"""``ExportedProgram.run_decompositions``: the graph of functional operators of a program."""

import importlib
import re

import pytest
import torch

from .both_frameworks import BOTH, ours

#: A node's name in code, where it is made.
_MADE = re.compile(r"^    (\w+) = ", re.MULTILINE)


def text(code):
    """Code of a graph with nodes named by their order: which numbers names have is not told."""
    code = re.sub(r";  .*= None", "", code[code.index("def forward") :])
    names = {name: f"v{i}" for i, name in enumerate(dict.fromkeys(_MADE.findall(code)))}
    return re.sub(r"(?<![\w.])\w+\b", lambda found: names.get(found[0], found[0]), code)


def facts(program):
    """What is compared of a program: operators, inputs, outputs, dialect."""
    signature = program.graph_signature
    return (
        text(program.graph_module.code),
        [(s.kind.name, getattr(s.arg, "name", None), s.target) for s in signature.input_specs],
        [(s.kind.name, s.target) for s in signature.output_specs],
        program.dialect,
        list(program.constants),
    )


def calling(t, function):
    """A module that calls *function*."""

    class Module(t.nn.Module):
        def forward(self, *args):
            return function(*args)

    return Module()


def programs(t):
    """Module and arguments, by what is particular to them."""
    nn, F = t.nn, t.nn.functional

    class Changes(nn.Module):
        """Changes of buffers, arguments, views and running statistics; constants; switches."""

        def __init__(self):
            super().__init__()
            self.linear, self.norm = nn.Linear(3, 3), nn.BatchNorm1d(3)
            self.register_buffer("count", t.zeros(3))
            self.scale = t.ones(3)

        def forward(self, x, y, n=2):
            self.count.add_(1)
            x.mul_(2)
            z = self.norm(self.linear(x)).relu_()
            v = z.view(-1)
            v[0] = 3.0
            with t.no_grad():
                w = z + 1
            late = t.tensor([1.0, 2.0])
            return z + self.count * self.scale, y.to(t.float64), v, n, x, late, w, z.softmax(-1)

    x = t.arange(6.0).reshape(2, 3) / 7
    ids = t.tensor([1, 0])
    convolution = nn.Sequential(nn.Conv2d(1, 2, 2), nn.BatchNorm2d(2)).eval()
    attention = nn.MultiheadAttention(4, 2, batch_first=True)
    functions = {
        "drops nothing": (lambda x: F.dropout(x, 0.5, training=False), x),
        "drops": (lambda x: F.dropout(x, 0.5), x),
        "detached": (lambda x: x.detach() + 1, x),
        "detached in place": (lambda x: (x + 1).detach_() * 2, x),
        "numbers": (lambda x: 1 - x / 2 * 3 + x**2, x),
        "instances": (lambda x: F.instance_norm(x[None]), x),
        "losses": (lambda x: F.mse_loss(x, x) + F.cross_entropy(x, ids), x),
        "layers": (lambda x: F.gelu(F.layer_norm(x, (3,))), x),
        "attention": (lambda x: F.scaled_dot_product_attention(x, x, x), x[None]),
        "out": (lambda x: t.add(x, 1, out=t.empty(2, 3)), x),
        "embedding": (lambda ids: F.embedding(ids, t.ones(2, 3)), ids),
        "casts": (lambda x: (x.half(), x.T.contiguous(), x.type_as(ids), x.flatten()), x),
        "itself": (lambda x: (x, x.view(-1)), x),
        "split": (lambda x: (x.split(2, 1), x.max(1), x.chunk(2)), x),
    }
    return {
        "changes": (Changes(), (t.ones(2, 3), t.ones(2))),
        "convolution": (convolution, (x[None, None],)),
        "encoder": (attention, (t.ones(2, 3, 4),) * 3),
        **{name: (calling(t, f), tuple(args)) for name, (f, *args) in functions.items()},
    }


def decomposed(t, name, table):
    module, args = programs(t)[name]
    args = tuple(a.clone() if isinstance(a, t.Tensor) else a for a in args)
    return t.export.export(module, args).run_decompositions(table)


def of_core_operators(t):
    """Functions of operators that torch writes in others, with their arguments, by kind."""
    F = t.nn.functional
    x = t.arange(6.0).reshape(2, 3) / 7
    y, i = x + 1, t.tensor([1, 0])
    return {
        "turned": (lambda x: (x.t(), x[0].t(), x.transpose(0, -1), x.transpose(1, 1)), x),
        "without ones": (lambda x: (x.squeeze(), x.squeeze(1), x.squeeze(0)), x[:, None]),
        "parts": (lambda x: (x.split(2, 1), x.chunk(2, 1), x.unbind(1)), x),
        "joined": (lambda x, y: (t.stack([x, y], 1), t.stack([x, y], -1)), x, y),
        "masked": (lambda x, y: (x.masked_fill(y > 1.5, 2.0), x.masked_fill(x > 0, y.sum())), x, y),
        "limited": (lambda x: (x.clamp_min(0.3), x.clamp_max(0.3)), x),
        "filled": (lambda x: (x + t.zeros(3), t.ones(3) - x, t.arange(3), t.arange(1, 4)), x),
        "filled alike": (lambda x: (t.zeros_like(x), t.ones_like(x), x.clone().fill_(2)), x),
        "new": (lambda x: (x.new_zeros(2), x.new_ones(2), x.new_full((2,), 3)), x),
        "activations": (lambda x: F.mish(F.silu(x)) + F.hardswish(x) + F.hardsigmoid(x), x),
        "half": (lambda x: (F.silu(x), F.hardswish(x), F.mse_loss(x, x)), x.to(t.bfloat16)),
        "more activations": (lambda x: F.celu(x, 2.0) + F.softplus(x) + F.softplus(x, 2, 5), x),
        "shrunken": (lambda x: F.hardshrink(x) + F.softshrink(x) + F.threshold(x, 0.3, 1), x),
        "gates": (lambda x, w: (F.glu(x, 0), F.logsigmoid(x), F.prelu(x, w)), x, t.ones(1)),
        "losses": (
            lambda x, y: F.mse_loss(x, y) + F.smooth_l1_loss(x, y) + F.huber_loss(x, y),
            x,
            y,
        ),
        "logits": (lambda x: F.binary_cross_entropy_with_logits(x, x), x),
        "probabilities": (lambda x: F.binary_cross_entropy(x, x, x, reduction="sum"), x),
        "margins": (lambda x, y: F.soft_margin_loss(x, y, reduction="none"), x, y),
        "classes": (lambda x: F.cross_entropy(x, i) + F.nll_loss(x, i, reduction="sum"), x),
        "sums": (lambda x: (x.sum(), x.std(1), x.logsumexp(1), x.aminmax()), x),
        "truths": (lambda x: ((x > 0).all(), (x > 0).all(1)), x),
        "products": (lambda x: (x @ x[0], x[0] @ x[1]), x),
        "arithmetic": (
            lambda x, y: (1 - x, t.rsub(x, y), x.frac(), x // 2, x.sgn(), x.deg2rad()),
            x,
            y,
        ),
        "between": (lambda x, y: (x.lerp(y, 0.3), x.lerp(y, x), t.addcmul(x, x, y, value=2)), x, y),
        "quotients": (lambda x, y: (t.addcdiv(x, x, y), t.xlogy(x, y)), x, y),
        "triangles": (lambda x: (x.tril(), x.triu(1)), x),
        "placed": (lambda x, y: (x.index_add(0, i, y), x.index_copy(0, i, y)), x, y),
        "rolled": (lambda x, y: (x.roll(1, 1), x.select_scatter(y[0], 0, 1)), x, y),
    }


@pytest.mark.parametrize("kind", of_core_operators(torch))
def test_by_default_operators_are_written_in_those_of_the_core(kind):
    seen = []
    for t in BOTH:
        function, *args = of_core_operators(t)[kind]
        program = t.export.export(calling(t, function), tuple(args)).run_decompositions()
        leaves = importlib.import_module(f"{t.__name__}.utils._pytree").tree_leaves
        t.testing.assert_close(leaves(program.module()(*args)), leaves(function(*args)))
        seen.append(text(program.graph_module.code))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", programs(torch))
def test_composite_operators_stay_whole_where_no_table_has_them(name):
    got, want = (facts(decomposed(t, name, {})) for t in BOTH)
    assert got == want


@pytest.mark.parametrize("name", sorted(programs(torch).keys() - {"drops"}))
def test_the_module_of_a_decomposed_program_computes_the_same(name):
    module, args = programs(ours)[name]
    program = ours.export.export(module, args)
    whole = program.run_decompositions()
    assert whole.dialect == "ATEN"
    states = {k: v.detach().clone() for k, v in module.state_dict().items()}
    made, expected = whole.module(), module
    got = made(*(a.clone() for a in args))
    after = {k: v.detach().clone() for k, v in made.state_dict().items()}
    module.load_state_dict(states)
    want = expected(*(a.clone() for a in args))
    leaves = importlib.import_module("mindtorch.utils._pytree").tree_leaves
    ours.testing.assert_close(leaves(got), leaves(want))
    ours.testing.assert_close(after, dict(module.state_dict()))


@pytest.mark.parametrize("t", BOTH, ids=["ours", "torch"])
def test_a_table_says_what_is_called_in_place_of_an_operator(t):
    linear = t.ops.aten.linear.default
    program = t.export.export(t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU()), (t.ones(1, 2),))
    table = t.export.default_decompositions()
    assert linear in table
    del table[linear]
    assert "aten.linear.default" in program.run_decompositions(table).graph_module.code
    assert linear in t.export.default_decompositions()
    own = {linear: lambda x, w, b: x @ w.sum() if 0 else x * b}
    code = program.run_decompositions(own).graph_module.code
    assert "linear" not in code and "aten.mul.Tensor(input_1, p_0_bias)" in code
    own = {t.ops.aten.relu.default: lambda x: x.clamp(0)}
    assert "aten.clamp.default(" in program.run_decompositions(own).graph_module.code


def test_a_decomposed_program_can_be_decomposed_again_and_saved(tmp_path):
    program = decomposed(ours, "changes", {})
    again = program.run_decompositions({})
    assert facts(again)[1:] == facts(program)[1:]
    assert facts(again.run_decompositions({})) == facts(again)
    ours.export.save(program, tmp_path / "program.pt2")
    read = torch.export.load(tmp_path / "program.pt2")
    assert facts(read)[1:4] == facts(program)[1:4]


def test_functionalized_batch_norms_move_their_statistics():
    def moved(t):
        def f(x, mean, var):
            made = t.ops.aten._native_batch_norm_legit(x, None, None, mean, var, True, 0.1, 1e-5)
            return made[0] + mean

        x = t.arange(6.0).reshape(2, 3)
        mean, var = t.zeros(3), t.ones(3)
        result = t.func.functionalize(f)(x, mean, var)
        return [torch.tensor(v.tolist()) for v in (result, mean, var)]

    for got, want in zip(moved(ours), moved(torch), strict=True):
        torch.testing.assert_close(got, want)


def test_functionalized_operators_of_methods_are_taken_apart():
    def kept(t):
        return t.func.functionalize(lambda x: t.ops.aten.to.dtype(x, t.float64).mul_(2))(t.ones(2))

    got, want = kept(ours), kept(torch)
    assert (got.tolist(), str(got.dtype)) == (want.tolist(), str(want.dtype))


@pytest.mark.parametrize("location", ["meta", {"cpu": "meta"}, {"meta": "cpu"}])
def test_a_program_moves_to_another_device(location):
    def moved(t):
        passes = importlib.import_module(f"{t.__name__}.export.passes")
        module, args = programs(t)["changes"]
        program = t.export.export(module, args)
        assert passes.move_to_device_pass(program, location) is program
        held = {**program.state_dict, **program.constants}
        return (
            {name: (type(v).__name__, str(v.device)) for name, v in held.items()},
            [str(a.device) for a in program.example_inputs[0]],
            [str(n.kwargs["device"]) for n in program.graph.nodes if "device" in n.kwargs],
            [str(n.meta["val"].device) for n in program.graph.nodes if n.op == "placeholder"],
        )

    assert moved(ours) == moved(torch)
