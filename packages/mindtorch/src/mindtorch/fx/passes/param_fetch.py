"""Attributes of modules as attributes of their nodes, for lowering."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import nn
from ...aten import torch
from .._compatibility import compatibility
from ..graph_module import GraphModule

__all__ = ["default_matching", "extract_attrs_for_lowering", "lift_lowering_attrs_to_nodes"]


@compatibility(is_backward_compatible=False)
def default_matching(name: str, target_version: int) -> str:
    """The attribute itself."""
    return name


module_fetch_book: dict[type, tuple[int, list[str], Callable[[str, int], str]]] = {
    nn.modules.linear.Linear: (1, ["weight", "bias"], default_matching),
    nn.modules.conv.Conv2d: (
        1,
        [
            "weight", "bias", "kernel_size", "stride", "padding", "dilation", "groups",
            "padding_mode",
        ],
        default_matching,
    ),
    nn.modules.batchnorm.BatchNorm2d: (
        2, ["weight", "bias", "running_mean", "running_var", "eps"], default_matching,
    ),
    nn.modules.pooling.AdaptiveAvgPool2d: (1, [], default_matching),
    nn.modules.pooling.MaxPool2d: (
        1,
        ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"],
        default_matching,
    ),
    nn.modules.activation.ReLU: (1, ["inplace"], default_matching),
}  # fmt: skip


@compatibility(is_backward_compatible=False)
def extract_attrs_for_lowering(mod: Any) -> dict[str, Any]:
    """The class and the attributes of a module that lowering needs.

    Raises RuntimeError for classes that are not known, and for versions that are too new.
    """
    found: dict[str, Any] = {"name": torch.typename(mod)}
    if type(mod) not in module_fetch_book:
        return found
    version, names, matching = module_fetch_book[type(mod)]
    if version < mod._version:
        raise RuntimeError(
            f"Fetcher version {version} try to fetch {torch.typename(mod)} version "
            f"{mod._version}, please upgrade the module_fetch_book, open an issue and @842974287 "
            "or report a bug to AIACC team directly."
        )
    return found | {name: getattr(mod, matching(name, mod._version)) for name in names}


@compatibility(is_backward_compatible=False)
def lift_lowering_attrs_to_nodes(fx_module: GraphModule) -> None:
    """Note in every node that calls a module what lowering needs of it."""
    submodules = dict(fx_module.named_modules())
    for node in fx_module.graph.nodes:
        if node.op != "call_module":
            continue
        if isinstance(submodules[node.target], GraphModule):
            lift_lowering_attrs_to_nodes(submodules[node.target])
        else:
            node.attrs_for_lowering = extract_attrs_for_lowering(submodules[node.target])
