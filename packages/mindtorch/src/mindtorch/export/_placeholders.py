"""The inputs of an exported graph and their names."""

from __future__ import annotations

from .._higher_order_ops.cond import cond_op
from ..fx import GraphModule

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
    """Give the inputs of the branches of ``cond`` the names of what they are called with."""
    for node in gm.graph.nodes:
        if node.target is cond_op:
            _, *branches, operands = node.args
            for branch in branches:
                inner = getattr(gm, branch.target)
                name_placeholders(inner, [operand.name for operand in operands])
                name_branches(inner)
