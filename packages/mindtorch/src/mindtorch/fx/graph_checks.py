"""What makes a graph well formed, in the words of torch.fx."""

from __future__ import annotations

from typing import Any

from ..nn import Module
from .node import Node, _legal_ops, _type_repr

__all__ = ["check_graph"]


def check_graph(graph: Any) -> None:
    """Check that nodes come in order, under names of their own, and call what is there.

    Raises RuntimeError, and ValueError for what is no target.
    """
    before: dict[str, Node] = {}
    for node in graph.nodes:
        if node.op not in _legal_ops:
            raise RuntimeError(f"Node {node} had unknown opcode {node.op}!")
        _check_arguments(graph, node, before)
        if before.setdefault(node.name, node) is not node:
            raise RuntimeError(f"Node redefined name {node.name}!")
    for node in graph.nodes if graph.owning_module else ():
        _check_target(graph.owning_module, node)


def _check_arguments(graph: Any, node: Node, before: dict[str, Node]) -> None:
    """Check that *node* and what it needs are of *graph*, in this order. Raises RuntimeError."""
    if node.graph is not graph:
        raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
    for arg in node.all_input_nodes:
        if arg.graph is not graph:
            raise RuntimeError(
                f"Argument '{arg}' of Node '{node}' does not belong to this Graph, but was "
                "used as an argument! If you are copying nodes from another graph, make "
                "sure to use ``arg_transform`` on node_copy() to remap values\n"
                f"{graph}"
            )
        if before.get(arg.name) is not arg:
            raise RuntimeError(
                f"Argument '{arg}' of Node '{node}' was used before it has been defined! "
                "Please check that Nodes in the graph are topologically ordered\n"
                f"{graph}"
            )


def _check_target(root: Any, node: Node) -> None:
    """Check that what *node* calls or gets is there, in the module *root*.

    Raises RuntimeError, and ValueError for what is no target of such a node.
    """
    if node.op == "call_function" and not callable(node.target):
        raise ValueError(
            f"Node {node} target {node.target} has type {_type_repr(type(node.target))} but a "
            "Callable is expected"
        )
    if node.op != "call_function" and not isinstance(node.target, str):
        raise ValueError(
            f"Node {node} target {node.target} has type {_type_repr(type(node.target))} but a "
            "str is expected"
        )
    if node.op not in ("get_attr", "call_module"):
        return
    at, path = root, ""
    for atom in node.target.split("."):
        at = getattr(at, atom, None)
        if at is None:
            raise RuntimeError(
                f"Node {node} target {node.target} references nonexistent attribute {atom} of "
                f"{path}"
            )
        path = f"{path}.{atom}" if path else atom
    if node.op == "call_module" and not isinstance(at, Module):
        raise RuntimeError(
            f"Node {node} target {node.target} {path} of {at} does not reference an nn.Module"
        )
