"""``torch.autograd.graph``: looking at the graph, and hooks on what it saves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_autograd import (
    GradientEdge,
    Node,
    disable_saved_tensors_hooks,
    get_gradient_edge,
    register_multi_grad_hook,
    saved_tensors_hooks,
)

from ..construct import alias_of
from ..tensor import Tensor


class save_on_cpu(saved_tensors_hooks):
    """Keep what is saved for backward in host memory; bring it back when it is needed."""

    def __init__(self, pin_memory: bool = False, device_type: str = "npu") -> None:
        def pack(t: Any) -> Any:
            return (t.device, t.cpu())

        def unpack(packed: Any) -> Any:
            device, t = packed
            return t._to(device)

        super().__init__(pack, unpack)


def increment_version(tensor: Any) -> None:
    """Note that *tensor* (or each of several) was changed in a way autograd cannot see.

    Inference tensors have no version: nothing is noted.
    Raises RuntimeError for anything but tensors.
    """
    if isinstance(tensor, Tensor):
        tensor = (tensor,)
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in tensor:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        alias_of(t).value += 1


def region_activation_memory_budget(budget: float) -> Any:
    """Part of ``torch.compile`` in torch, without effect elsewhere; refused as torch refuses it."""
    name = "torch.autograd.graph.region_activation_memory_budget"
    return _Refused(budget, name)


class _Refused:
    def __init__(self, budget: float, name: str) -> None:
        self.budget, self.name = budget, name

    def __enter__(self) -> None:
        if not 0 <= self.budget <= 1:
            raise ValueError(f"{self.name}: must be in [0, 1], got {self.budget}")
        raise RuntimeError(
            f"{self.name} can only be used inside a torch.compile region; it has no effect in "
            "eager mode."
        )

    def __exit__(self, *error: object) -> None:
        pass


def __getattr__(name: str) -> Any:
    if name != "allow_mutation_on_saved_tensors":
        raise AttributeError(f"module 'torch.autograd.graph' has no attribute '{name}'")
    from .saved_mutation import allow_mutation_on_saved_tensors

    return allow_mutation_on_saved_tensors


__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",  # noqa: F822  (see __getattr__)
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "region_activation_memory_budget",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
