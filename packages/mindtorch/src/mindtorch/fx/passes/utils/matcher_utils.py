"""A graph found in another."""

from __future__ import annotations

import copy
import logging
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from ....tensor import Tensor
from ..._compatibility import compatibility
from ...graph import Graph
from ...node import Node

__all__ = ["InternalMatch", "SubgraphMatcher"]

logger = logging.getLogger(__name__)


@compatibility(is_backward_compatible=False)
@dataclass
class InternalMatch:
    """One place where a pattern was found."""

    #: What the pattern returns: nodes of the pattern.
    anchors: list[Node]
    #: Nodes of the pattern -> nodes of the graph.
    nodes_map: dict[Node, Node] = field(default_factory=dict)
    #: What the inputs of the pattern stand for.
    placeholder_nodes: list[Node] = field(default_factory=list)
    #: What the graph has in the place of what the pattern returns.
    returning_nodes: list[Node] = field(default_factory=list)
    #: Names that the pattern gives -> nodes of the graph.
    name_node_map: dict[str, Node] = field(default_factory=dict)

    def __copy__(self) -> InternalMatch:
        inputs, results = list(self.placeholder_nodes), list(self.returning_nodes)
        return InternalMatch(self.anchors, dict(self.nodes_map), inputs, results)


def _attribute(module: Any, path: str) -> Any:
    return attrgetter(path)(module)


