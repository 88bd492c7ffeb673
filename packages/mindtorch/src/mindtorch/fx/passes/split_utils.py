"""A module split by tags of its nodes."""

from __future__ import annotations

import copy
import functools
import operator
from dataclasses import dataclass, field
from typing import Any

from .._compatibility import compatibility
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_arg
from .tools_common import is_node_output_tensor
from .utils.common import HolderModule, lift_subgraph_as_module, placeholder_like

__all__ = [
    "Component", "getattr_recursive", "move_non_tensor_nodes_on_boundary", "setattr_recursive",
    "split_by_tags",
]  # fmt: skip


@compatibility(is_backward_compatible=False)
def getattr_recursive(obj: Any, name: str) -> Any:
    """The attribute at a path; None where a list of modules has no such item."""
    for part in name.split("."):
        if not hasattr(obj, part):
            return None
        obj = getattr(obj, part)
    return obj


@compatibility(is_backward_compatible=False)
def setattr_recursive(obj: Any, attr: str, value: object) -> None:
    """Set the attribute at a path."""
    *path, last = attr.split(".")
    for part in path:
        obj = getattr(obj, part)
    setattr(obj, last, value)


@compatibility(is_backward_compatible=False)
@dataclass
class Component:
    """The nodes of one tag."""

    graph: Graph
    order: int
    name: str
    input_placeholders: list[Node] = field(default_factory=list)
    orig_inputs: list[Node] = field(default_factory=list)
    orig_outputs: list[Node] = field(default_factory=list)
    getattr_maps: dict[Node, Node] = field(default_factory=dict)
    constructor_args: list[str] = field(default_factory=list)
    gm: GraphModule | None = None


@compatibility(is_backward_compatible=False)
def split_by_tags(
    gm: GraphModule,
    tags: list[str],
    return_fqn_mapping: bool = False,
    return_tuple: bool = False,
    GraphModuleCls: type[GraphModule] = GraphModule,
) -> Any:
    """A module that calls a submodule for each of *tags*, in their order.

    Nodes have their tag as the attribute ``tag``.

    :param return_fqn_mapping: also return, for each name in the result, the name in *gm*.
    :param return_tuple: submodules return a tuple, also of one value.
    """
    parts = [Component(Graph(), i, tag) for i, tag in enumerate(tags)]
    by_tag = {p.name: p for p in parts}
    of: dict[Node, Component] = {}
    made: dict[Node, Node] = {}
    main, main_env, held = Graph(), {}, HolderModule({})
    output: Node | None = None

    for node in gm.graph.nodes:
        if node.op == "output":
            assert output is None, "Multiple output nodes found!"
            output = node
        elif node.op == "placeholder":
            main_env[node] = placeholder_like(main, node)
        elif node.op != "get_attr":
            assert hasattr(node, "tag"), f"Node does not have tag: {node.format_node()}"
            part = of[node] = by_tag[node.tag]
            before = max((of[x].order for x in node.all_input_nodes if x in of), default=0)
            if before > part.order:
                raise AssertionError(
                    f"Component {part.name} order must be >= max of its upstream components, "
                    f"order={part.order} and max={before}"
                )
            inside = functools.partial(_inside, part=part, of=of, made=made)
            made[node] = part.graph.node_copy(node, inside)
    assert output is not None, "Graph had no output node!"
    for x in output.all_input_nodes:
        if x in of and x not in of[x].orig_outputs:
            of[x].orig_outputs.append(x)
    names: dict[str, str] = {}
    for part in parts:
        outs = tuple(made[n] for n in part.orig_outputs)
        alone = len(outs) == 1 and not return_tuple
        part.graph.output(outs[0] if alone else outs)
        part.gm, more = lift_subgraph_as_module(gm, subgraph=part.graph, comp_name=part.name)
        names.update(more)
        call = main.call_module(
            part.name, args=tuple(map(lambda n: main_env[n], part.orig_inputs)), kwargs=None
        )
        if alone:
            main_env[part.orig_outputs[0]] = call
        else:
            for i, n in enumerate(part.orig_outputs):
                main_env[n] = main.call_function(operator.getitem, (call, i))
        held.add_module(part.name, part.gm)
    for x in output.all_input_nodes:
        if x.op == "get_attr":
            setattr(held, x.name, getattr_recursive(gm, x.target))
            main_env[x] = main.get_attr(x.name)
    main.output(map_arg(output.args[0], lambda n: main_env[n])).meta = copy.copy(output.meta)
    result = GraphModuleCls(held, main)
    return (result, names) if return_fqn_mapping else result


def _inside(x: Node, part: Component, of: dict[Node, Component], made: dict[Node, Node]) -> Node:
    """What stands for *x* in a part: a node of it, a constant, or an input."""
    if x.op == "get_attr":
        if x not in part.getattr_maps:
            part.getattr_maps[x] = part.graph.get_attr(x.target, type_expr=x.type)
        return part.getattr_maps[x]
    if x.op != "placeholder" and of[x] is part:
        return made[x]
    if x in part.orig_inputs:
        return part.input_placeholders[part.orig_inputs.index(x)]
    place = placeholder_like(part.graph, x)
    part.input_placeholders.append(place)
    part.orig_inputs.append(x)
    if x in of and x not in of[x].orig_outputs:
        of[x].orig_outputs.append(x)
    return place


@compatibility(is_backward_compatible=False)
def move_non_tensor_nodes_on_boundary(subgraphs: list[Any]) -> None:
    """Move nodes that give no tensor from the end of an accelerated part to the part after it."""
    of = {n: i for i, part in enumerate(subgraphs) for n in part.nodes}

    def is_tensor(node: Node) -> bool:
        return is_node_output_tensor(node)

    for i, part in enumerate(subgraphs):
        if not part.is_acc:
            continue
        for node in reversed(list(part.nodes)):
            users = [u for u in node.users if u in of]
            if is_tensor(node) or not users or any(of[u] == i for u in users):
                continue
            first = min(of[u] for u in users)
            part.nodes.remove(node)
            subgraphs[first].nodes.insert(0, node)
            of[node] = first
