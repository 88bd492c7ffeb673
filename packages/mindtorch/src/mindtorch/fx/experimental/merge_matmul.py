"""Products with one right side become one product."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import mindtorch as torch

from .._symbolic_trace import symbolic_trace
from ..graph_module import GraphModule
from ..node import Node
from ..passes.tools_common import legalize_graph


def split_result_tensors(
    result: torch.Tensor, inputs: list[torch.Tensor]
) -> tuple[torch.Tensor, ...]:
    """The rows of *result* that belong to each of *inputs*."""
    if isinstance(result, torch.fx.Proxy):
        splits = [0] * len(inputs)
    else:
        splits = [x.shape[0] for x in inputs]
    return torch.split(result, splits)


def may_depend_on(a: Node, b: Node, search_depth: int = 6) -> bool:
    """Whether *a* may need the result of *b*; yes, where the search goes no deeper."""
    if a == b:
        return True
    if len(a.all_input_nodes) == 0:
        return False
    if search_depth == 0:
        return True
    return any(may_depend_on(inp, b, search_depth - 1) for inp in a.all_input_nodes)


def are_nodes_independent(nodes: list[Node]) -> bool:
    """Whether none of the nodes needs another."""
    return not any(
        may_depend_on(i, j) or may_depend_on(j, i) for i, j in itertools.combinations(nodes, 2)
    )


def merge_matmul(in_mod: torch.nn.Module) -> GraphModule:
    """The module with products of one right side merged, where they need not each other."""
    gm = symbolic_trace(in_mod)
    users: dict[Any, list[Node]] = {}
    left: dict[Node, Any] = {}
    for node in gm.graph.nodes:
        if node.op != "call_function" or node.target is not torch.matmul:
            continue
        a, b = node.args
        left[node] = a
        key: Any = b.target if b.op == "get_attr" else b
        users.setdefault(key, []).append(node)
    candidates = [(k, v) for k, v in users.items() if len(v) > 1 and are_nodes_independent(v)]
    for _, nodes in candidates:
        inputs = [left[n] for n in nodes]
        right: Any = nodes[0].args[1]
        with gm.graph.inserting_before(nodes[0]):
            if right.op == "get_attr":
                right = gm.graph.get_attr(right.target)
            cat = gm.graph.call_function(torch.cat, (inputs,), {})
            product = gm.graph.call_function(torch.matmul, (cat, right), {})
            parts = gm.graph.call_function(split_result_tensors, (product, inputs), {})
        for i, old in enumerate(nodes):
            with gm.graph.inserting_before(old):
                new = gm.graph.call_function(operator.getitem, (parts, i), {})
            old.replace_all_uses_with(new)
            gm.graph.erase_node(old)
        legalize_graph(gm)
    gm.recompile()
    gm.graph.lint()
    return gm
