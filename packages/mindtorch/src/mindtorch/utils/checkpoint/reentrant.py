"""Checkpoints whose backward is one node with a backward of its own inside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_autograd import Function, backward, enable_grad, no_grad
from mindtorch_autograd.graph_task import current_graph_task

from ...core.warning import warn
from ...tensor import Tensor
from .environment import Environment


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """*inputs* with each tensor detached, and requiring gradients where it did.

    Raises RuntimeError for anything but a tuple.
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    found = []
    for value in inputs:
        if isinstance(value, Tensor):
            leaf = value.detach()
            leaf.requires_grad = value.requires_grad
            value = leaf
        found.append(value)
    return tuple(found)


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn where no tensor of *inputs* requires gradients."""
    if not any(t.requires_grad for t in inputs if isinstance(t, Tensor)):
        warn("None of the inputs have requires_grad=True. Gradients will be None")


class CheckpointFunction(Function):
    """``run_function(*args)``, run without a graph, and once more with one in backward."""

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        """The first run."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.environment = Environment(args, preserve_rng_state)
        ctx.tensor_indices = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*[args[i] for i in ctx.tensor_indices])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The second run, and its backward.

        Raises RuntimeError in a backward for given inputs, and where no output needs gradients.
        """
        task = current_graph_task()
        if task is not None and task.wanted is not None:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or "
                "passing an `inputs` parameter to .backward(). To resolve this error, you can "
                "either set use_reentrant=False, or call .backward() without passing the "
                "`inputs` argument."
            )
        inputs = list(ctx.inputs)
        for i, t in zip(ctx.tensor_indices, ctx.saved_tensors, strict=True):
            inputs[i] = t
        with ctx.environment.again():
            leaves = detach_variable(tuple(inputs))
            with enable_grad():
                outputs = ctx.run_function(*leaves)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        pairs = [
            (out, grad)
            for out, grad in zip(outputs, grads, strict=True)
            if isinstance(out, Tensor) and out.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return (None, None, *(t.grad if isinstance(t, Tensor) else None for t in leaves))
