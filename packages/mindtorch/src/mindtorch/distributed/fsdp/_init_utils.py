"""Groups of processes on one machine, and of those in the same place on each machine."""

from __future__ import annotations

from typing import Any

from .. import distributed_c10d as dist
from .api import ShardingStrategy

__all__ = [
    "HYBRID_SHARDING_STRATEGIES",
    "NO_RESHARD_AFTER_FORWARD_STRATEGIES",
    "_init_inter_node_process_group",
    "_init_intra_and_inter_node_groups",
    "_init_intra_node_process_group",
]

#: The strategies that have processes with the same parts, and those whose parameters stay whole
#: between forward and backward.
HYBRID_SHARDING_STRATEGIES = (ShardingStrategy.HYBRID_SHARD, ShardingStrategy._HYBRID_SHARD_ZERO2)
NO_RESHARD_AFTER_FORWARD_STRATEGIES = (
    ShardingStrategy.SHARD_GRAD_OP,
    ShardingStrategy._HYBRID_SHARD_ZERO2,
)


def _init_intra_node_process_group(num_devices_per_node: int) -> Any:
    """The group of the processes on this machine, which has so many devices; a collective call."""
    return dist.new_subgroups(num_devices_per_node)[0]


def _init_inter_node_process_group(global_process_group: Any, num_devices_per_node: int) -> Any:
    """The group of the processes in the same place on all machines; a collective call."""
    backend = dist.get_backend(global_process_group)
    nodes = dist.get_world_size(global_process_group) // num_devices_per_node
    mine = dist.get_rank(global_process_group) % num_devices_per_node
    made = [
        dist.new_group(
            ranks=[place + node * num_devices_per_node for node in range(nodes)], backend=backend
        )
        for place in range(num_devices_per_node)
    ]
    return made[mine]


def _init_intra_and_inter_node_groups(
    global_process_group: Any, num_devices_per_node: int
) -> tuple[Any, Any]:
    """Both groups, as ``HYBRID_SHARD`` uses them; a collective call."""
    return (
        _init_intra_node_process_group(num_devices_per_node),
        _init_inter_node_process_group(global_process_group, num_devices_per_node),
    )
