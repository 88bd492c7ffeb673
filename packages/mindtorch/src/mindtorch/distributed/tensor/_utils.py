"""Where the part of a process is in a whole tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..device_mesh import DeviceMesh
from .placement_types import Placement

__all__ = ["compute_local_shape_and_global_offset"]


def compute_local_shape_and_global_offset(
    global_shape: Any, mesh: DeviceMesh, placements: Sequence[Placement]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape of the part of this process, and where it begins: on a mesh of one, all."""
    if mesh.size() != 1:
        raise RuntimeError("several processes are not available yet")
    return tuple(global_shape), (0,) * len(global_shape)


def compute_local_shape(
    global_shape: Any, mesh: DeviceMesh, placements: Sequence[Placement]
) -> tuple[int, ...]:
    """The shape of the part of this process."""
    return compute_local_shape_and_global_offset(global_shape, mesh, placements)[0]
