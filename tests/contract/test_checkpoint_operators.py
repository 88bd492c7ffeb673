"""Which operators run, in which order, where values go through hooks of saved tensors."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import pytest

from .helpers import assert_same_value, both

#: Functions of two matrices.
FUNCTIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "products": lambda t, x, w: (t.mm(x, w).sin() @ w).cos(),
    "sigmoid": lambda t, x, w: t.sigmoid(t.mm(x, w)) * x,
    "relu": lambda t, x, w: t.nn.functional.relu(t.mm(x, w)).exp(),
    "softmax": lambda t, x, w: t.softmax(t.mm(x, w), -1) @ x,
    "layer_norm": lambda t, x, w: t.nn.functional.layer_norm(x @ w, (4,)),
    "in place": lambda t, x, w: (x @ w).mul_(2).sin(),
    "linear": lambda t, x, w: t.nn.functional.gelu(t.nn.functional.linear(x, w)) + x,
    "views": lambda t, x, w: (x @ w).t().reshape(-1).view(4, 4).sum(0),
    "two results": lambda t, x, w: (x @ w).max(1)[0] * 2,
    "unused": lambda t, x, w: ((x @ w).sin(), x * 2)[1],
    "results": lambda t, x, w: t.tanh(t.tanh(x @ w)),
    "random": lambda t, x, w: t.nn.functional.dropout(x @ w, 0.5).sin(),
    "twice": lambda t, x, w: (x @ x) * x,
    "list": lambda t, x, w: t.cat([x @ w, x]).cos(),
}
#: Names of operators whose results are kept; None: all are.
POLICIES: dict[str, tuple[str, ...] | None] = {
    "nothing": (),
    "products": ("mm",),
    "functions": ("sin", "sigmoid", "tanh", "_softmax", "relu", "native_layer_norm"),
    "everything": None,
}


def logged(t: Any, log: list[str]) -> Any:
    """A mode that notes the operators in *log*."""
    mode = importlib.import_module(f"{t.__name__}.utils._python_dispatch").TorchDispatchMode

    class Logging(mode):  # type: ignore[misc, valid-type]
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            log.append(str(func))
            return func(*args, **(kwargs or {}))

    return Logging()


def operands(t: Any) -> tuple[Any, Any]:
    x = t.arange(16.0).view(4, 4) / 7
    return x.requires_grad_(), (x.detach().flip(0) * 0.7).requires_grad_()


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_selective_checkpoints_run_the_same_operators(
    name: str, policy: str, early_stop: bool
) -> None:
    """Forward, and backward with what is computed again, which may end before the last ops."""

    def work(t: Any) -> Any:
        checkpoints = importlib.import_module(f"{t.__name__}.utils.checkpoint")
        chosen = checkpoints.CheckpointPolicy

        def choose(context: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
            kept = POLICIES[policy]
            save = kept is None or op._schema.name.removeprefix("aten::") in kept
            return chosen.MUST_SAVE if save else chosen.PREFER_RECOMPUTE

        contexts = functools.partial(checkpoints.create_selective_checkpoint_contexts, choose)
        x, w = operands(t)
        forward: list[str] = []
        backward: list[str] = []
        t.manual_seed(0)
        with checkpoints.set_checkpoint_early_stop(early_stop):
            with logged(t, forward):
                y = checkpoints.checkpoint(
                    lambda x, w: FUNCTIONS[name](t, x, w),
                    x,
                    w,
                    use_reentrant=False,
                    context_fn=contexts,
                )
            try:
                with logged(t, backward):
                    y.sum().backward()
            except RuntimeError as error:  # what was kept was changed in place
                return str(error)
        return forward, backward, x.grad, w.grad

    assert_same_value(*both(work), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_hooks_see_arguments_before_the_op_runs(name: str) -> None:
    """And its results after it; what they give back is detached where it has a history."""

    def work(t: Any) -> Any:
        x, w = operands(t)
        log: list[str] = []
        t.manual_seed(0)
        with logged(t, log):
            with t.autograd.graph.saved_tensors_hooks(
                lambda v: (log.append("pack"), v)[1], lambda v: (log.append("unpack"), v)[1]
            ):
                y = FUNCTIONS[name](t, x, w)
            y.sum().backward()
        return log

    assert_same_value(*both(work))
