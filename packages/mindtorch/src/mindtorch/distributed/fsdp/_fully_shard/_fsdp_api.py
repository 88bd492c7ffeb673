"""Settings of ``fully_shard``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....core.module_names import living_in

__all__ = ["CPUOffloadPolicy", "DataParallelMeshDims", "MixedPrecisionPolicy", "OffloadPolicy"]


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


living_in(
    "mindtorch.distributed.fsdp",
    MixedPrecisionPolicy,
    OffloadPolicy,
    CPUOffloadPolicy,
    DataParallelMeshDims,
)