@compatibility(is_backward_compatible=False)
class SubgraphMatcher:
    """Finds *pattern* in graphs.

    :param match_output: what the pattern returns is what the graph returns.
    :param match_placeholder: inputs of the pattern stand for inputs of the graph only.
    :param remove_overlapping_matches: a node belongs to one match only.
    :param ignore_literals: arguments that are no nodes may differ.
    """

    def __init__(
        self,
        pattern: Graph,
        match_output: bool = False,
        match_placeholder: bool = False,
        remove_overlapping_matches: bool = True,
        ignore_literals: bool = False,
    ) -> None:
        self.pattern = pattern
        self.match_output = match_output
        self.match_placeholder = match_placeholder
        self.remove_overlapping_matches = remove_overlapping_matches
        self.ignore_literals = ignore_literals
        if len(pattern.nodes) == 0:
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        for node in pattern.nodes:
            if node.op != "output":
                assert len(node.users) > 0, (
                    "SubgraphMatcher cannot be initialized with an pattern with dead code"
                )
        self.pattern_placeholder_nodes = [n for n in pattern.nodes if n.op == "placeholder"]
        output = pattern.output_node()
        self.pattern_returning_nodes: list[Node] = output.all_input_nodes
        if match_output:
            self.pattern_anchors = [output]
        else:
            self.pattern_anchors = [n for n in output.all_input_nodes if len(n.users) == 1]

    def _match_attributes(self, pn: Node, gn: Node) -> bool:
        assert isinstance(pn.target, str), f"pn.target {pn.target} must be a string."
        assert isinstance(gn.target, str), f"gn.target {gn.target} must be a string."
        pattern = _attribute(pn.graph.owning_module, pn.target)
        value = _attribute(gn.graph.owning_module, gn.target)
        if type(pattern) is not type(value):
            return False
        if isinstance(pattern, Tensor):
            return isinstance(value, Tensor)
        raise RuntimeError(f"Unsupported type {pattern} when matching attributes")

    def _nodes_are_equal(self, pn: Node, gn: Node, node_name_match: str = "") -> bool:
        free = pn.op == "placeholder" and not self.match_placeholder
        if free or (node_name_match and node_name_match in gn.name):
            return True
        if pn.op != gn.op:
            return False
        if pn.op in ("placeholder", "output"):
            return True
        if pn.op == "get_attr":
            return self._match_attributes(pn, gn)
        return bool(pn.target == gn.target)

    def _is_contained(self, nodes_map: dict[Node, Node]) -> bool:
        """Whether nothing else uses what lies inside a match."""
        inner = {gn for pn, gn in nodes_map.items() if pn.op != "placeholder"}
        for pn, gn in nodes_map.items():
            if pn.op == "placeholder" or gn in self._returned(nodes_map):
                continue
            if any(user not in inner for user in gn.users):
                return False
        return True

    def _returned(self, nodes_map: dict[Node, Node]) -> list[Node]:
        return [nodes_map[pn] for pn in self.pattern_returning_nodes if pn in nodes_map]

    def _remove_overlapping_matches(self, matches: list[InternalMatch]) -> list[InternalMatch]:
        kept: list[InternalMatch] = []
        taken: set[Node] = set()
        for match in matches:
            inner = {
                gn for pn, gn in match.nodes_map.items() if pn.op not in ("placeholder", "output")
            }
            if inner & taken:
                continue
            kept.append(match)
            taken |= inner
        return kept

    def _match_literals(self, pn: Any, gn: Any, match: InternalMatch) -> bool:
        assert not (isinstance(pn, Node) and isinstance(gn, Node)), "pn and gn cannot both be Node"
        if isinstance(pn, Node):
            if pn.op != "placeholder":
                return False
            if pn in match.nodes_map:
                return bool(match.nodes_map[pn] == gn)
            match.nodes_map[pn] = gn
            return True
        if isinstance(gn, Node):
            return False
        return type(gn) is type(pn) and bool(gn == pn)

    def _match_nodes(
        self, pn: Node, gn: Node, match: InternalMatch, node_name_match: str = ""
    ) -> bool:
        assert isinstance(pn, Node) and isinstance(gn, Node), f"{pn!s}, {gn!s}"
        if pn in match.nodes_map:
            return match.nodes_map[pn] is gn
        before = dict(match.nodes_map)
        taken = any(gn is each for each in before.values())
        if taken or not self._nodes_are_equal(pn, gn, node_name_match):
            return False
        match.nodes_map[pn] = gn
        if pn.op == "placeholder" or self._match_arguments(pn, gn, match):
            return True
        match.nodes_map = before  # what was noted on the way is forgotten
        return False

    def _match_arguments(self, pn: Node, gn: Node, match: InternalMatch) -> bool:
        p_args, g_args = list(pn.args), list(gn.args)
        p_kwargs, g_kwargs = dict(pn.kwargs), dict(gn.kwargs)
        normalized = self._by_schema(pn, gn)
        if normalized is not None:
            p_args, g_args = normalized
            p_kwargs, g_kwargs = {}, {}
        if p_kwargs.keys() != g_kwargs.keys() or len(p_args) != len(g_args):
            return False
        return self._match_args(p_args, g_args, match) and self._match_args(
            list(p_kwargs.values()), [g_kwargs[k] for k in p_kwargs], match
        )

    def _by_schema(self, pn: Node, gn: Node) -> tuple[list[Any], list[Any]] | None:
        """The arguments in the order of the schema, with its defaults: calls may differ in form."""
        schema = getattr(pn.target, "_schema", None)
        if pn.op != "call_function" or schema is None or gn.target is not pn.target:
            return None

        def ordered(args: Any, kwargs: Any) -> list[Any]:
            out = []
            for i, arg in enumerate(schema.arguments):
                if i < len(args) and not arg.kwarg_only:
                    out.append(args[i])
                else:
                    out.append(kwargs.get(arg.name, arg.default_value))
            return out

        return ordered(pn.args, pn.kwargs), ordered(gn.args, gn.kwargs)

    def _match_args(self, p: Any, g: Any, match: InternalMatch) -> bool:
        return len(p) == len(g) and all(
            self._match_values(a, b, match) for a, b in zip(p, g, strict=True)
        )

    def _match_values(self, p: Any, g: Any, match: InternalMatch) -> bool:
        if isinstance(p, Node) and isinstance(g, Node):
            return self._match_nodes(p, g, match)
        if isinstance(p, (list, tuple)) and isinstance(g, (list, tuple)):
            return self._match_args(p, g, match)
        if isinstance(p, dict) and isinstance(g, dict):
            return p.keys() == g.keys() and self._match_args(
                list(p.values()), [g[k] for k in p], match
            )
        if isinstance(p, slice) and isinstance(g, slice):
            ends = attrgetter("start", "stop", "step")
            return self._match_args(ends(p), ends(g), match)
        return self._match_literals(p, g, match) or self.ignore_literals

    def match(self, graph: Graph, node_name_match: str = "") -> list[InternalMatch]:
        """All places where the pattern is found, each returning node in the graph's order."""
        candidates = {
            pn: [gn for gn in graph.nodes if self._nodes_are_equal(pn, gn, node_name_match)]
            for pn in self.pattern_anchors
        }
        found: list[InternalMatch] = []
        self._search(
            0, candidates, InternalMatch(anchors=self.pattern_anchors), found, node_name_match
        )
        for match in found:
            match.placeholder_nodes = [
                match.nodes_map[pn]
                for pn in self.pattern_placeholder_nodes
                if pn in match.nodes_map
            ]
            match.returning_nodes = [match.nodes_map[pn] for pn in self.pattern_returning_nodes]
        found = [m for m in found if self._is_contained(m.nodes_map)]
        if self.remove_overlapping_matches:
            found = self._remove_overlapping_matches(found)
        return [m for m in found if self._ordered(m, graph)]

    def _ordered(self, match: InternalMatch, graph: Graph) -> bool:
        """Whether the match can stand in one place: no other node stands between two of its own.

        A node that uses one of them and is used by another would be in a circle.
        """
        inner = {
            gn for pn, gn in match.nodes_map.items()
            if pn.op not in ("placeholder", "output") and isinstance(gn, Node)
        }  # fmt: skip
        seen: set[Node] = set()
        stack = [u for n in inner for u in n.users if u not in inner]
        while stack:
            at = stack.pop()
            if at in inner:
                return False
            if at not in seen:
                seen.add(at)
                stack.extend(at.users)
        return True

    def _search(
        self,
        i: int,
        candidates: dict[Node, list[Node]],
        match: InternalMatch,
        found: list[InternalMatch],
        name: str,
    ) -> None:
        if i == len(self.pattern_anchors):
            found.append(match)
            return
        pn = self.pattern_anchors[i]
        for gn in candidates[pn]:
            extended = copy.copy(match)
            if self._match_nodes(pn, gn, extended, name):
                self._search(i + 1, candidates, extended, found, name)
