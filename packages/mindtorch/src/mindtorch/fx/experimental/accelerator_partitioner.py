"""A module cut into submodules that run on several devices."""

from __future__ import annotations

import itertools
import operator
from typing import Any, NamedTuple

from ...nn import Module
from ..graph_module import GraphModule
from ..node import Node
from ..passes.split_module import split_module
from ..passes.tools_common import CALLABLE_NODE_OPS
from .partitioner_utils import (
    Device,
    Partition,
    PartitionerConfig,
    PartitionMode,
    get_extra_size_of,
)


class DAGNode:
    """A submodule: what it takes, what it gives, where it runs and how many bytes it needs."""

    def __init__(
        self,
        submodule_node: Node,
        input_nodes: list[Node],
        output_nodes: list[Node],
        logical_device_ids: list[int],
        size_bytes: int,
    ) -> None:
        self.submodule_node, self.size_bytes = submodule_node, size_bytes
        self.input_nodes, self.output_nodes = input_nodes, output_nodes
        self.logical_device_ids = logical_device_ids

    def __str__(self) -> str:
        return str(self.submodule_node)


class DAG:
    """All submodules, in the order in which they run."""

    def __init__(self) -> None:
        self.nodes: list[DAGNode] = []

    def create_node(
        self,
        submodule_node: Node,
        input_nodes: list[Node],
        output_nodes: list[Node],
        logical_devices: list[int],
        size_bytes: int,
    ) -> None:
        """Add a submodule."""
        self.nodes.append(
            DAGNode(submodule_node, input_nodes, output_nodes, logical_devices, size_bytes)
        )


class PartitionResult(NamedTuple):
    """The submodules, and the module that calls them."""

    dag: DAG
    module_with_submodules: GraphModule


def reset_partition_device(partitions: list[Partition]) -> None:
    """Forget where the parts run."""
    for partition in partitions:
        partition.logical_device_ids = []


def combine_two_partitions(
    partition_0: Partition, partition_1: Partition, partitions: list[Partition]
) -> None:
    """Put one part in the place of two; it comes last."""
    made = Partition(len(partitions))
    made.nodes = partition_0.nodes | partition_1.nodes
    made.recalculate_mem_size()
    kept = [each for each in partitions if each is not partition_0 and each is not partition_1]
    partitions[:] = [*kept, made]
    reorganize_partitions(partitions)


def set_parents_and_children(partitions: list[Partition]) -> None:
    """Note which parts take values of which others."""
    for partition in partitions:
        partition.parents, partition.children = set(), set()
    for above, below in itertools.permutations(partitions, 2):
        # What both have, as an input, is not handed on.
        handed = {user for node in above.nodes - below.nodes for user in node.users}
        if handed & below.nodes:
            above.children.add(below)
            below.parents.add(above)


def reorganize_partitions(partitions: list[Partition]) -> None:
    """Number the parts, and note which take values of which others."""
    for i, partition in enumerate(partitions):
        partition.partition_id = i
    set_parents_and_children(partitions)


def get_bfs_level_partition(partitions: list[Partition]) -> None:
    """Note in each part the longest way to it from one without parents."""
    level, now = 0, {partition for partition in partitions if not partition.parents}
    while now:
        for partition in now:
            partition.bfs_level = level
        level, now = level + 1, {child for partition in now for child in partition.children}


def get_node_to_partition_mapping(partitions: list[Partition]) -> dict[Node, int]:
    """The number of the part of each node."""
    return {node: each.partition_id for each in partitions for node in each.nodes}


def get_logical_id_to_device(devices: list[Device]) -> dict[int, Device]:
    """The devices by their numbers."""
    return {device.logical_id: device for device in devices}


