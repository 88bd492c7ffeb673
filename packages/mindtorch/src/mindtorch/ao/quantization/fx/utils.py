"""``torch.ao.quantization.fx.utils``: what is asked of nodes and modules of graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mindtorch.core.unavailable import offer_listed

from ....aten import torch
from ....fx.graph import Graph
from ....fx.node import Node

__all__ = ["ObservedGraphModuleAttrs"]

#: Where a graph with observers keeps how they came there.
OBSERVED = "_observed_graph_module_attrs"


@dataclass
class ObservedGraphModuleAttrs:
    """How a graph came by its observers."""

    node_name_to_qconfig: dict[str, Any]
    node_name_to_scope: dict[str, tuple[str, type]]
    prepare_custom_config: Any
    equalization_node_name_to_qconfig: dict[Any, Any]
    qconfig_mapping: Any
    is_qat: bool
    observed_node_names: set[str]
    is_observed_standalone_module: bool = False
    standalone_module_input_quantized_idxs: list[int] | None = None
    standalone_module_output_quantized_idxs: list[int] | None = None


def parent_and_name(target: str) -> tuple[str, str]:
    """The path of the module that something is in, and its name there."""
    parent, _, name = target.rpartition(".")
    return parent, name


def module_of(node: Any, named: dict[str, Any]) -> Any:
    """The module that *node* calls, or None."""
    if node.op == "call_module" and str(node.target) in named:
        return named[str(node.target)]
    return None


def free_name(module: Any, prefix: str) -> str:
    """*prefix* with the first number that makes it no attribute of *module*."""
    prefix, i = prefix.replace(".", "_"), 0
    while hasattr(module, f"{prefix}{i}"):
        i += 1
    return f"{prefix}{i}"


def buffer_node(module: Any, graph: Graph, prefix: str, value: Any) -> Node:
    """A node of *value* as a buffer of *module*."""
    name = free_name(module, prefix)
    made = value.detach().clone() if isinstance(value, torch.Tensor) else torch.tensor(value)
    module.register_buffer(name, made)
    return graph.create_node("get_attr", name)


def have_no_tensors(node: Node, named: dict[str, Any], known: dict[Node, bool]) -> bool:
    """Whether there are no tensors in what *node* is computed of, as sizes of tensors."""
    if node not in known:
        known[node] = _have_no_tensors(node, named, known)
    return known[node]


def _have_no_tensors(node: Node, named: dict[str, Any], known: dict[Node, bool]) -> bool:
    if node.op == "placeholder":
        return False
    if node.op == "call_module":
        from ..observer import _is_activation_post_process

        first = node.args[0] if node.args else None
        if _is_activation_post_process(named[str(node.target)]) and isinstance(first, Node):
            return have_no_tensors(first, named, known)
        return False
    if node.op == "get_attr":
        return False
    if node.target is getattr and node.args[1] in ("ndim", "shape"):
        return True
    if node.op == "call_method" and node.target == "size":
        return True
    given: list[Any] = []
    for arg in node.args:
        given += arg if isinstance(arg, list | tuple) else [arg]
    parts = [arg for arg in given if isinstance(arg, Node)]
    return all(have_no_tensors(part, named, known) for part in parts)


offer_listed(globals())
