"""``torch.autograd.graph``: looking at the graph, and hooks on what it saves."""

from __future__ import annotations

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
    """Note that *tensor* (or each of several) was changed in a way autograd cannot see."""
    for t in (tensor,) if not isinstance(tensor, (list, tuple)) else tensor:
        alias_of(t).value += 1


__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
