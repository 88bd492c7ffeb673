"""Parts of a graph for several devices: how much memory and time they take."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from ..node import Node


class Partition:
    """The nodes of one part, and what is known of it."""

    def __init__(self, partition_id: int) -> None:
        self.nodes: set[Node] = set()
        self.partition_id = partition_id
        self.parents: set[Partition] = set()
        self.children: set[Partition] = set()
        #: The longest way from a part without parents.
        self.bfs_level: int = -1
        self.used_mem_bytes: int = 0
        self.logical_device_ids: list[int] = []

    def __str__(self) -> str:
        return str(self.partition_id)

    def recalculate_mem_size(self) -> None:
        """Add up what the nodes take."""
        self.used_mem_bytes = sum(get_extra_size_of(node, self.nodes) for node in self.nodes)

    def add_node(self, node: Node) -> None:
        """Take a node in, with the inputs and attributes that it reads."""
        self.nodes |= {node, *_read(node)}
        self.recalculate_mem_size()

    def remove_node(self, node: Node) -> None:
        """Leave a node out, with the inputs and attributes that no other node here reads."""
        if node not in self.nodes:
            return
        self.nodes.remove(node)
        self.nodes -= {each for each in _read(node) if not self.nodes & set(each.users)}
        self.recalculate_mem_size()


class Device(NamedTuple):
    """A device, its memory and its number."""

    name: str
    available_mem_bytes: int
    logical_id: int


class NodeLatency(NamedTuple):
    """The seconds that a node needs for its memory and for its computation."""

    mem_latency_sec: float
    computer_latency_sec: float


class PartitionLatency(NamedTuple):
    """The seconds of the longest way through a part."""

    mem_latency_sec: float
    computer_latency_sec: float
    overall_latency_sec: float


class PartitionMode(Enum):
    """By what a graph is cut into parts."""

    size_based = 0
    sparse_nn = 1
    cost_aware = 2
    kl_based = 3
    aot_based = 4


class PartitionerConfig(NamedTuple):
    """How a graph is cut into parts, and for which devices."""

    devices: list[Device]
    mode: PartitionMode = PartitionMode.size_based
    transfer_rate_bytes_per_sec: float = 0.0
    node_to_latency_mapping: dict[Node, NodeLatency] = {}
    node_to_partition_mapping: dict[Node, int] = {}
    partition_to_logical_device_mapping: dict[int, list[int]] = {}
    saturate_host: bool = False


def _read(node: Node) -> list[Node]:
    """The inputs and attributes of the graph that a node reads."""
    return [each for each in node.all_input_nodes if each.op in ("placeholder", "get_attr")]


def get_extra_size_of(node: Node, nodes: set[Node]) -> int:
    """The bytes that *node* adds to a set: its own, and its inputs' that are not there.

    Raises AttributeError or RuntimeError where sizes were not noted.
    """
    outside = [each for each in node.all_input_nodes if each not in nodes]
    sizes = [_size(each).output_size for each in outside]
    return sum(sizes) + int(_size(node).total_size)


def _size(node: Node) -> Any:
    found = getattr(node, "size_bytes", None)
    if not found:
        raise RuntimeError("node has no size_bytes attr")
    return found


def get_latency_of_one_partition(
    partition: Partition, node_to_latency_mapping: dict[Node, NodeLatency]
) -> PartitionLatency:
    """The seconds of the longest way through the nodes of a part."""
    known: dict[Node, PartitionLatency] = {}

    def longest(node: Node) -> PartitionLatency:
        """The way from *node* on."""
        if node not in known:
            below = [longest(user) for user in node.users if user in partition.nodes]
            rest = max(below, key=lambda way: way.overall_latency_sec, default=_NO_TIME)
            own = node_to_latency_mapping[node]
            known[node] = PartitionLatency(
                rest.mem_latency_sec + own.mem_latency_sec,
                rest.computer_latency_sec + own.computer_latency_sec,
                rest.overall_latency_sec + max(own),
            )
        return known[node]

    first = [node for node in partition.nodes if _is_first(node, partition)]
    return max(map(longest, first), key=lambda way: way.overall_latency_sec, default=_NO_TIME)


_NO_TIME = PartitionLatency(0.0, 0.0, 0.0)


def _is_first(node: Node, partition: Partition) -> bool:
    """Whether a call needs no other call of the part."""
    if node.op in ("placeholder", "get_attr"):
        return False
    calls = set(node.all_input_nodes) - set(_read(node))
    return not calls & partition.nodes


def get_partition_to_latency_mapping(
    partitions: list[Partition], node_to_latency_mapping: dict[Node, NodeLatency]
) -> dict[Partition, PartitionLatency]:
    """The seconds of the longest way through each part."""
    return {
        partition: get_latency_of_one_partition(partition, node_to_latency_mapping)
        for partition in partitions
    }


def get_comm_latency_between(
    parent_partition: Partition, child_partition: Partition, transfer_rate_bytes_per_sec: float
) -> float:
    """The seconds that the values of one part need to the other; none on one device."""
    here, there = parent_partition.logical_device_ids, child_partition.logical_device_ids
    if here and here == there:
        return 0.0
    needed = {each for node in child_partition.nodes for each in node.all_input_nodes}
    moved = sum(int(_size(node).output_size) for node in needed & parent_partition.nodes)
    return moved / transfer_rate_bytes_per_sec


def get_latency_of_partitioned_graph(
    partitions: list[Partition],
    partition_to_latency_mapping: dict[Partition, PartitionLatency],
    transfer_rate_bytes_per_sec: float,
) -> float:
    """The seconds of the longest way through all parts, transfers among them."""

    def longest(partition: Partition) -> float:
        """The way from *partition* on."""
        below = [
            get_comm_latency_between(partition, child, transfer_rate_bytes_per_sec) + longest(child)
            for child in partition.children
        ]
        own = partition_to_latency_mapping[partition].overall_latency_sec
        return own + max(below, default=0.0)

    first = [partition for partition in partitions if not partition.parents]
    return max(map(longest, first), default=0.0)
