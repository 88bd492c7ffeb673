"""``torch.export.unflatten``: which modules a program comes apart into, and what they compute."""

import logging

import pytest
import torch

from .both_frameworks import BOTH, ours, part
from .helpers import assert_torch_error, both
from .test_export_decompositions import text


def programs(t):
    """Module, arguments and those by keyword, by what is particular to them."""
    nn = t.nn

    class Block(nn.Module):
        """Parts, a second result, and one that nobody uses."""

        def __init__(self):
            super().__init__()
            self.linear, self.norm = nn.Linear(3, 3), nn.BatchNorm1d(3)

        def forward(self, x):
            z = self.norm(self.linear(x))
            return z, z + 1

    class Network(nn.Module):
        """Parts that are called again, tied weights, states, constants, a switch, nested values."""

        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([Block(), Block()])
            self.act, self.tied = nn.ReLU(), nn.Linear(3, 3)
            self.register_buffer("count", t.zeros(3))
            self.register_buffer("hidden", t.zeros(3), persistent=False)
            self.scale = t.ones(3)
            self.tied.weight = self.layers[0].linear.weight

        def forward(self, x, d, flag=True):
            self.count.add_(1)
            for block in self.layers:
                x, y = block(x)
                x = self.act(x)
            x = self.layers[0].linear(x)
            with t.no_grad():
                w = x + self.hidden
            return {"a": x + self.count * self.scale + d["q"], "b": [y, self.tied(x), w]}

    class Differently(nn.Module):
        """A part whose second call is another graph."""

        def __init__(self):
            super().__init__()
            self.part = nn.Linear(3, 3)
            self.choose = Choose()

        def forward(self, x, *, late):
            return self.choose(self.part(x), True) + self.choose(self.part(late), False)

    class Choose(nn.Module):
        """Two graphs, one weight."""

        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(t.ones(3))

        def forward(self, x, first):
            return x * self.weight if first else x + self.weight

    x = t.arange(6.0).reshape(2, 3) / 7
    encoder = nn.TransformerEncoderLayer(4, 2, 8, 0.0)
    return {
        "network": (Network(), (x, {"q": t.ones(3)}), {}),
        "differently": (Differently(), (x,), {"late": x + 1}),
        "encoder": (encoder, (t.ones(2, 3, 4),), {}),
        "decoder": (nn.TransformerDecoderLayer(4, 2, 8), (t.ones(2, 3, 4), t.ones(1, 3, 4)), {}),
        "sequence": (nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.Tanh())), (x,), {}),
    }


def unflattened(t, name, functional=False):
    """The modules, the module that was exported, and how it is called."""
    module, args, kwargs = programs(t)[name]
    program = t.export.export(module, args, kwargs)
    if functional:
        program = program.run_decompositions({})
    return t.export.unflatten(program), module, args, kwargs


def facts(made):
    """What is compared: modules with their classes, graphs and states."""
    modules = []
    for name, module in made.named_modules():
        known = getattr(module, "graph_module", None)
        code = None if known is None else text(known.code)
        modules.append((name, code, code and module.type_name()))
    parameters = [name for name, _ in made.named_parameters(remove_duplicate=False)]
    return modules, list(made.state_dict()), parameters


@pytest.mark.parametrize("functional", [False, True], ids=["drawn", "functional"])
@pytest.mark.parametrize("name", programs(torch))
def test_a_program_comes_apart_into_its_modules(name, functional):
    got, want = (facts(unflattened(t, name, functional)[0]) for t in BOTH)
    assert got == want


@pytest.mark.parametrize("functional", [False, True], ids=["drawn", "functional"])
@pytest.mark.parametrize("name", ["network", "differently", "sequence"])
def test_the_modules_compute_what_the_exported_one_does(name, functional):
    made, module, args, kwargs = unflattened(ours, name, functional)
    leaves = part(ours, "utils._pytree").tree_leaves
    ours.testing.assert_close(leaves(made(*args, **kwargs)), leaves(module(*args, **kwargs)))
    got = dict(made.state_dict())
    ours.testing.assert_close({k: got[k] for k in module.state_dict()}, dict(module.state_dict()))
    held = {id(p) for p in module.parameters()}
    assert not any(id(p) in held for p in made.parameters())


def test_other_arguments_are_refused():
    made = [unflattened(t, "network")[0] for t in BOTH]
    late = [unflattened(t, "differently")[0] for t in BOTH]
    logging.disable(logging.CRITICAL)
    try:
        for call in (
            lambda t, m: m(t.ones(3, 3), {"q": t.ones(3)}),
            lambda t, m: m(t.ones(3), {"q": t.ones(3)}),
            lambda t, m: m(t.ones(2, 3)),
            lambda t, m: m(t.ones(2, 3), {"z": t.ones(3)}),
            lambda t, m: m(t.ones(2, 3), d={"q": t.ones(3)}),
            lambda t, m: m(t.ones(2, 3), {"q": 2}),
        ):
            assert_torch_error(*(lambda t=t, m=m: call(t, m) for t, m in zip(BOTH, made)))
        assert_torch_error(
            *(lambda t=t, m=m: m(t.ones(2, 3), late=t.ones(1, 3)) for t, m in zip(BOTH, late))
        )
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.parametrize("t", BOTH, ids=["ours", "torch"])
def test_an_adapter_lets_arguments_be_nested_otherwise(t, caplog):
    class Swapped(t.export.FlatArgsAdapter):
        def adapt(self, target_spec, input_spec, input_args, metadata=None, obj=None):
            return input_args[::-1]

    module, args, kwargs = programs(t)["network"]
    made = t.export.unflatten(t.export.export(module, args, kwargs), Swapped())
    result = made({"q": args[1]["q"]}, args[0])
    assert made.adapted
    t.testing.assert_close(result["b"][0], module(*args)["b"][0])


@pytest.mark.parametrize("t", BOTH, ids=["ours", "torch"])
def test_a_part_is_called_by_itself_and_can_be_replaced(t):
    made, module, args, kwargs = unflattened(t, "sequence")
    inner = made.get_submodule("0")
    t.testing.assert_close(inner(args[0]), module[0](args[0]))
    t.testing.assert_close(inner(**{inner.arg_names[0]: args[0]}), module[0](args[0]))
    made.set_submodule("0", t.nn.Linear(3, 2))
    assert made(*args).shape == (2, 2)


def test_a_part_that_is_not_complete_does_not_run():
    def run(t):
        module = part(t, "export.unflatten").InterpreterModule(t.fx.Graph(), "kind")
        assert module.type_name() == "kind"
        return isinstance(module, t.nn.Module)

    assert both(run)
