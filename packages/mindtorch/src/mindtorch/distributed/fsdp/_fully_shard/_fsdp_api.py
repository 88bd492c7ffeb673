"""Settings of ``fully_shard``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....core.module_names import living_in

__all__ = [
    "AllGather",
    "CPUOffloadPolicy",
    "Comm",
    "DataParallelMeshDims",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "ReduceScatter",
]


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """The dtypes of parameters, of their reduction and of outputs."""

    param_dtype: Any = None
    reduce_dtype: Any = None
    output_dtype: Any = None
    cast_forward_inputs: bool = True


@dataclass
class OffloadPolicy:
    """Where parameters are while they are not used: where they are."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Where parameters are while they are not used: on the host."""

    pin_memory: bool = True


@dataclass(frozen=True)
class DataParallelMeshDims:
    """Which dimensions of a mesh split parameters, and which repeat them."""

    shard: Any = None
    replicate: Any = None


class Comm(ABC):
    """An exchange of parameters or gradients, with memory for what is exchanged."""

    @abstractmethod
    def allocate(self, size: Sequence[int], *, dtype: Any, device: Any) -> Any:
        """A tensor of *size*: of its own, or one that is used again and again."""


class AllGather(Comm):
    """How parameters are gathered: ``set_custom_all_gather`` takes one."""

    @abstractmethod
    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any, async_op: bool = False
    ) -> Any:
        """Write the tensors of all processes into one, by their ranks; a work or None."""


class ReduceScatter(Comm):
    """How gradients are reduced: ``set_custom_reduce_scatter`` takes one."""

    @abstractmethod
    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any, op: Any, async_op: bool = False
    ) -> Any:
        """Write this process's part of the reduction of all tensors; a work or None."""


living_in(
    "mindtorch.distributed.fsdp",
    MixedPrecisionPolicy,
    OffloadPolicy,
    CPUOffloadPolicy,
    DataParallelMeshDims,
)
