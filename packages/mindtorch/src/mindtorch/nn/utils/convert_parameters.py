"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core.operators import ops
from ...tensor import Tensor
from ..modules.module import _typename

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def _check_devices(parameters: list[Any]) -> None:
    if any(p.device != parameters[0].device for p in parameters):
        raise TypeError(
            "Found two parameters on different devices, this is currently not supported."
        )


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """The numbers of all *parameters*, one after another."""
    listed = list(parameters)
    _check_devices(listed)
    return ops.cat([p.view(-1) for p in listed])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Let *parameters* be views of the consecutive parts of *vec*."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {_typename(vec)}")
    listed = list(parameters)
    _check_devices(listed)
    start = 0
    for param in listed:
        end = start + param.numel()
        param.data = vec[start:end].view_as(param).data
        start = end
