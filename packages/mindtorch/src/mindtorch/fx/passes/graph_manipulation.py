"""Nodes exchanged, and how much memory nodes take."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, NamedTuple

from .._compatibility import compatibility
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node
from .shape_prop import ShapeProp

__all__ = [
    "get_size_of_all_nodes", "get_size_of_node", "get_tensor_meta", "replace_target_nodes_with",
    "size_bytes",
]  # fmt: skip


@compatibility(is_backward_compatible=False)
def replace_target_nodes_with(
    fx_module: GraphModule, old_op: str, old_target: Any, new_op: str, new_target: Any
) -> None:
    """Let nodes that call one thing call another, with the same arguments."""
    graph = Graph()
    made: dict[Node, Node] = {}
    for node in fx_module.graph.nodes:
        copied = made[node] = graph.node_copy(node, made.__getitem__)
        if (node.op, node.target) == (old_op, old_target):
            copied.op, copied.target = new_op, new_target
            copied.meta, copied.type = {}, None
    fx_module.graph = graph


@compatibility(is_backward_compatible=False)
class size_bytes(NamedTuple):
    """The bytes of a node's result, and with its parameters."""

    output_size: int
    total_size: int


@compatibility(is_backward_compatible=False)
def get_size_of_all_nodes(fx_module: GraphModule, args: Any = None) -> None:
    """Note in every node what it takes (``node.size_bytes``); *args* give the shapes."""
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in takewhile(lambda each: each.op != "output", fx_module.graph.nodes):
        node.size_bytes = get_size_of_node(fx_module, node)


@compatibility(is_backward_compatible=False)
def get_tensor_meta(node: Node) -> Any:
    """What ShapeProp noted. Raises RuntimeError where it did not run."""
    if node.meta.get("tensor_meta"):
        return node.meta["tensor_meta"]
    raise RuntimeError(
        f"Node {node} has no tensor metadata associated with it! Check that shape propagation "
        "has run."
    )


@compatibility(is_backward_compatible=False)
def get_size_of_node(fx_module: GraphModule, node: Node) -> size_bytes:
    """The bytes that a node takes."""
    elements = 0
    if node.op == "call_module":
        module = dict(fx_module.named_modules())[node.target]
        elements += sum(p.nelement() for _, p in module.named_parameters())
    meta = get_tensor_meta(node)
    output = meta.shape.numel()
    each = meta.dtype.itemsize
    return size_bytes(each * output, each * (elements + output))
