"""Random numbers of distributed tensors: drawn as one process draws them, on every mesh."""

from __future__ import annotations

from ...aten import torch
from ...core.warning import warn
from ..device_mesh import DeviceMesh, _get_device_handle

__all__ = ["is_rng_supported_mesh", "manual_seed"]


def is_rng_supported_mesh(device_mesh: DeviceMesh) -> bool:
    """Whether torch draws alike on the devices of *device_mesh*; it warns where not."""
    handle = _get_device_handle(device_mesh.device_type)
    if handle is not None and hasattr(handle, "set_rng_state"):
        return True
    warn(
        "DTensor random operators may not have complete support on "
        f"{device_mesh.device_type} device mesh",
    )
    return False


def manual_seed(seed: int, device_mesh: DeviceMesh) -> None:
    """Seed the generators of this process; all processes of the mesh give the same *seed*.

    Raises RuntimeError on a process that is not in the mesh. On a mesh of the host it warns and
    does nothing, as torch's.
    """
    if not is_rng_supported_mesh(device_mesh):
        return
    if device_mesh.get_coordinate() is None:
        raise RuntimeError(
            "manual_seed requires the current rank to be a part of the device mesh otherwise "
            "DTensor RNG state on the rank will not be initialized and the behavior of DTensor "
            "random ops is undefined."
        )
    torch.manual_seed(seed)
