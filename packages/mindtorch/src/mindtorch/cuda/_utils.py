"""What the modules of ``torch.cuda`` share: indices of devices, stand-ins for what is not built."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.device import CUDA

from ..aten import torch


def _get_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> Any:
    """The index that *device* names; None for a device without one, where *optional*.

    Raises ValueError for a device of another type, and for one without an index.
    """
    if isinstance(device, int):
        return device
    device = torch.device(device) if isinstance(device, str) else device
    if isinstance(device, torch.device):
        wanted = (CUDA, "cpu") if allow_cpu else (CUDA,)
        if device.type not in wanted:
            what = " or ".join(wanted)
            raise ValueError(f"Expected a {what} device, but got: {device}")
        if device.type == "cpu":
            return -1
    index = getattr(device, "index", None)
    if index is None and not optional:
        raise ValueError(
            f"Expected a torch.device with a specified index or an integer, but got:{device}"
        )
    return index


def _dummy_type(name: str) -> type:
    """A class in the place of one that only a build with CUDA has: it has no objects."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"Tried to instantiate dummy base class {name}")

    return type(name, (object,), {"__init__": refuse, "__new__": refuse, "__module__": __name__})


def _check_cuda(result: int) -> None:
    """Raises RuntimeError for a code of the driver that is no success."""
    if result:
        _get_cuda_library()
        raise RuntimeError(f"CUDA error: {result}")


def _get_cuda_library() -> Any:
    """The driver's library. Raises OSError: it is not there."""
    import ctypes  # only who compiles kernels asks

    return ctypes.CDLL("libcuda.so.1")


def _check_cuda_bindings(result: Any) -> Any:
    """Raises RuntimeError: the bindings of CUDA are not there."""
    raise RuntimeError("cuda.bindings is not available")


def needs_cuda(*args: Any, **kwargs: Any) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    raise AssertionError("Torch not compiled with CUDA enabled")
