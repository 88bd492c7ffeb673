"""The parts of a graph that a backend can take over."""

from __future__ import annotations

import itertools
import logging
import operator
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from ...graph_module import GraphModule
from ...node import Node, _get_qualified_name
from ..operator_support import OperatorSupportBase
from ..utils.fuser_utils import fuse_by_partitions

logger = logging.getLogger(__name__)


class Partition:
    """Nodes that are taken over together."""

    def __init__(
        self,
        id: int | None = None,
        nodes: Iterable[Node] | None = None,
        node_orders: Iterable[int] | None = None,
    ) -> None:
        self.id = id
        self.nodes: dict[Node, int | None] = {}
        if nodes is not None:
            orders = itertools.repeat(None) if node_orders is None else node_orders
            self.nodes = dict(zip(nodes, orders, strict=False))

    def __repr__(self) -> str:
        return str(self.nodes)

    def add_node(self, node: Node, node_order: int | None = None) -> None:
        """Add a node."""
        self.nodes[node] = node_order

    def remove_node(self, node: Node) -> None:
        """Take a node out."""
        del self.nodes[node]

    def size(self) -> int:
        """How many nodes there are."""
        return len(self.nodes)


class _DependencyViewer:
    """All nodes that need a node's result, directly or not."""

    def __init__(self, graph_module: GraphModule) -> None:
        self.downstreams: dict[Node, set[Node]] = {}
        for node in reversed(graph_module.graph.nodes):
            found: set[Node] = set()
            for user in node.users:
                found.add(user)
                found |= self.downstreams[user]
            self.downstreams[node] = found

    def downstreams_of(self, node: Node) -> set[Node]:
        """Those of *node*."""
        return self.downstreams[node]


class CapabilityBasedPartitioner:
    """Finds the largest parts of a graph whose nodes *operator_support* takes.

    :param allows_single_node_partition: parts of one node are parts, too.
    :param non_compute_ops: names of functions that alone are not worth a part.
    :param allowed_single_node_partition_ops: names of functions that are, whatever the rest says.
    :param skip_horizontal_fusion: nodes join only what they use or what uses them.
    """

    def __init__(
        self,
        graph_module: GraphModule,
        operator_support: OperatorSupportBase,
        allows_single_node_partition: bool = False,
        non_compute_ops: Sequence[str] | None = None,
        allowed_single_node_partition_ops: Sequence[str] | None = None,
        skip_horizontal_fusion: bool = False,
    ) -> None:
        self.graph_module = graph_module
        self.operator_support = operator_support
        self.allows_single_node_partition = allows_single_node_partition
        self.non_compute_ops = non_compute_ops or []
        self.allowed_single_node_partition_ops = allowed_single_node_partition_ops or []
        self.skip_horizontal_fusion = skip_horizontal_fusion
        self.dependency_viewer = _DependencyViewer(graph_module)

    def _is_node_supported(self, node: Node) -> bool:
        return self.operator_support.is_node_supported(
            dict(self.graph_module.named_modules()), node
        )

    def propose_partitions(self) -> list[Partition]:
        """The parts."""
        ids = itertools.count()
        of: dict[Node, int] = {}
        parts: dict[int, Partition] = {}
        order = {n: i for i, n in enumerate(self.graph_module.graph.nodes)}

        def merged(a: int, b: int) -> bool:
            """Put *b* into *a*, unless a circle would come of it."""
            inner = parts[a].nodes.keys() | parts[b].nodes.keys()
            stack = deque(u for n in inner for u in n.users if u not in inner)
            seen: set[Any] = set()
            while stack:
                at = stack.popleft()
                key: Any = of.get(at, at)
                if key in (a, b):
                    return False
                if key in seen:
                    continue
                seen.add(key)
                nodes = parts[key].nodes if isinstance(key, int) else [key]
                stack.extend(u for n in nodes for u in n.users if u not in nodes)
            for n in list(parts[b].nodes):
                of[n] = a
                parts[a].add_node(n, order[n])
            del parts[b]
            return True

        for node in reversed(self.graph_module.graph.nodes):
            candidates: dict[int, None] = {}
            if self._is_node_supported(node) and node not in of:
                new = next(ids)
                parts[new] = Partition(new, [node], [order[node]])
                of[node] = new
                candidates[new] = None
            candidates.update(dict.fromkeys(of[u] for u in node.users if u in of))
            listed = list(candidates)
            if len(listed) > 1:
                into = listed[0]
                for other in listed[1:]:
                    if other in parts and into in parts:
                        merged(into, other)
        self._move_getitems(parts, of)
        found = list(parts.values())
        if not self.allows_single_node_partition:
            found = [p for p in found if self._worth_it(p)]
        return [p for p in found if p.size() > 0]

    def _move_getitems(self, parts: dict[int, Partition], of: dict[Node, int]) -> None:
        """Let an item be where what it is taken from is."""
        for node in self.graph_module.graph.nodes:
            for user in node.users:
                if user.target is not operator.getitem or user.op != "call_function":
                    continue
                if node in of and of.get(user) != of[node]:
                    if user in of:
                        parts[of[user]].remove_node(user)
                    of[user] = of[node]
                    parts[of[node]].add_node(user)

    def _worth_it(self, partition: Partition) -> bool:
        default = {"torch.ops.aten.view", "_operator.getitem"}
        skipped = {*self.non_compute_ops, *default}
        compute = 0
        for node in partition.nodes:
            if node.op == "call_function":
                name = _get_qualified_name(node.target)
                if name in self.allowed_single_node_partition_ops:
                    return True
                if name in skipped:
                    continue
            compute += 1
        return compute > 1

    def fuse_partitions(self, partitions: list[Partition], prefix: str = "fused_") -> GraphModule:
        """Let each part be a submodule."""
        return fuse_by_partitions(self.graph_module, [p.nodes for p in partitions], prefix=prefix)

    def remove_bookend_non_compute_ops(self, partitions: list[Partition]) -> None:
        """Take functions that are not worth it off both ends of the parts."""
        skipped = set(self.non_compute_ops)

        def plain(node: Node) -> bool:
            return node.op == "call_function" and _get_qualified_name(node.target) in skipped

        for partition in partitions:
            changed = True
            while changed:
                changed = False
                for node in list(partition.nodes):
                    first = not any(n in partition.nodes for n in node.all_input_nodes)
                    last = not any(u in partition.nodes for u in node.users)
                    if plain(node) and (first or last):
                        partition.remove_node(node)
                        changed = True

    def partition_and_fuse(self, prefix: str = "fused_") -> GraphModule:
        """Find the parts and let them be submodules."""
        return self.fuse_partitions(self.propose_partitions(), prefix=prefix)
