"""Which nodes run on an accelerator, and what was decided about each on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._compatibility import compatibility
from ..graph_module import GraphModule
from ..node import Node
from .operator_support import OperatorSupportBase
from .tools_common import CALLABLE_NODE_OPS, NodeList, NodeSet, is_node_output_tensor

ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE = "FX_NET_ACC_SPLITTER_TRACKER_MODE"
ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH = "FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH"
ENV_FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES = "FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES"
TRACKER_DUMP_PATH = "_fx_net_tracker"
NODES_SUFFIX = "_nodes.txt"
ALL_SUFFIX = "_all.txt"
DUMP_PREFIX = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH, TRACKER_DUMP_PATH)
#: What is written: see NodeEventTracker.
TRACKER_MODE: Any = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE, "0")


@compatibility(is_backward_compatible=False)
class NodeEvent:
    """Something that was decided about a node, and which other node was the cause."""

    def __init__(self, source: Node, desc: str, dep: Node | None = None) -> None:
        self.source, self.desc, self.dep = source, desc, dep

    def to_str(self) -> str:
        """Node, decision and cause in one line."""
        cause = self.dep.name if self.dep else "#"
        return f"{self.source.name}: {self.desc} {cause}"


@compatibility(is_backward_compatible=False)
class NodeEventTracker:
    """Notes what is decided about nodes.

    :param tracker_mode: what :meth:`dump` writes: 0 nothing, 1 a file of all nodes, 2 one of those
        that an environment variable names as well, 3 one of those that were decided about twice.
    :param dump_prefix: what the names of the files begin with.
    """

    def __init__(self, tracker_mode: int, dump_prefix: str) -> None:
        self.tracker_mode = tracker_mode
        self.dump_prefix = dump_prefix
        self.events: list[NodeEvent] = []
        #: For each name of a node the numbers of its events.
        self.node_events: dict[str, list[int]] = {}
        self.writer: Callable[[str], Any] = print

    def add(self, node: Node, desc: str, dep: Node | None = None) -> None:
        """Note something about *node*."""
        self.node_events.setdefault(node.name, []).append(len(self.events))
        self.events.append(NodeEvent(node, desc, dep))

    def print_node(
        self,
        node_name: str,
        recursive: bool = False,
        tab: str = "",
        writer: Callable[[str], Any] | None = None,
    ) -> None:
        """Write what was decided about a node; with *recursive* about the causes, too."""
        write = writer or self.writer
        for event in (self.events[i] for i in self.node_events.get(node_name, ())):
            write(tab + event.to_str())
            if recursive and event.dep is not None:
                self.print_node(event.dep.name, True, f"| {tab}", write)

    def to_dict(self) -> dict[str, list[str]]:
        """The lines about each node."""
        return {
            name: [self.events[i].to_str() for i in found]
            for name, found in self.node_events.items()
        }

    def print_all(self, writer: Callable[[str], Any] | None = None) -> None:
        """Write what was decided about all nodes."""
        write = writer or self.writer
        for name in self.node_events:
            write(f"Node: {name}:")
            self.print_node(name, recursive=False, tab="  ", writer=write)

    def dump(self) -> None:
        """Write what the mode asks for."""
        if self.tracker_mode == 0:
            return
        self._into_file(ALL_SUFFIX, self.print_all)
        chosen: list[str] = []
        if self.tracker_mode == 2:
            named = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES, "")
            chosen = [name for name in named.split(",") if name]
        elif self.tracker_mode == 3:
            chosen = [name for name, found in self.node_events.items() if len(found) > 1]
        if self.tracker_mode > 1:
            self._into_file(NODES_SUFFIX, lambda write: self._print_chosen(chosen, write))

    def _print_chosen(self, names: list[str], write: Callable[[str], Any]) -> None:
        for name in names:
            write(f"===== Tracking node {name} =====")
            self.print_node(name, recursive=True, tab="|-", writer=write)
            write(f"===== End of tracking node {name} =====")

    def _into_file(self, suffix: str, printer: Callable[[Callable[[str], Any]], None]) -> None:
        with Path(self.dump_prefix + suffix).open("w", encoding="utf-8") as file:
            printer(lambda line: file.write(f"{line}\n"))


@compatibility(is_backward_compatible=False)
class FxNetAccNodesFinder:
    """Finds the nodes that run on an accelerator.

    Those are left out that would give something else than a tensor to the CPU, or take it.

    :param allow_non_tensor: leave none of those out.
    """

    def __init__(
        self,
        module: GraphModule,
        operator_support: OperatorSupportBase,
        allow_non_tensor: bool,
    ) -> None:
        self.module = module
        self.operator_support = operator_support
        self.allow_non_tensor = allow_non_tensor
        self.acc_nodes: NodeSet = set()
        self.tracker = NodeEventTracker(int(TRACKER_MODE), DUMP_PREFIX)

    def reduce_acc_nodes_non_tensor_input_helper(self, cpu_worklist: NodeList) -> None:
        """Leave out what uses these nodes, and what uses the values of those, where no tensors."""
        while cpu_worklist:
            node = cpu_worklist.pop(0)
            leaving = [user for user in node.users if user in self.acc_nodes]
            self.acc_nodes -= set(leaving)
            for user in leaving:
                self.tracker.add(user, "acc_del|user_of_new_cpu_node", node)
                if is_node_output_tensor(user):
                    continue
                cpu_worklist.append(user)
                self.tracker.add(user, "new_cpu_node|non_tensor_output")

    def reduce_acc_nodes_non_tensor_input(self) -> None:
        """Leave out what takes something else than a tensor from the CPU."""
        bare = [node for node in self._calls() if not is_node_output_tensor(node)]
        on_cpu = [node for node in bare if node not in self.acc_nodes]
        for node in on_cpu:
            self.tracker.add(node, "new_cpu_node|callable_non_tensor_input")
        self.reduce_acc_nodes_non_tensor_input_helper(on_cpu)

    def reduce_acc_nodes_non_tensor_output(self) -> None:
        """Leave out what gives something else than a tensor to the CPU."""
        while leaving := [node for node in self._calls() if self._gives_to_cpu(node)]:
            for node in leaving:
                self.acc_nodes.remove(node)
            self.reduce_acc_nodes_non_tensor_input_helper(leaving)

    def _gives_to_cpu(self, node: Node) -> bool:
        if node not in self.acc_nodes or is_node_output_tensor(node):
            return False
        user = next((user for user in node.users if user not in self.acc_nodes), None)
        if user is not None:
            self.tracker.add(node, "acc_del|non_tensor_output_with_cpu_user", user)
        return user is not None

    def _calls(self) -> NodeList:
        return [node for node in self.module.graph.nodes if node.op in CALLABLE_NODE_OPS]

    def __call__(self) -> NodeSet:
        first = {node: self._first_decision(node) for node in self.module.graph.nodes}
        for node, said in first.items():
            self.tracker.add(node, said)
        self.acc_nodes = {node for node, said in first.items() if said.startswith("init_acc")}
        reductions = () if self.allow_non_tensor else (
            self.reduce_acc_nodes_non_tensor_input, self.reduce_acc_nodes_non_tensor_output,
        )  # fmt: skip
        for reduce in reductions:
            reduce()
        self.tracker.dump()
        return self.acc_nodes

    def _first_decision(self, node: Node) -> str:
        """Whether a node may run on the accelerator, as far as it is known of itself."""
        if node.op not in CALLABLE_NODE_OPS:
            return "init_cpu|not_callable"
        if self.operator_support.is_node_supported(dict(self.module.named_modules()), node):
            return "init_acc|callable_and_operator_supported"
        return "init_cpu|operator_support"
