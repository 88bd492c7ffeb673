"""What several passes need."""

from __future__ import annotations

import heapq
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
    if k.__module__ and "acc_ops" in k.__module__:
        return f"acc_ops.{k.__name__}"
    module = k.__module__.replace("torch._ops", "torch.ops")
    return f"{module if module else ''}.{k.__name__}"


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
            self.nodes_need_process.add(node)
            self.nodes.add(node)
            self.inputs.discard(node)
            self.inputs.update(
                n for n in node.all_input_nodes
                if n.op in CALLABLE_NODE_OPS and n not in self.nodes
            )  # fmt: skip

    def recursive_add_node(
        self, fusion_group: Any, inputs: Any, visited: NodeSet | None = None
    ) -> bool:
        """Add the nodes on the way from the group to *inputs*; whether there are any."""
        for arg in inputs:
            if visited is not None:
                if arg in visited:
                    continue
                visited.add(arg)
            if arg.op not in CALLABLE_NODE_OPS:
                continue
            if self.nodes.index(arg) < fusion_group.top_node_idx:
                continue
            if arg in fusion_group.nodes:
                return True
            if self.recursive_add_node(fusion_group, arg.all_input_nodes, visited):
                fusion_group.add_node(arg)
                return True
        return False

    def __call__(self) -> dict[Node, NodeSet]:
        result: dict[Node, NodeSet] = {}
        acc_nodes = list(self.acc_nodes)
        for node in acc_nodes:
            if node in result or node.op not in CALLABLE_NODE_OPS:
                continue
            if "tensor_meta" in node.meta or node not in self.acc_nodes:
                continue
            group = self.FusionGroup(
                self.nodes.index(node), {node}, set(node.all_input_nodes), {node}
            )
            while group.nodes_need_process:
                at = group.nodes_need_process.pop()
                self.recursive_add_node(group, group.inputs, visited=set())
                if "tensor_meta" not in at.meta:
                    for user in at.users:
                        if user.op in CALLABLE_NODE_OPS and user not in group.nodes:
                            group.add_node(user)
                            self.recursive_add_node(group, group.inputs, visited=set())
                for arg in at.all_input_nodes:
                    if (
                        arg.op not in CALLABLE_NODE_OPS
                        or "tensor_meta" in arg.meta
                        or arg in group.nodes
                    ):
                        continue
                    group.add_node(arg)
                    group.top_node_idx = min(group.top_node_idx, self.nodes.index(arg))
                    self.recursive_add_node(group, group.inputs, visited=set())
            if not set(group.nodes) <= self.acc_nodes:
                self.acc_nodes -= group.nodes
            else:
                for n in group.nodes:
                    result[n] = group.nodes
        return result


def _in_order(gm: GraphModule, ready: Any, put: Any, take: Any) -> GraphModule:
    """A new graph of the same nodes, each after those it needs. Raises RuntimeError on circles."""
    waiting = {node: len(node.all_input_nodes) for node in gm.graph.nodes}
    graph = Graph()
    env: dict[Node, Node] = {}
    for node in gm.graph.nodes:
        if waiting[node] == 0:
            put(ready, node)
    outputs = []
    while ready:
        at = take(ready)
        if at.op == "output":
            outputs.append(at)
            continue
        env[at] = graph.node_copy(at, lambda n: env[n])
        for user in at.users:
            waiting[user] -= 1
            if waiting[user] == 0:
                put(ready, user)
    for at in outputs:
        env[at] = graph.node_copy(at, lambda n: env[n])
    if len(graph.nodes) < len(gm.graph.nodes):
        raise RuntimeError(
            f"Input graph has cycles, unable to add {[n for n in waiting if waiting[n] != 0]}"
        )
    graph._codegen = gm.graph._codegen
    gm.graph = graph
    return gm


@compatibility(is_backward_compatible=False)
def legalize_graph(gm: GraphModule) -> GraphModule:
    """Bring the nodes into an order in which each comes after those it needs."""
    from collections import deque

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
