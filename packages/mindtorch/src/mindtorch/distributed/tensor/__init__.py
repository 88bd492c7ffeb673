"""``torch.distributed.tensor``: tensors on meshes of processes."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from ..device_mesh import DeviceMesh, init_device_mesh
from ._api import (
    DTensor,
    distribute_module,
    distribute_tensor,
    empty,
    full,
    ones,
    rand,
    randn,
    zeros,
)
from .placement_types import Partial, Placement, Replicate, Shard

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


def __getattr__(name: str) -> Any:
    if name in ("parallel", "experimental", "device_mesh", "placement_types"):
        return _import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.distributed.tensor' has no attribute '{name}'")


#: What the module is made with.
_INSIDE = ("Any", "annotations")


def __dir__() -> list[str]:
    return sorted({n for n in globals() if n not in _INSIDE})
