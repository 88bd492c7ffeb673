"""``torch.distributed.tensor``: tensors on meshes of processes."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from ...core.submodules import reached as _reached
from ...serialization import add_safe_globals as _add_safe_globals
from .._mesh_layout import Axis as _Axis
from .._mesh_layout import MeshLayout as _MeshLayout
from ..device_mesh import DeviceMesh, init_device_mesh
from ._api import (
    DTensor,
    distribute_tensor,
    empty,
    full,
    ones,
    rand,
    randn,
    zeros,
)
from ._dtensor_spec import DTensorSpec as _DTensorSpec
from ._dtensor_spec import ShardOrderEntry as _ShardOrderEntry
from ._dtensor_spec import TensorMeta as _TensorMeta
from ._modules import distribute_module
from .placement_types import Partial, Placement, Replicate, Shard, _again, _StridedShard

__all__ = [
    "DTensor",
    "distribute_tensor",
    "distribute_module",
    "Shard",
    "Replicate",
    "Partial",
    "Placement",
    "ones",
    "empty",
    "full",
    "rand",
    "randn",
    "zeros",
]


# What a file of a distributed tensor names.
_add_safe_globals([DTensor, DeviceMesh, _MeshLayout, _Axis, _again])
_add_safe_globals([_DTensorSpec, _ShardOrderEntry, _TensorMeta])
_add_safe_globals([Partial, Replicate, Shard, _StridedShard])
#: Modules below this one that are imported when asked for.
_MODULES = ("_collective_utils", "_random", "debug", "experimental", "parallel")


__getattr__ = _reached(__name__, _MODULES)


#: What the module is made with.
_INSIDE = ("Any", "annotations")


def __dir__() -> list[str]:
    return sorted({n for n in globals() if n not in _INSIDE})
