"""A graph found in another; the pattern names some of its nodes."""

from __future__ import annotations

from ....utils import _pytree as pytree
from ..._compatibility import compatibility
from ...graph import Graph
from ...graph_module import GraphModule
from ...node import Node
from .matcher_utils import InternalMatch, SubgraphMatcher

__all__ = ["SubgraphMatcherWithNameNodeMap"]


def _split_to_graph_and_name_node_map(
    gm: GraphModule,
) -> tuple[GraphModule, dict[str, Node]]:
    """The pattern without the dictionary that it returns last, and that dictionary."""
    names: dict[str, Node] = {}
    for n in gm.graph.nodes:
        if n.op != "output":
            continue
        assert gm._out_spec is not None if hasattr(gm, "_out_spec") else True
        output = n.args[0]
        spec = getattr(gm, "_out_spec", None)
        if spec is not None:
            output = pytree.tree_unflatten(output, spec)
        assert isinstance(output, tuple), "Expecting the pattern graph to return a tuple"
        assert len(output) >= 2, "Expecting the pattern graph to have at least two outputs"
        *out, names = output
        assert isinstance(names, dict), (
            "Expecting the input graph to have a dict output as the last element"
        )
        n.args = (tuple(out),)
        gm.graph._codegen = type(gm.graph._codegen).__mro__[-2]()
    gm.recompile()
    return gm, dict(names)


@compatibility(is_backward_compatible=False)
class SubgraphMatcherWithNameNodeMap(SubgraphMatcher):
    """The pattern returns, last, a dictionary from names to its nodes."""

    def __init__(
        self,
        pattern_gm: GraphModule,
        match_output: bool = False,
        match_placeholder: bool = False,
        remove_overlapping_matches: bool = True,
        ignore_literals: bool = False,
    ) -> None:
        pattern_gm, self.name_node_map = _split_to_graph_and_name_node_map(pattern_gm)
        self.pattern_gm = pattern_gm
        super().__init__(
            pattern_gm.graph,
            match_output,
            match_placeholder,
            remove_overlapping_matches,
            ignore_literals,
        )

    def match(self, graph: Graph, node_name_match: str = "") -> list[InternalMatch]:
        """All places; ``name_node_map`` of each gives the graph's nodes by name."""
        found = super().match(graph, node_name_match)
        for match in found:
            named = {name: match.nodes_map[node] for name, node in self.name_node_map.items()}
            match.name_node_map.update(named)
        return found
