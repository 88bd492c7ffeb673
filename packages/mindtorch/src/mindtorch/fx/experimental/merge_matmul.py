"""Products with one right side become one product."""

from __future__ import annotations

import itertools
import operator
from collections import defaultdict
from typing import Any

from ... import nn
from ...aten import torch
from .._symbolic_trace import symbolic_trace
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node
from ..passes.tools_common import legalize_graph
from ..proxy import Proxy


def split_result_tensors(
    result: torch.Tensor, inputs: list[torch.Tensor]
) -> tuple[torch.Tensor, ...]:
    """The rows of *result* that belong to each of *inputs*."""
    traced = isinstance(result, Proxy)  # then only their number is of interest
    return torch.split(result, [0 if traced else each.shape[0] for each in inputs])


def may_depend_on(a: Node, b: Node, search_depth: int = 6) -> bool:
    """Whether *a* may need the result of *b*; yes, where the search goes no deeper."""
    if a == b:
        return True
    if search_depth == 0:
        return bool(a.all_input_nodes)
    return any(may_depend_on(inp, b, search_depth - 1) for inp in a.all_input_nodes)


def are_nodes_independent(nodes: list[Node]) -> bool:
    """Whether none of the nodes needs another."""
    return not any(
        may_depend_on(i, j) or may_depend_on(j, i) for i, j in itertools.combinations(nodes, 2)
    )


def merge_matmul(in_mod: nn.Module) -> GraphModule:
    """The module with products of one right side merged, where they need not each other."""
    gm = symbolic_trace(in_mod)
    by_right: dict[Any, list[Node]] = defaultdict(list)
    for node in gm.graph.find_nodes(op="call_function", target=torch.matmul):
        right: Any = node.args[1]
        by_right[right.target if right.op == "get_attr" else right].append(node)
    for nodes in by_right.values():
        if len(nodes) > 1 and are_nodes_independent(nodes):
            _merge(gm.graph, nodes)
    ordered = legalize_graph(gm)
    ordered.recompile()
    ordered.graph.lint()
    return ordered


def _merge(graph: Graph, nodes: list[Node]) -> None:
    """Let products of one right side be the rows of one product."""
    inputs = [node.args[0] for node in nodes]
    right: Any = nodes[0].args[1]
    with graph.inserting_before(nodes[0]):
        if right.op == "get_attr":
            right = graph.get_attr(right.target)
        left = graph.call_function(torch.cat, (inputs,), {})
        product = graph.call_function(torch.matmul, (left, right), {})
        parts = graph.call_function(split_result_tensors, (product, inputs), {})
    for i, node in enumerate(nodes):
        with graph.inserting_before(node):
            part = graph.call_function(operator.getitem, (parts, i), {})
        node.replace_all_uses_with(part)
        graph.erase_node(node)
