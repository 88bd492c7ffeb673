"""Groups of nodes as modules of their own."""

from __future__ import annotations

import operator
from typing import Any

from ..._compatibility import compatibility
from ...graph import Graph
from ...graph_module import GraphModule
from ...node import Node
from ..tools_common import NodeList, NodeSet, legalize_graph
from .common import lift_subgraph_as_module, placeholder_like


@compatibility(is_backward_compatible=False)
def topo_sort(nodes: NodeList) -> NodeList:
    """The nodes in an order in which each comes after those it needs."""
    among = dict.fromkeys(nodes)
    waiting = {n: sum(i in among for i in n.all_input_nodes) for n in nodes}
    found = [n for n in nodes if waiting[n] == 0]
    for node in found:  # it grows on the way
        for user in node.users:
            if user in among:
                waiting[user] -= 1
                if waiting[user] == 0:
                    found.append(user)
    assert len(nodes) == len(found), (
        "topological sorted nodes doesn't have same length as input nodes"
    )
    return found


@compatibility(is_backward_compatible=False)
def validate_partition(partition: NodeList) -> bool:
    """Whether the nodes can be one: none of their results comes back to them by way of others."""
    inner = set(partition)
    stack = [user for node in partition for user in node.users if user not in inner]
    seen: NodeSet = set()
    while stack:
        at = stack.pop()
        if at in inner:
            return False
        if at in seen:
            continue
        seen.add(at)
        stack.extend(at.users)
    return True


@compatibility(is_backward_compatible=False)
def fuse_as_graphmodule(
    gm: GraphModule,
    nodes: NodeList,
    module_name: str,
    partition_lookup_table: dict[Node, int | None] | None = None,
    *,
    always_return_tuple: bool = False,
) -> tuple[GraphModule, tuple[Node, ...], tuple[Node, ...]]:
    """A module of the nodes; also what it takes and what it gives, as nodes of *gm*."""
    for node in nodes:
        assert node.graph.owning_module is gm, (
            f"{node} doesn't belong to passed in graph module {gm._get_name()}"
        )
        assert not node._erased, f"{node} has been removed from owning graph"
        assert node in gm.graph.nodes, f"{node} is not found in graph module {gm._get_name()}"
    assert validate_partition(nodes), "Invalid partition, found dependency cycles"
    table = dict.fromkeys(nodes) if partition_lookup_table is None else partition_lookup_table
    graph = Graph()
    inputs: dict[Node, Node] = {}
    made: dict[Node, Node] = {}

    def remap(x: Node) -> Node:
        if x.op == "get_attr":
            if x not in made:  # a constant: read anew inside
                made[x] = graph.node_copy(x, lambda n: n)
            return made[x]
        if x in table:
            return made[x]
        if x not in inputs:
            inputs[x] = placeholder_like(graph, x)
        return inputs[x]

    for node in nodes:
        made[node] = graph.node_copy(node, remap)
    outputs = {node: made[node] for node in nodes if any(user not in table for user in node.users)}
    values = tuple(outputs.values())
    graph.output(values if always_return_tuple or len(values) != 1 else values[0])
    graph.lint()
    fused, _ = lift_subgraph_as_module(gm, graph, comp_name="", class_name=module_name)
    return fused, tuple(inputs), tuple(outputs)


@compatibility(is_backward_compatible=False)
def insert_subgm(
    gm: GraphModule,
    sub_gm: GraphModule,
    orig_inputs: tuple[Node, ...],
    orig_outputs: tuple[Node, ...],
    insertion_point: Node | None = None,
) -> GraphModule:
    """Call *sub_gm* in *gm*; what it gives takes the place of *orig_outputs*."""
    name = sub_gm.__class__.__name__
    gm.add_submodule(name, sub_gm)
    returned = sub_gm.graph.output_node().args[0]
    with gm.graph.inserting_after(insertion_point or max(orig_outputs)):
        call = gm.graph.call_module(name, args=orig_inputs, kwargs=None)
    if isinstance(returned, tuple):
        at = call
        for i, original in enumerate(orig_outputs):
            with gm.graph.inserting_after(at):
                at = gm.graph.call_function(operator.getitem, (call, i))
            original.replace_all_uses_with(at, propagate_meta=True)
    else:
        assert len(orig_outputs) == 1
        orig_outputs[0].replace_all_uses_with(call, propagate_meta=True)
    return gm


@compatibility(is_backward_compatible=False)
def erase_nodes(gm: GraphModule, nodes: NodeList) -> None:
    """Take the nodes out, the last first."""
    for node in reversed(nodes):
        gm.graph.erase_node(node)


@compatibility(is_backward_compatible=False)
def fuse_by_partitions(
    gm: GraphModule,
    partitions: list[dict[Node, Any]],
    prefix: str = "fused_",
    always_return_tuple: bool = False,
) -> GraphModule:
    """Let each partition be a submodule of *gm*: ``fused_0`` and so on."""
    for i, partition in enumerate(partitions):
        nodes = topo_sort(list(partition))
        sub, inputs, outputs = fuse_as_graphmodule(
            gm, nodes, f"{prefix}{i}", partition, always_return_tuple=always_return_tuple
        )
        insert_subgm(gm, sub, inputs, outputs)
        erase_nodes(gm, nodes)
    legalize_graph(gm)
    return gm
