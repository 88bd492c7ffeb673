"""The inputs of an exported graph and their names."""

from __future__ import annotations

from .._higher_order_ops.cond import cond_op
from .._higher_order_ops.map import map_impl
from .._library.higher_order_operator import HigherOrderOperator
from ..fx import GraphModule, Node

__all__ = ["name_branches", "name_placeholders"]


def name_placeholders(gm: GraphModule, names: list[str]) -> None:
    """Give the inputs of *gm* these names; nodes that have one of them get another."""
    taken = set(names)
    space = gm.graph._graph_namespace
    placeholders = []
    for node in gm.graph.nodes:
        if node.op == "placeholder":
            placeholders.append(node)
        elif node.name in taken:
            node._rename(f"{node.name}_1")
    for node, name in zip(placeholders, names, strict=True):
        node.name = node.target = name
        space._rename_object(node, name)
    gm.recompile()


def name_branches(gm: GraphModule) -> None:
    """Give inputs of graphs of control flow the names of what they are called with."""
    for node in gm.graph.nodes:
        if isinstance(node.target, HigherOrderOperator):
            branches = [arg for arg in node.args if isinstance(arg, Node) and arg.op == "get_attr"]
            for branch in branches:
                inner = getattr(gm, branch.target)
                if node.target in (cond_op, map_impl):
                    named = node.args[node.args.index(branches[-1]) + 1 :]
                    operands = [each for part in named for each in part]
                    name_placeholders(inner, [operand.name for operand in operands])
                if isinstance(inner, GraphModule):
                    name_branches(inner)
