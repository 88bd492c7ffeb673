"""Graphs as modules, and graphs compared."""

from __future__ import annotations

from typing import Any

from ....nn import Module
from ..._compatibility import compatibility
from ...graph import Graph
from ...graph_module import GraphModule
from .matcher_utils import SubgraphMatcher

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


@compatibility(is_backward_compatible=False)
class HolderModule(Module):
    """A module that holds others."""

    def __init__(self, d: dict[str, Any]) -> None:
        super().__init__()
        for k, v in d.items():
            self.add_module(k, v)


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
        if n.op not in ("call_module", "get_attr"):
            continue
        target = n.target
        path = target.split(".")
        names[target] = f"{comp_name}.{target}"
        held: Any = submodule
        found: Any = gm
        for part in path[:-1]:
            if not hasattr(held, part):
                held.add_module(part, HolderModule({}))
            held, found = getattr(held, part), getattr(found, part)
        setattr(held, path[-1], getattr(found, path[-1]))
    return GraphModule(submodule, subgraph, class_name), names


@compatibility(is_backward_compatible=False)
def compare_graphs(left: Graph, right: Graph) -> bool:
    """Whether two graphs compute the same, node by node."""
    matcher = SubgraphMatcher(left, match_output=True, match_placeholder=True)
    return len(matcher.match(right)) > 0
