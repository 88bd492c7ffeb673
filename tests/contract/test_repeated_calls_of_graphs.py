"""``torch._functorch.compile_utils``: calls of a graph that come again, and passes over graphs."""

from __future__ import annotations

import importlib
import operator
import random
from typing import Any

import mindtorch
import torch

T = Any


def _changed(t: T, x: T) -> T:
    a, b = x.clone(), x.clone()
    a.add_(1)
    return a + b + x.clone()


#: Functions of a framework and a tensor.
TRACED = (
    lambda t, x: x.cos() + x.cos(),
    lambda t, x: (x.cos(), x.cos()),
    lambda t, x: (x.view(4), x.view(4)),
    lambda t, x: (x.sin().view(4), x.sin().view(4), x.sin()),
    lambda t, x: x.view(4).add_(1) + x.view(4),
    lambda t, x: x.cos() + x.add_(1) + x.cos(),
    lambda t, x: (x + 1) * (x + 1.0) * (x + True) * (x + 1),
    lambda t, x: x.max(0)[0] + x.max(0)[0] + x.max(0)[1],
    lambda t, x: x.sum(dim=1) + x.sum(dim=1, keepdim=False) + x.sum(dim=1, keepdim=True) + x.sum(),
    lambda t, x: t.empty(2, 2) + t.empty(2, 2) + t.empty_like(x) + t.empty_like(x),
    lambda t, x: x.bernoulli() + x.bernoulli() + t.randn_like(x) + t.randn_like(x),
    lambda t, x: t.cat([x.sin(), x.sin()]) + t.cat([x.sin(), x.cos()]).relu(),
    lambda t, x: t.ones_like(x) + t.ones_like(x) + t.zeros(2) + t.zeros(2),
    lambda t, x: x[:, 0] + x[:, 0] + x[0] + x[0],
    lambda t, x: None,
    _changed,
)


def _parts(t: T) -> Any:
    return importlib.import_module(f"{t.__name__}._functorch.compile_utils")


def _graph(t: T, function: Any) -> T:
    make_fx = importlib.import_module(f"{t.__name__}.fx.experimental.proxy_tensor").make_fx
    return make_fx(lambda x: function(t, x))(t.full((2, 2), 0.5))


def _told(t: T, graph: T) -> str:
    return str(graph).replace(t.__name__ + ".", "torch.")


def test_calls_that_come_again_are_made_once() -> None:
    """But for random ones, what results share memory with, and after a change in place."""
    for place, function in enumerate(TRACED):
        told = []
        for t in (torch, mindtorch):
            once = _parts(t).fx_graph_cse(_graph(t, function).graph)
            told.append((_told(t, once), _told(t, _parts(t).fx_graph_cse(once))))
        assert told[0] == told[1], place


def _several(t: T) -> Any:
    """A function of many calls, some of them alike."""
    numbers = random.Random(0)

    def several(x: T) -> T:
        values = [x]
        for _ in range(60):
            call = numbers.choice([t.clone, t.cos, t.tanh, t.relu])
            values.append(call(numbers.choice(values)))
        return operator.getitem(values[-1], 0) + operator.getitem(values[-1], 0)

    return several


def _module(t: T) -> Any:
    class Twice(t.nn.Module):  # type: ignore[misc]  # of either framework
        def __init__(self) -> None:
            super().__init__()
            self.layer, self.weight = t.nn.Linear(2, 2), t.nn.Parameter(t.ones(2))

        def forward(self, x: T) -> T:
            return self.layer(x).exp() + self.layer(x).exp() + self.weight + self.weight

    return Twice()


def test_calls_of_functions_and_modules_are_made_once() -> None:
    """Of graphs that were traced without values: methods, modules, parameters, subscripts."""
    told = []
    for t in (torch, mindtorch):
        for traced in (_several(t), _module(t)):
            graph = t.fx.symbolic_trace(traced).graph
            told.append(_told(t, _parts(t).fx_graph_cse(graph)))
    assert told[:2] == told[2:]


def test_other_passes() -> None:
    """Nodes of arguments and results, operators of overloads, parts picked where they are made."""
    told = []
    for t in (torch, mindtorch):
        parts = _parts(t)
        module = _graph(t, lambda t, x: (x.sin(), [x.max(0)[0] * x.max(0)[1]]))
        told.append([str(n) for n in parts.get_placeholders(module.graph)])
        told.append([str(n) for n in parts.get_outputs(module.graph)])
        told.append([str(parts.get_aten_target(n)) for n in module.graph.nodes])
        told.append(list(map(str, parts.rand_ops)))
        assert parts.raise_getitems(module) is module
        told.append(module.code)
        parts.strip_overloads(module)
        told.append(module.code)
    half = len(told) // 2
    assert told[:half] == told[half:]
