"""Nodes by the module or function of the program that they come from."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..._compatibility import compatibility
from ...graph import Graph
from ...node import Node

__all__ = ["SourcePartition", "check_subgraphs_connected", "get_source_partitions"]

logger = logging.getLogger(__name__)


@compatibility(is_backward_compatible=False)
@dataclass
class SourcePartition:
    """The nodes of one call of a module or function."""

    nodes: list[Node]
    source: Any
    input_nodes: list[Node] = field(default_factory=list)
    output_nodes: list[Node] = field(default_factory=list)
    params: list[Node] = field(default_factory=list)


@compatibility(is_backward_compatible=False)
def get_source_partitions(
    graph: Graph,
    wanted_sources: list[Any],
    filter_fn: Callable[[Node], bool] | None = None,
) -> dict[Any, list[SourcePartition]]:
    """The partitions of each source that is wanted and that the graph has.

    :param filter_fn: partitions are left out that have a node of which it says no.
    """
    calls: dict[Any, dict[str, list[Node]]] = {}
    for node in graph.nodes:
        stack = node.meta.get("source_fn_stack")
        torch_fn = node.meta.get("torch_fn")
        if stack is None and torch_fn is None:
            continue
        name, source = stack[-1] if stack is not None else (torch_fn[0], torch_fn[1])
        if stack is None:
            source = source.split(".")[-1] if isinstance(source, str) else source
        if source in wanted_sources:
            calls.setdefault(source, {}).setdefault(name, []).append(node)
    found = {
        source: [_partition(nodes, source) for nodes in named.values()]
        for source, named in calls.items()
    }
    if filter_fn is None:
        return found
    kept = {
        source: [p for p in partitions if all(map(filter_fn, p.nodes))]
        for source, partitions in found.items()
    }
    return {source: partitions for source, partitions in kept.items() if partitions}


def _partition(nodes: list[Node], source: Any) -> SourcePartition:
    inputs: dict[Node, None] = {}
    outputs: dict[Node, None] = {}
    params: dict[Node, None] = {}
    for node in nodes:
        for arg in node.args:
            if isinstance(arg, Node) and arg not in nodes and arg.op != "get_attr":
                inputs.setdefault(arg)
        if node.op == "get_attr":
            params.setdefault(node)
        for user in node.users:
            if user not in nodes:
                outputs.setdefault(node)
    return SourcePartition(nodes, source, list(inputs), list(outputs), list(params))


@compatibility(is_backward_compatible=False)
def check_subgraphs_connected(subgraph1: SourcePartition, subgraph2: SourcePartition) -> bool:
    """Whether the second uses what the first gives."""
    return any(
        input_node in subgraph1.nodes
        for node in reversed(subgraph1.nodes)
        for user in node.users
        if user in subgraph2.nodes
        for input_node in [node]
    )
