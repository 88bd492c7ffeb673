"""Graphs as modules, and graphs compared."""

from __future__ import annotations

import copy
from typing import Any

from ....nn import Module
from ..._compatibility import compatibility
from ...graph import Graph
from ...graph_module import GraphModule
from ...node import Node
from .matcher_utils import SubgraphMatcher

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


@compatibility(is_backward_compatible=False)
class HolderModule(Module):
    """A module that holds others."""

    def __init__(self, d: dict[str, Any]) -> None:
        super().__init__()
        for k, v in d.items():
            self.add_module(k, v)


def _hold(holder: Any, found: Any, target: str) -> None:
    """Give *holder* the attribute of *found* at the path *target*, with holders between."""
    *path, name = target.split(".")
    for part in path:
        if not hasattr(holder, part):
            setattr(holder, part, HolderModule({}))
        holder, found = getattr(holder, part), getattr(found, part)
    setattr(holder, name, getattr(found, name))


def placeholder_like(graph: Graph, node: Node) -> Node:
    """An input of *graph* for what *node* of another graph gives."""
    made = graph.placeholder(node.name, type_expr=node.type)
    made.meta = copy.copy(node.meta)
    return made


@compatibility(is_backward_compatible=False)
def lift_subgraph_as_module(
    gm: GraphModule, subgraph: Graph, comp_name: str = "", class_name: str = "GraphModule"
) -> tuple[GraphModule, dict[str, str]]:
    """A module of *subgraph*, with the submodules and attributes of *gm* that it uses.

    Also returns, for each name in *gm*, the name by way of *comp_name*.
    """
    submodule = HolderModule({})
    names: dict[str, str] = {}
    for n in subgraph.nodes:
        if n.op in ("call_module", "get_attr"):
            names[n.target] = f"{comp_name}.{n.target}"
            _hold(submodule, gm, n.target)
    return GraphModule(submodule, subgraph, class_name), names


@compatibility(is_backward_compatible=False)
def compare_graphs(left: Graph, right: Graph) -> bool:
    """Whether two graphs compute the same, node by node."""
    matcher = SubgraphMatcher(left, match_output=True, match_placeholder=True)
    return len(matcher.match(right)) > 0