def get_device_partition_stats(
    partitions: list[Partition], devices: list[Device]
) -> tuple[dict[Device, list[Partition]], dict[Device, int], list[Partition]]:
    """The parts on each device, the bytes that are left there, and the parts without a device."""
    by_number = get_logical_id_to_device(devices)
    placed: dict[Device, list[Partition]] = {device: [] for device in devices}
    for partition in partitions:
        for number in partition.logical_device_ids:
            placed[by_number[number]].append(partition)
    left = {
        device: device.available_mem_bytes - sum(each.used_mem_bytes for each in found)
        for device, found in placed.items()
    }
    return placed, left, [each for each in partitions if not each.logical_device_ids]


def get_device_to_partitions_mapping(partitions: list[Partition], devices: list[Device]) -> bool:
    """Find a device for each part that has none; whether there is one for all."""
    placed, left, waiting = get_device_partition_stats(partitions, devices)
    for partition in waiting:
        for device in sorted(left, key=left.__getitem__):
            needed = _extra_bytes(partition, placed[device])
            if needed < left[device]:
                break
        else:
            return False
        placed[device].append(partition)
        left[device] -= needed
        partition.logical_device_ids.append(device.logical_id)
    return True


def _extra_bytes(partition: Partition, beside: list[Partition]) -> int:
    """The bytes that a part needs where others are already."""
    there = set[Node]().union(*(each.nodes for each in beside))
    if not there:
        return partition.used_mem_bytes
    there |= partition.nodes
    return sum(get_extra_size_of(node, there) for node in partition.nodes)


def check_dependency(partition: Partition) -> bool:
    """Whether a part needs its own results, by way of others."""
    seen, waiting = set[Partition](), [*partition.children]
    while waiting:
        at = waiting.pop()
        if at is partition:
            return True
        if at not in seen:
            seen.add(at)
            waiting += at.children
    return False


