"""``replace_pattern``: a part of a graph for another, wherever it is found.

Which matches count, and where the replacement goes, follows torch/fx/subgraph_rewriter.py and
torch/fx/passes/utils/matcher_utils.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..nn import Module
from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule, _copy_attr, _has_attr
from .node import Node

__all__ = ["Match", "replace_pattern"]


class Match(NamedTuple):
    """One place where a pattern was found."""

    #: What the pattern returns: a node of the pattern.
    anchor: Node
    #: Nodes of the pattern -> nodes of the graph.
    nodes_map: dict[Node, Node]


class _Found(NamedTuple):
    nodes_map: dict[Node, Any]
    returning: list[Node]
    inputs: list[Any]


def replace_pattern(
    gm: GraphModule,
    pattern: Callable[..., Any] | GraphModule,
    replacement: Callable[..., Any] | GraphModule,
) -> list[Match]:
    """Put *replacement* in the place of *pattern* in the graph of *gm*, in place.

    Both take the same arguments, which stand for any value. A pattern is found where the nodes
    between its arguments and what it returns are the same, and nothing else uses them.
    """
    wanted, instead = _graph_of(pattern), _graph_of(replacement)
    found = _matches(wanted, gm.graph)
    changed: dict[Node, Node] = {}
    for match in found:
        _replace(gm.graph, wanted, instead, match, changed)
    if isinstance(replacement, Module):
        for node in gm.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                _has_attr(gm, node.target) or _copy_attr(replacement, gm, node.target)
    gm.recompile()
    anchor = wanted.output_node().all_input_nodes[0]
    return [Match(anchor, match.nodes_map) for match in found]


def _graph_of(program: Any) -> Graph:
    if isinstance(program, GraphModule):
        return program.graph
    if isinstance(program, Graph):
        return program
    return symbolic_trace(program).graph


# Finding ------------------------------------------------------------------------------------------


def _matches(pattern: Graph, graph: Graph) -> list[_Found]:
    anchors = pattern.output_node().all_input_nodes
    inputs = [n for n in pattern.nodes if n.op == "placeholder"]
    partial: list[dict[Node, Any]] = [{}]
    for anchor in anchors:
        partial = [
            extended
            for before in partial
            for node in graph.nodes
            if (extended := _extended(anchor, node, before)) is not None
        ]
    found: list[_Found] = []
    taken: set[Node] = set()
    for nodes_map in partial:
        returning = [nodes_map[a] for a in anchors]
        inner = [g for p, g in nodes_map.items() if p.op != "placeholder"]
        if not _contained(inner, returning) or taken.intersection(inner):
            continue
        taken.update(inner)
        given = [nodes_map.get(p) for p in inputs]
        found.append(_Found(nodes_map, returning, given))
    return found


def _extended(p: Any, g: Any, before: dict[Node, Any]) -> dict[Node, Any] | None:
    """The map with pattern value *p* standing for *g*; None where they differ."""
    nodes_map = dict(before)
    return nodes_map if _match(p, g, nodes_map) else None


def _match(p: Any, g: Any, nodes_map: dict[Node, Any]) -> bool:
    if not isinstance(p, Node):
        return not isinstance(g, Node) and type(g) is type(p) and _same_leaves(p, g, nodes_map)
    if p in nodes_map:
        return nodes_map[p] is g
    if any(taken is g for taken in nodes_map.values()):
        return False
    if p.op == "placeholder":
        nodes_map[p] = g
        return True
    if not isinstance(g, Node) or p.op != g.op or p.op == "output" or not _same_target(p, g):
        return False
    nodes_map[p] = g
    if p.kwargs.keys() != g.kwargs.keys():
        return False
    return _match_all(p.args, g.args, nodes_map) and _match_all(
        tuple(p.kwargs.values()), tuple(g.kwargs[k] for k in p.kwargs), nodes_map
    )


def _same_target(p: Node, g: Node) -> bool:
    if p.op == "get_attr":
        return p.target.rpartition(".")[2] == g.target.rpartition(".")[2]
    return bool(p.target == g.target)


def _match_all(ps: tuple[Any, ...], gs: tuple[Any, ...], nodes_map: dict[Node, Any]) -> bool:
    return len(ps) == len(gs) and all(_match(p, g, nodes_map) for p, g in zip(ps, gs, strict=True))


def _same_leaves(p: Any, g: Any, nodes_map: dict[Node, Any]) -> bool:
    if isinstance(p, (tuple, list)):
        return _match_all(tuple(p), tuple(g), nodes_map)
    if isinstance(p, dict):
        return p.keys() == g.keys() and _match_all(
            tuple(p.values()), tuple(g[k] for k in p), nodes_map
        )
    if isinstance(p, slice):
        return _match_all((p.start, p.stop, p.step), (g.start, g.stop, g.step), nodes_map)
    return bool(p == g)


def _contained(inner: list[Node], returning: list[Node]) -> bool:
    """Whether nothing else uses the nodes that would go."""
    own = set(inner)
    return all(user in own for n in inner if n not in returning for user in n.users)


# Replacing ----------------------------------------------------------------------------------------


def _replace(
    graph: Graph, pattern: Graph, instead: Graph, match: _Found, changed: dict[Node, Node]
) -> None:
    inputs = [n for n in instead.nodes if n.op == "placeholder"]
    if len(inputs) != len(match.inputs):
        raise AssertionError(f"Expected {len(match.inputs)} placeholder nodes, got {len(inputs)}")
    for p, given in match.nodes_map.items():  # what another match has put in its place
        while p.op == "placeholder" and isinstance(given, Node) and given in changed:
            given = match.nodes_map[p] = changed[given]
    wanted = [n for n in pattern.nodes if n.op == "placeholder"]
    val_map: dict[Any, Any] = {
        n: match.nodes_map.get(w) for n, w in zip(inputs, wanted, strict=True)
    }
    before = _insertion_point(graph, match.returning)
    with graph.inserting_before(before):
        copied = graph.graph_copy(instead, val_map)
    results = (copied,) if isinstance(copied, Node) else tuple(copied)
    for old, new in zip(match.returning, results, strict=True):
        old.replace_all_uses_with(new)
        changed[old] = new
    for node in reversed(list(pattern.nodes)):
        if node.op not in ("placeholder", "output"):
            graph.erase_node(match.nodes_map[node])


def _insertion_point(graph: Graph, returning: list[Node]) -> Node | None:
    users = {user for node in returning for user in node.users}
    following = None
    for node in graph.nodes:
        if node in users:
            return node
    for node in reversed(list(graph.nodes)):
        if node in returning:
            return following
        following = node
    return None
