"""Where backward has passed a group of parameters."""

from __future__ import annotations

from typing import Any

from ....autograd import Function

__all__ = ["RegisterPostBackwardFunction"]


class RegisterPostBackwardFunction(Function):
    """The inputs of a group's forward: a backward that comes to them has passed the group."""

    @staticmethod
    def forward(param_group: Any, *inputs: Any) -> Any:
        """The inputs."""
        return inputs

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Keep the group."""
        ctx.param_group = inputs[0]

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients, after the group's own backward."""
        ctx.param_group.post_backward()
        return (None, *grads)
