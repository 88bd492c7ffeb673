"""``Tensor.backward(inputs=…)`` where one of *inputs* overrides functions."""

from __future__ import annotations

from typing import Any

from ..call.torch_function import handle_torch_function, has_torch_function
from . import backward

__all__ = ["is_handed_over"]


def is_handed_over(inputs: Any, tensor: Any, **arguments: Any) -> bool:
    """Whether one of *inputs* overrides functions: the call of :func:`backward` is then its own."""
    if not has_torch_function(inputs):
        return False
    relevant = (tensor, *inputs)
    handle_torch_function(backward, relevant, (tensor,), **arguments, inputs=tuple(inputs))
    return True