class Partitioner:
    """Cuts a module into submodules for devices that it does not fit into one of.

    ``get_size_of_all_nodes`` of ``fx.passes.graph_manipulation`` has to run before.
    """

    def __init__(self) -> None:
        self.partitions: list[Partition] = []
        self.node_to_partition: dict[Node, int] = {}
        self.devices: list[Device] = []

    def partition_graph(
        self, fx_module: GraphModule, torch_module: Module, partitioner_config: PartitionerConfig
    ) -> PartitionResult:
        """The submodules, by the mode of the configuration, and the module that calls them.

        Raises RuntimeError where the devices have too little memory, NotImplementedError for the
        modes ``sparse_nn``, ``cost_aware`` and ``kl_based``.
        """
        config = partitioner_config
        self.graph_module, self.torch_module = fx_module, torch_module
        self.devices = config.devices
        if not self.devices:
            raise RuntimeError("No devices")
        nodes: list[Any] = [node for node in fx_module.graph.nodes if node.op != "output"]
        if not any(node.op in CALLABLE_NODE_OPS for node in nodes):
            raise RuntimeError("No Partition since no operations in the module")
        total = sum(node.size_bytes.total_size for node in nodes)
        room = {device.logical_id: device.available_mem_bytes for device in self.devices}
        largest = max(room, key=room.__getitem__)
        if config.mode == PartitionMode.aot_based:
            self.aot_based_partition(
                config.node_to_partition_mapping, config.partition_to_logical_device_mapping
            )
        elif total <= room[largest]:
            self.find_single_partition(total, largest)
        elif total > sum(room.values()):
            raise RuntimeError("Devices do not have enough memory for the module")
        elif config.mode == PartitionMode.size_based:
            self.size_based_partition()
        else:
            raise NotImplementedError(f"{config.mode} is not in mindtorch: use size_based")
        if config.saturate_host:
            self.saturate_host()
        made = self.do_partition()
        return PartitionResult(self.dump_dag(made), made)

    def find_single_partition(self, total_size_of_graph: int, logical_device_id: int = 0) -> None:
        """Put all nodes into one part, on one device."""
        whole = self.create_partition()
        whole.nodes = {node for node in self.graph_module.graph.nodes if node.op != "output"}
        whole.used_mem_bytes = total_size_of_graph
        whole.logical_device_ids = [logical_device_id]
        self.node_to_partition = get_node_to_partition_mapping(self.partitions)

    def size_based_partition(self) -> None:
        """Fill one device after another; nodes that are left go where they fit.

        Raises RuntimeError for a node that is too large, or where nodes do not fit.
        """
        free = list(self.devices)
        part, room = self.create_partition(), 0
        for node in self.graph_module.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS:
                continue
            if len(self.partitions) > len(self.devices):
                self.create_single_node_partition(node)
                continue
            needed = get_extra_size_of(node, part.nodes)
            if not part.nodes or needed > room:
                if part.nodes and len(self.partitions) == len(self.devices):
                    self.create_single_node_partition(node)
                    continue
                part = self.create_partition() if part.nodes else part
                needed = get_extra_size_of(node, part.nodes)
                device = _first_that_fits(node, needed, free)
                free.remove(device)
                room = device.available_mem_bytes
                part.logical_device_ids.append(device.logical_id)
            part.add_node(node)
            room -= needed
        reorganize_partitions(self.partitions)
        self.node_to_partition = get_node_to_partition_mapping(self.partitions)
        if not get_device_to_partitions_mapping(self.partitions, self.devices):
            raise RuntimeError("Cannot Get a Valid Partition to Logical Device Mapping")

    def saturate_host(self) -> None:
        """Let idle devices run the parts too, as often as all of them fit there."""
        placed, left, waiting = get_device_partition_stats(self.partitions, self.devices)
        if waiting:
            raise AssertionError(
                f"Expect no_device_partitions has 0 device, but get {len(waiting)}"
            )
        used = [device for device in self.devices if placed[device]]
        idle = sorted(
            (device for device in self.devices if not placed[device]),
            key=lambda device: device.available_mem_bytes,
        )
        while True:
            copies: dict[Device, Device] = {}
            for device in used:
                needed = device.available_mem_bytes - left[device]
                fits = [d for d in idle if d.available_mem_bytes >= needed]
                fits = [d for d in fits if d not in copies.values()]
                if not fits:
                    return
                copies[device] = fits[0]
            for device, copy in copies.items():
                idle.remove(copy)
                for partition in placed[device]:
                    partition.logical_device_ids.append(copy.logical_id)

    def do_partition(self) -> GraphModule:
        """The module that calls a submodule for each part."""
        parts = self.node_to_partition
        return split_module(self.graph_module, self.torch_module, parts.__getitem__)

    def dump_dag(self, module_with_submodules: GraphModule) -> DAG:
        """The submodules of a module that was cut."""
        dag = DAG()
        for node in module_with_submodules.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS or node.target is operator.getitem:
                continue
            # What gives several results is used through what takes them apart.
            outputs = list(node.users) if len(node.users) > 1 else [node]
            part = self.partitions[int(node.name.rpartition("_")[2])]
            dag.create_node(
                node, node.all_input_nodes, outputs, part.logical_device_ids, part.used_mem_bytes
            )
        return dag

    def create_partition(self) -> Partition:
        """An empty part, the last of all."""
        made = Partition(len(self.partitions))
        self.partitions.append(made)
        return made

    def create_single_node_partition(self, node: Node) -> None:
        """A part of one node, the last of all."""
        self.create_partition().add_node(node)

    def aot_based_partition(
        self,
        node_to_partition_mapping: dict[Node, int],
        partition_to_logical_device_mapping: dict[int, list[int]],
    ) -> None:
        """Make the parts that are given."""
        self.node_to_partition = node_to_partition_mapping
        made: dict[int, Partition] = {}
        for node, number in node_to_partition_mapping.items():
            if number not in made:
                made[number] = Partition(number)
                made[number].logical_device_ids = partition_to_logical_device_mapping[number]
                self.partitions.append(made[number])
            made[number].add_node(node)


def _first_that_fits(node: Node, needed: int, devices: list[Device]) -> Device:
    for device in devices:
        if device.available_mem_bytes >= needed:
            return device
    raise RuntimeError(f"{node} is too large to fit any device")
