"""Layers of graphs that become one, and what is prepared, converted and traced otherwise."""

import copy

import pytest

from tests.contract.quantized_graphs import (
    added,
    agree,
    backend_of,
    fx,
    named,
    quietly,
    refuse,
    shown,
)

# -- layers that become one ------------------------------------------------------------------------


def _several(t):
    nn = t.nn
    return nn.Sequential(
        nn.Conv2d(2, 2, 3, padding=1),
        nn.BatchNorm2d(2),
        nn.ReLU(),
        nn.Conv2d(2, 2, 1),
        nn.ReLU(),
        nn.Linear(4, 4),
        nn.BatchNorm2d(2),
        nn.ReLU(),
        nn.ConvTranspose2d(2, 2, 1),
        nn.BatchNorm2d(2),
        nn.Linear(4, 3),
        nn.ReLU(),
    )


def _functional(t):
    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.bn = t.nn.Conv2d(2, 2, 1), t.nn.BatchNorm2d(2)
            self.fc = t.nn.Linear(4, 4)

        def forward(self, x):
            x = t.nn.functional.relu(self.bn(self.conv(x)))
            return t.nn.functional.relu(self.fc(x)) + x.relu()

    return Net()


FUSED = {"several": _several, "functional": _functional, "added": added}


@pytest.mark.parametrize("backend", ["native", "onednn", "executorch"])
@pytest.mark.parametrize("case", FUSED)
def test_layers_become_one(case, backend):
    def program(t):
        t.manual_seed(0)
        model = FUSED[case](t).eval()
        fused = quietly(fx(t).fuse_fx, model, backend_config=backend_of(t, backend))
        x = t.randn(2, 2, 4, 4)
        computed = []
        if backend == "native":
            computed = [round(v, 4) for v in fused(x).sum(1).flatten().tolist()]
        return shown(fused), type(fused).__name__, computed

    agree(program)


def test_attributes_are_kept():
    def program(t):
        model = _several(t).eval()
        model.kept, model.lost = 3, 4
        fused = quietly(fx(t).fuse_fx, model, {"preserved_attributes": ["kept", "none"]})
        return fused.kept, hasattr(fused, "lost"), fused.meta

    agree(program)


def test_layers_in_training_do_not_become_one_for_evaluation():
    def program(t):
        model = t.nn.Sequential(t.nn.Conv2d(1, 1, 1), t.nn.BatchNorm2d(1).eval())
        return quietly(fx(t).fuse_fx, model)

    refuse(program)


# -- configurations --------------------------------------------------------------------------------

GIVEN = {
    "a name": {"standalone_module_name": [("a", None, (), None, None)]},
    "a class": {"standalone_module_class": [(int, {}, (1,), {}, None)]},
    "observed": {"float_to_observed_custom_module_class": {"static": {1: 2}}},
    "names": {"non_traceable_module_name": ["a"], "non_traceable_module_class": [int]},
    "quantized": {"input_quantized_idxs": [0], "output_quantized_idxs": [1]},
    "attributes": {"preserved_attributes": ["a"]},
    "unknown": {"unknown": 3},
    "no mapping": {"standalone_module_name": [("a", 3, (), None, None)]},
    "no configuration": {"standalone_module_class": [(int, {}, (), 3, None)]},
    "no backend": {"standalone_module_name": [("a", {}, (), {}, 3)]},
    "another kind": {"float_to_observed_custom_module_class": {"foo": {1: 2}}},
    "a kind that is not static": {"float_to_observed_custom_module_class": {"dynamic": {1: 2}}},
}


@pytest.mark.parametrize("case", GIVEN)
def test_what_is_prepared_otherwise(case):
    def program(t):
        config = fx(t, "fx.custom_config").PrepareCustomConfig
        try:
            made = config.from_dict(GIVEN[case])
        except ValueError as error:
            return named(error)
        return named(made), named(made.to_dict()), named(config.from_dict(made.to_dict()))

    agree(program)


def test_what_is_converted_and_fused_otherwise():
    def program(t):
        configs = fx(t, "fx.custom_config")
        made = configs.ConvertCustomConfig().set_observed_to_quantized_mapping(1, 2)
        made.set_preserved_attributes(["a"])
        kept = configs.FuseCustomConfig.from_dict({"preserved_attributes": ["b"]})
        again = configs.ConvertCustomConfig.from_dict(made.to_dict())
        return [named(x) for x in (made, again, made.to_dict(), kept, kept.to_dict())]

    agree(program)


def test_the_tracer_leaves_modules_alone():
    def program(t):
        class Inner(t.nn.Module):
            def forward(self, x):
                return x + 1

        class Net(t.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = Inner(), t.nn.Sequential(t.nn.ReLU(), Inner())

            def forward(self, x):
                return self.b(self.a(x))

        kind = fx(t, "fx.tracer").QuantizationTracer
        first, second = kind(["a"], []), kind([], [Inner])
        graphs = [str(tracer.trace(Net())) for tracer in (first, second)]
        return graphs, {k: v[0] for k, v in second.node_name_to_scope.items()}

    agree(program)


@pytest.mark.parametrize("kind", ["FusedGraphModule", "ObservedGraphModule"])
def test_graphs_that_keep_attributes(kind):
    def program(t):
        model = t.nn.Sequential(t.nn.ReLU())
        model.kept = [1]
        graph = t.fx.symbolic_trace(model).graph
        made = getattr(fx(t, "fx.graph_module"), kind)(model, graph, {"kept", "none"})
        again = copy.deepcopy(made)
        return str(made), again.kept, again.kept is model.kept, sorted(again.preserved_attr_names)

    agree(program)
