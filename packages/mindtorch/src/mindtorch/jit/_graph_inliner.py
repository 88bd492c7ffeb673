"""Puts the graphs of functions and methods in the place of their calls.

Source: torch/csrc/jit/passes/inliner.cpp.
"""

from __future__ import annotations

from typing import Any

from ._graph_passes import clean_constants
from ._ir import Block, Graph, Node, Value
from ._ssa import copy_block, replace_inputs

__all__ = ["inlined"]


def inlined(function: Any) -> Graph:
    """A copy of the graph of *function* in which nothing is called."""
    graph = Graph()
    known: dict[int, Value] = {}
    for value in function.graph.inputs():
        made = known[id(value)] = graph.add_input(value.type())
        graph.set_name(made, value.debugName().partition(".")[0])
    copy_block(function.graph.block, graph.block, None, known)
    for value in function.graph.outputs():
        graph.add_output(known.get(id(value), value))
    _inline(graph.block)
    clean_constants(graph)
    return graph


def _inline(block: Block) -> None:
    known: dict[int, Value] = {}
    at = 0
    while at < len(block.items):
        node = block.items[at]
        for inner in node.blocks():
            _inline(inner)
        called = _called(node)
        if called is None:
            at += 1
            continue
        values = list(node.inputs())[1 if node.kind() == "prim::CallFunction" else 0 :]
        values = [known.get(id(value), value) for value in values]
        own = dict(zip(map(id, called.graph.inputs()), values, strict=True))
        del block.items[at]
        copy_block(called.graph.block, block, at, own)
        (result,) = called.graph.outputs()
        known[id(node.output())] = own.get(id(result), result)
        replace_inputs(block, known)


def _called(node: Node) -> Any:
    if node.kind() == "prim::CallFunction":
        return node._inputs[0].toIValue()
    if node.kind() == "prim::CallMethod":
        owner: Any = node._inputs[0].type()
        return owner.definition.method(node.attributes["name"])
    return None
