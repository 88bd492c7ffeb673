"""An LSTM in single precision is one op for each layer and direction, with torch's gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch
import pytest
import torch

from .helpers import differences

pytestmark = pytest.mark.oracle

NETWORKS: dict[str, dict[str, Any]] = {
    "one layer": {},
    "two layers": {"num_layers": 2},
    "both directions": {"bidirectional": True, "num_layers": 2},
    "batch first": {"batch_first": True},
    "without biases": {"bias": False, "bidirectional": True},
    "projected": {"proj_size": 2},
}
SHAPES = {"sequences": (3, 2, 4), "one step": (1, 3, 4), "one sequence": (5, 4), "none": (3, 0, 4)}


def network(t: Any, options: dict[str, Any], dtype: str) -> Any:
    """Both frameworks draw the same weights."""
    t.manual_seed(3)
    return t.nn.LSTM(4, 5, **options).to(getattr(t, dtype))


def numbers(t: Any, *shape: int) -> Any:
    """Between -1 and 1."""
    count = 1
    for size in shape:
        count *= size
    return t.arange(float(count)).mul(0.7).sin().reshape(shape)


def agree(run: Callable[[Any], Any], rtol: float = 0.0, atol: float = 0.0) -> None:
    """Both frameworks return the same, within a tolerance."""
    assert differences(run(mindtorch), run(torch), rtol=rtol, atol=atol) == []


@pytest.mark.parametrize("options", NETWORKS.values(), ids=NETWORKS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("training", [True, False])
def test_results_and_gradients(options: Any, shape: Any, training: bool) -> None:
    """By the output, the last states, and all of them; and with a state to begin with."""

    if options.get("batch_first") and not all(shape):
        shape = (shape[1], shape[0], shape[2])

    def run(t: Any) -> Any:
        net = network(t, options, "float32").train(training)
        x = numbers(t, *shape).requires_grad_()
        y, (h, c) = net(x)
        start = [s.detach().mul(0.5).requires_grad_() for s in (h, c)]
        z, (h1, c1) = net(x, tuple(start))
        facts = [y, h, c, z, h1, c1, y.stride(), [v.grad_fn.name() for v in (y, h, c)]]
        wanted = [x, *net.parameters()]
        for loss in (y.square().sum(), h.exp().sum(), c.sin().sum(), y.sum() + h.sum() * c.sum()):
            facts += t.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True)
        facts += t.autograd.grad(z.square().sum() + c1.sum(), [*wanted, *start], allow_unused=True)
        return facts

    agree(run, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("options", list(NETWORKS.values())[:5], ids=list(NETWORKS)[:5])
def test_gradients_of_gradients(options: Any) -> None:
    """Backward that is recorded is the formula over tensors."""

    def run(t: Any) -> Any:
        net = network(t, options, "float32")
        x = numbers(t, 3, 2, 4).requires_grad_()
        y, (h, c) = net(x)
        wanted = [x, *net.parameters()]
        loss = y.square().sum() + h.exp().sum() + c.sum()
        first = t.autograd.grad(loss, wanted, create_graph=True)
        return [*first, *t.autograd.grad(sum(g.square().sum() for g in first), wanted)]

    agree(run, rtol=1e-3, atol=1e-4)


def test_a_step_of_training_in_bfloat16() -> None:
    """Computed in single precision, rounded at the end of a layer."""

    def run(t: Any) -> Any:
        net = network(t, {}, "bfloat16")
        y, (h, c) = net(numbers(t, 3, 2, 4).bfloat16())
        (h.float().sum() + y.float().square().sum()).backward()
        return [y, h, c, y.grad_fn.name(), *[p.grad for p in net.parameters()]]

    agree(run, rtol=5e-2, atol=2e-2)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64", "float16"])
@pytest.mark.parametrize("options", NETWORKS.values(), ids=NETWORKS)
def test_a_mode_sees_the_layers(options: Any, dtype: str) -> None:
    """The op of a layer is there where it is in torch."""

    def run(t: Any) -> Any:
        class Seen(t.utils._python_dispatch.TorchDispatchMode):
            def __torch_dispatch__(
                self, func: Any, types: Any, args: Any = (), kwargs: Any = None
            ) -> Any:
                seen.append(str(func))
                return func(*args, **(kwargs or {}))

        seen: list[str] = []
        net = network(t, options, dtype)
        x = numbers(t, 3, 2, 4).to(getattr(t, dtype)).requires_grad_()
        with Seen():
            y, _ = net(x)
            y.sum().backward()
        return [op for op in seen if "mkldnn" in op]

    agree(run)


def test_the_op_itself() -> None:
    """Its results but what it keeps for backward, and its schema."""

    def run(t: Any) -> Any:
        net = network(t, {}, "float32")
        state = [numbers(t, 2, 5), numbers(t, 2, 5).cos()]
        weights = [p.detach() for p in net.parameters()]
        found = []
        for back in (False, True):
            for layer in (t.mkldnn_rnn_layer, t.ops.aten.mkldnn_rnn_layer):
                made = layer(
                    numbers(t, 3, 2, 4),
                    *weights,
                    *state,
                    back,
                    [],
                    2,
                    5,
                    1,
                    True,
                    False,
                    False,
                    True,
                )
                found += [*made[:3], [m.stride() for m in made[:3]], made[3].dtype]
        schemas = [
            str(getattr(t.ops.aten, name).default._schema)
            for name in ("mkldnn_rnn_layer", "mkldnn_rnn_layer_backward")
        ]
        return found, schemas

    agree(run, rtol=1e-5, atol=1e-6)
