"""Settings of ``fully_shard``, and what exchanges its parts."""

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


class Comm(ABC):
    """An exchange, and where the memory for it comes from."""

    @abstractmethod
    def allocate(self, size: Sequence[int | Any], *, dtype: Any, device: Any) -> Any:
        """A tensor for what is sent or received."""


class AllGather(Comm):
    """Writes the tensors of all processes one behind the other."""

    @abstractmethod
    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any, async_op: bool = False
    ) -> Any:
        """Begin; what is to be waited for if *async_op*."""


class ReduceScatter(Comm):
    """Reduces tensors of all processes and gives each its part."""

    @abstractmethod
    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any, op: Any, async_op: bool = False
    ) -> Any:
        """Begin; what is to be waited for if *async_op*."""


@dataclass
class OffloadPolicy:
    """Where parameters are while they are not used: where they are."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Where parameters are while they are not used: on the host."""

    pin_memory: bool = True


@dataclass(frozen=True)
class DataParallelMeshDims:
    """Which dimensions of a mesh split parameters, and which repeat them.

    Raises ValueError where there are neither.
    """

    shard: str | tuple[str, ...] | None = None
    replicate: str | tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.shard is None and self.replicate is None:
            raise ValueError(
                "At least one of shard or replicate must be set in DataParallelMeshDims"
            )

    @property
    def shard_names(self) -> tuple[str, ...]:
        """The names of dimensions that split."""
        return _names(self.shard)

    @property
    def replicate_names(self) -> tuple[str, ...]:
        """The names of dimensions that repeat."""
        return _names(self.replicate)


def _names(given: str | tuple[str, ...] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else given


living_in(
    "mindtorch.distributed.fsdp",
    MixedPrecisionPolicy,
    OffloadPolicy,
    CPUOffloadPolicy,
    DataParallelMeshDims,
)
