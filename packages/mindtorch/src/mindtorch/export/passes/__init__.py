"""``torch.export.passes``: changes of whole programs."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import Device

from ...nn import Parameter
from ...tensor import Tensor
from ...utils._pytree import tree_map_only
from ..exported_program import ExportedProgram

__all__ = ["move_to_device_pass"]


def move_to_device_pass(
    ep: ExportedProgram, location: Device | str | dict[str, str]
) -> ExportedProgram:
    """Move a program, its tensors and the devices that its operators name; returns it.

    :param location: the device, or a device for each that is left.
    """

    def new(device: Any) -> str:
        if isinstance(location, dict):
            return location.get(str(device), str(device))
        return str(location)

    def moved(value: Tensor) -> Tensor:
        return value.to(new(value.device))

    for name, value in list(ep.state_dict.items()):
        found = moved(value)
        if isinstance(value, Parameter):
            found = Parameter(found.detach(), value.requires_grad)
        ep.state_dict[name] = found
    for name, value in list(ep.constants.items()):
        if isinstance(value, Tensor):
            ep.constants[name] = moved(value)
    ep.example_inputs = tree_map_only(Tensor, moved, ep.example_inputs)
    for part in ep.graph_module.modules():
        for node in getattr(getattr(part, "graph", None), "nodes", ()):
            if "device" in node.kwargs:
                node.kwargs = {**node.kwargs, "device": new(node.kwargs["device"])}
            if "val" in node.meta:
                node.meta["val"] = tree_map_only(Tensor, moved, node.meta["val"])
    ep.validate()
    return ep
