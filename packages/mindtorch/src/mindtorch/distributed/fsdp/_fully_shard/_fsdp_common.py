"""The processes over which parameters are split, and what the parts of a module do at the time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from ....aten import torch
from ....tensor import Tensor
from ...device_mesh import DeviceMesh
from ...tensor import Shard
from ...tensor._lines import line_of
from ._fsdp_api import DataParallelMeshDims

__all__ = [
    "DDPMeshInfo",
    "DataParallelMeshInfo",
    "FSDPMeshInfo",
    "HSDPMeshInfo",
    "ShardPlacementResult",
    "TrainingState",
    "_get_device_from_mesh",
    "resolve_shard_placement",
]


class TrainingState(Enum):
    """What a module is at."""

    FORWARD = auto()
    PRE_BACKWARD = auto()
    POST_BACKWARD = auto()
    IDLE = auto()


@dataclass
class DataParallelMeshInfo:
    """A mesh, and which of its dimensions split parameters or repeat them.

    Raises AssertionError where neither is given.
    """

    mesh: DeviceMesh
    shard_mesh_dim: int | None = None
    replicate_mesh_dim: int | None = None
    dp_mesh_dims: DataParallelMeshDims | None = None
    spmd_mesh: DeviceMesh | None = None

    def __post_init__(self) -> None:
        if self.shard_mesh_dim is None and self.replicate_mesh_dim is None:
            raise AssertionError(
                "At least one of shard_mesh_dim and replicate_mesh_dim must not be None"
            )
        self.is_spmd_mesh = self.dp_mesh_dims is not None


@dataclass
class FSDPMeshInfo(DataParallelMeshInfo):
    """A mesh with a dimension that splits parameters."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shard_mesh_dim is None:
            raise AssertionError("Expects non-None shard_mesh_dim")
        line = line_of(self.mesh, self.shard_mesh_dim)
        self.shard_mesh_size: int = line.size
        self.shard_process_group: Any = line.group
        #: Which part this process has, and for each part the number of its process in the group.
        self.shard_mesh_rank: int = line.index
        self.members: list[int] = line.members
        #: A group for gradients alone, so that they do not wait for parameters.
        self.reduce_scatter_process_group: Any = None


@dataclass
class DDPMeshInfo(DataParallelMeshInfo):
    """A mesh with a dimension of processes that have the same parameters."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.replicate_mesh_dim is None:
            raise AssertionError("Expects non-None replicate_mesh_dim")
        line = line_of(self.mesh, self.replicate_mesh_dim)
        self.replicate_mesh_size: int = line.size
        self.replicate_process_group: Any = line.group
        self.replicate_mesh_rank: int = line.index


@dataclass
class HSDPMeshInfo(FSDPMeshInfo, DDPMeshInfo):
    """A mesh with both."""


@dataclass
class ShardPlacementResult:
    """How a parameter is split, and over which processes."""

    placement: Shard | None
    mesh_info: FSDPMeshInfo


def resolve_shard_placement(result: Any, default_mesh_info: Any) -> ShardPlacementResult:
    """What a function says of a parameter: nothing, a dimension, or processes too.

    Raises ValueError for anything else.
    """
    if isinstance(result, ShardPlacementResult):
        return result
    if result is None or isinstance(result, Shard):
        return ShardPlacementResult(result, default_mesh_info)
    raise ValueError(f"Invalid shard_placement_fn result: {result}")


def _get_device_from_mesh(mesh: DeviceMesh) -> Any:
    """Where this process has its parts."""
    kind = mesh.device_type
    if kind == "cpu":
        return torch.device(kind)
    return torch.device(kind, torch.get_device_module(kind).current_device())


def cast_floats(dtype: Any, x: Tensor) -> Tensor:
    """*x* in *dtype* if it has floating point numbers."""
    return x.to(dtype) if torch.is_floating_point(x) and x.dtype != dtype else x
