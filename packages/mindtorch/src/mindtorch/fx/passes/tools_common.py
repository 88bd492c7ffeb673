"""What several passes need."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...tensor import Tensor
from .._compatibility import compatibility
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, _get_qualified_name

__all__ = [
    "FxNetAccFusionsFinder", "get_acc_ops_name", "get_node_target", "is_node_output_tensor",
    "legalize_graph", "stable_topological_sort",
]  # fmt: skip

Tensors = tuple[Tensor, ...] | list[Tensor]
TensorOrTensors = Any
NodeList = list[Node]
NodeSet = set[Node]
Names = list[str]
CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


@compatibility(is_backward_compatible=False)
def get_acc_ops_name(k: Any) -> str:
    """The name of an operator, short where it is one of ``acc_ops``."""
    if isinstance(k, str):
        return k
    home = k.__module__ or ""
    home = "acc_ops" if "acc_ops" in home else home.replace("torch._ops", "torch.ops")
    return f"{home}.{k.__name__}"


@compatibility(is_backward_compatible=False)
def get_node_target(submodules: Mapping[str, Any], node: Node) -> str:
    """What a node calls, as a name: the class of a module, a function, a method."""
    assert node.op in CALLABLE_NODE_OPS, (
        f"Expect op types of {', '.join(CALLABLE_NODE_OPS)}, but found {node.op}"
    )
    if node.op == "call_module":
        module = submodules[node.target]
        kind = getattr(module, "_base_class_origin", type(module))
        return get_acc_ops_name(kind).replace("mindtorch", "torch")
    if node.op == "call_function":
        function = node.target
        if "acc_ops" in (getattr(function, "__module__", None) or ""):
            return f"acc_ops.{function.__name__}"
        return _get_qualified_name(function)
    return str(node.target)


@compatibility(is_backward_compatible=False)
def is_node_output_tensor(node: Node) -> bool:
    """Whether a node gives one tensor, as far as its meta tells."""
    kind = node.meta.get("type")
    return kind is not None and issubclass(kind, Tensor)


@compatibility(is_backward_compatible=False)
class FxNetAccFusionsFinder:
    """Groups of nodes that have to stay together, as what is between them is no tensor."""

    def __init__(self, module: GraphModule, acc_nodes: NodeSet) -> None:
        self.module = module
        self.nodes = list(module.graph.nodes)
        self.acc_nodes = acc_nodes

    @dataclass
    class FusionGroup:
        """Nodes that stay together."""

        top_node_idx: int
        nodes: NodeSet
        inputs: NodeSet
        nodes_need_process: NodeSet

        def add_node(self, node: Node) -> None:
            """Add a node and note what it needs."""
            if node in self.nodes:
                return
            needed = {n for n in node.all_input_nodes if n.op in CALLABLE_NODE_OPS}
            self.nodes |= {node}
            self.nodes_need_process |= {node}
            self.inputs = (self.inputs | needed) - self.nodes

    def recursive_add_node(
        self, fusion_group: Any, inputs: Any, visited: NodeSet | None = None
    ) -> bool:
        """Add the nodes on the way from the group to *inputs*; whether there are any."""
        seen = set() if visited is None else visited
        for arg in inputs:
            if arg in seen or not self._is_below(arg, fusion_group):
                continue
            seen.add(arg)
            if arg not in fusion_group.nodes:
                if not self.recursive_add_node(fusion_group, arg.all_input_nodes, seen):
                    continue
                fusion_group.add_node(arg)
            return True
        return False

    def _is_below(self, node: Node, group: Any) -> bool:
        """Whether a call stands after the first of a group."""
        return node.op in CALLABLE_NODE_OPS and self.nodes.index(node) >= group.top_node_idx

    def __call__(self) -> dict[Node, NodeSet]:
        result: dict[Node, NodeSet] = {}
        for node in list(self.acc_nodes):
            if node in result or node not in self.acc_nodes or not _is_bare_call(node):
                continue
            group = self._group_of(node).nodes
            if group <= self.acc_nodes:
                result.update(dict.fromkeys(group, group))
            else:
                self.acc_nodes -= group
        return result

    def _group_of(self, node: Node) -> FusionGroup:
        """The nodes that stay with *node*: what it is made of and made into that is no tensor."""
        group = self.FusionGroup(self.nodes.index(node), {node}, set(node.all_input_nodes), {node})
        while group.nodes_need_process:
            at = group.nodes_need_process.pop()
            self.recursive_add_node(group, group.inputs, set())
            near = [] if "tensor_meta" in at.meta else [*at.users]
            near += filter(_is_bare_call, at.all_input_nodes)
            for each in near:
                if each.op not in CALLABLE_NODE_OPS or each in group.nodes:
                    continue
                group.add_node(each)
                group.top_node_idx = min(group.top_node_idx, self.nodes.index(each))
                self.recursive_add_node(group, group.inputs, set())
        return group


def _is_bare_call(node: Node) -> bool:
    """Whether a node calls something and gives no tensor."""
    return node.op in CALLABLE_NODE_OPS and "tensor_meta" not in node.meta


def _in_order(gm: GraphModule, ready: Any, put: Any, take: Any) -> GraphModule:
    """A new graph of the same nodes, each after those it needs. Raises RuntimeError on circles."""
    waiting = {node: set(node.all_input_nodes) for node in gm.graph.nodes}
    graph = Graph()
    env: dict[Node, Node] = {}
    for node, needed in waiting.items():
        if not needed:
            put(ready, node)
    outputs = []
    while ready:
        at = take(ready)
        if at.op == "output":
            outputs.append(at)
            continue
        env[at] = graph.node_copy(at, env.__getitem__)
        for user in at.users:
            waiting[user].discard(at)
            if not waiting[user]:
                put(ready, user)
    for at in outputs:
        env[at] = graph.node_copy(at, env.__getitem__)
    if len(graph.nodes) < len(gm.graph.nodes):
        left = [node for node, needed in waiting.items() if needed]
        raise RuntimeError(f"Input graph has cycles, unable to add {left}")
    graph._codegen = gm.graph._codegen
    gm.graph = graph
    return gm


@compatibility(is_backward_compatible=False)
def legalize_graph(gm: GraphModule) -> GraphModule:
    """Bring the nodes into an order in which each comes after those it needs."""
    return _in_order(gm, deque(), deque.append, deque.popleft)


@compatibility(is_backward_compatible=False)
def stable_topological_sort(gm: GraphModule) -> GraphModule:
    """The same, changing the order as little as needed."""
    index = {node: i for i, node in enumerate(gm.graph.nodes)}

    def put(ready: Any, node: Node) -> None:
        heapq.heappush(ready, (index[node], node))

    def take(ready: Any) -> Node:
        return heapq.heappop(ready)[1]

    return _in_order(gm, [], put, take)
