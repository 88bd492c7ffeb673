"""The meshes that a ``with`` has made current, and what devices a host has."""

from __future__ import annotations

import threading
from typing import Any

from mindtorch_storage.device import CUDA

from ..aten import torch

__all__: list[str] = []


class _MeshEnv(threading.local):
    """The meshes that a ``with`` has made current."""

    def __init__(self) -> None:
        self.mesh_stack: list[Any] = []

    def get_current_mesh(self) -> Any:
        """The innermost."""
        if not self.mesh_stack:
            raise RuntimeError("No device mesh is currently active!")
        return self.mesh_stack[-1]

    def get_root_mesh(self, device_mesh: Any) -> Any:
        """The mesh that *device_mesh* was cut out of."""
        return device_mesh._get_root_mesh()

    @staticmethod
    def num_devices_per_host(device_type: str) -> int:
        """How many devices a host has."""
        handle = _get_device_handle(device_type)
        return handle.device_count() if handle else 1

    @staticmethod
    def num_hosts(device_type: str) -> int:
        """How many hosts there are."""
        return 1

    def _get_all_submeshes(self, device_mesh: Any, mesh_dim_name: str) -> list[Any]:
        return device_mesh._get_all_submeshes(mesh_dim_name)


_mesh_resources = _MeshEnv()


def _get_device_handle(device_type: str = CUDA) -> Any:
    return getattr(torch, device_type, None) if device_type != "cpu" else None
