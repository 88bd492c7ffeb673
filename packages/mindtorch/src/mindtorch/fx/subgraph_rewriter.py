"""``replace_pattern``: a part of a graph for another, wherever it is found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..nn import Module
from ._compatibility import compatibility
from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule, _copy_attr, _has_attr
from .node import Node
from .passes.utils.matcher_utils import SubgraphMatcher

__all__ = ["Match", "ReplacedPatterns", "replace_pattern", "replace_pattern_with_filters"]


@compatibility(is_backward_compatible=True)
class Match(NamedTuple):
    """One place where a pattern was found."""

    #: What the pattern returns: a node of the pattern.
    anchor: Node
    #: Nodes of the pattern -> nodes of the graph.
    nodes_map: dict[Node, Node]


@compatibility(is_backward_compatible=False)
@dataclass
class ReplacedPatterns:
    """One place where a pattern was found, and what stands there now."""

    anchor: Node
    nodes_map: dict[Node, Node]
    replacements: list[Node]


def _replace_attributes(gm: GraphModule, replacement: Module) -> None:
    """Give *gm* what the replacement's nodes need."""
    gm.delete_all_unused_submodules()
    if isinstance(replacement, GraphModule):
        replacement.graph.lint()
    for node in gm.graph.nodes:
        if node.op not in ("call_module", "get_attr") or _has_attr(gm, node.target):
            continue
        if not _has_attr(replacement, node.target):
            raise RuntimeError(
                f'Attempted to create a "{node.op}" node during subgraph rewriting with target '
                f"{node.target}, but the referenced attribute does not exist in the replacement "
                "GraphModule"
            )
        value: Any = replacement
        for part in node.target.split("."):
            value = getattr(value, part)
        if node.op == "call_module" and isinstance(value, Module):
            gm.add_submodule(node.target, copy.deepcopy(value))
        else:
            _copy_attr(replacement, gm, node.target)


@compatibility(is_backward_compatible=True)
def replace_pattern(
    gm: GraphModule,
    pattern: Callable[..., Any] | GraphModule,
    replacement: Callable[..., Any] | GraphModule,
) -> list[Match]:
    """Put *replacement* in the place of *pattern* in the graph of *gm*, in place.

    Both take the same arguments, which stand for any value. A pattern is found where the nodes
    between its arguments and what it returns are the same, and nothing else uses them.
    """
    found = _replace_pattern(gm, pattern, replacement)
    return [Match(anchor=m.anchor, nodes_map=m.nodes_map) for m in found]


@compatibility(is_backward_compatible=False)
def replace_pattern_with_filters(
    gm: GraphModule,
    pattern: Callable[..., Any] | Graph | GraphModule,
    replacement: Callable[..., Any] | Graph | GraphModule | None = None,
    match_filters: list[Callable[[Any, Graph, Graph], bool]] | None = None,
    ignore_literals: bool = False,
    replacement_callback: Callable[[Any, Graph, Graph], Graph] | None = None,
    node_name_match: str = "",
) -> list[ReplacedPatterns]:
    """The same where all filters agree.

    :param match_filters: called with the match, the graph and the pattern.
    :param ignore_literals: arguments that are no nodes may differ.
    :param replacement_callback: makes the replacement of a match.
    """
    return _replace_pattern(
        gm, pattern, replacement, match_filters, ignore_literals, replacement_callback,
        node_name_match,
    )  # fmt: skip


def _graph_of(program: Any) -> Graph:
    if isinstance(program, GraphModule):
        return program.graph
    return program if isinstance(program, Graph) else symbolic_trace(program).graph


def _replace_pattern(
    gm: GraphModule,
    pattern: Any,
    replacement: Any = None,
    match_filters: Any = None,
    ignore_literals: bool = False,
    replacement_callback: Any = None,
    node_name_match: str = "",
) -> list[ReplacedPatterns]:
    graph, wanted = gm.graph, _graph_of(pattern)
    matcher = SubgraphMatcher(
        wanted,
        match_output=False,
        match_placeholder=False,
        remove_overlapping_matches=True,
        ignore_literals=ignore_literals,
    )
    found = [
        m
        for m in matcher.match(graph, node_name_match=node_name_match)
        if all(f(m, graph, wanted) for f in match_filters or ())
    ]
    common = None if replacement is None else _graph_of(replacement)
    if common is None and replacement_callback is None:
        raise AssertionError(
            "Must provide either a replacement GraphModule or a replacement callback"
        )
    done: list[ReplacedPatterns] = []
    changed: dict[Node, Node] = {}
    for match in found:
        instead = replacement_callback(match, graph, wanted) if common is None else common
        done.append(_put(graph, wanted, instead, match, changed))
    gm.recompile()
    if isinstance(replacement, Module):
        _replace_attributes(gm, replacement)
    return done


def _put(
    graph: Graph, pattern: Graph, instead: Graph, match: Any, changed: dict[Node, Node]
) -> ReplacedPatterns:
    """Replace one match."""
    inputs = [n for n in instead.nodes if n.op == "placeholder"]
    assert len(match.placeholder_nodes) == len(inputs), (
        f"Expected {len(match.placeholder_nodes)} placeholder nodes, got {len(inputs)}"
    )
    val_map: dict[Any, Any] = {}
    for mine, given in zip(inputs, match.placeholder_nodes, strict=True):
        while isinstance(given, Node) and given in changed:  # what another match put in its place
            given = changed[given]
        val_map[mine] = given
    for pn, gn in list(match.nodes_map.items()):
        if pn.op == "placeholder" and isinstance(gn, Node) and gn in changed:
            match.nodes_map[pn] = changed[gn]
    with graph.inserting_before(_insertion_point(graph, match.returning_nodes)):
        copied = graph.graph_copy(instead, val_map)
    results: tuple[Any, ...] = (copied,) if isinstance(copied, Node) else tuple(copied)
    added = [v for v in val_map.values() if isinstance(v, Node)]
    added = [v for v in added if v not in match.placeholder_nodes]
    assert len(match.returning_nodes) == len(results)
    for old, new in zip(match.returning_nodes, results, strict=True):
        old.replace_all_uses_with(new)
        changed[old] = new
    for pn in reversed(list(pattern.nodes)):
        if pn.op not in ("placeholder", "output"):
            graph.erase_node(match.nodes_map[pn])
    return ReplacedPatterns(match.anchors[0], match.nodes_map, added)


def _insertion_point(graph: Graph, returning: list[Node]) -> Node | None:
    """Before the first node that uses what the match returns; else after the match."""
    users = {user for node in returning for user in node.users}
    for node in graph.nodes:
        if node in users:
            return node
    following = None
    for node in reversed(graph.nodes):
        if node in returning:
            return following
        following = node
    return None
