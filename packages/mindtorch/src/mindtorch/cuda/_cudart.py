"""What ``torch.cuda.cudart()`` gives where ``cuda`` is the name of the simulated NPU.

The functions of CUDA's runtime that torch has bindings of, over the simulator: streams by their
handles, host memory that is pinned where it lies, and how much memory is free.
"""

from __future__ import annotations

import ctypes

import mindtorch_npu
from mindtorch_npu import streams
from mindtorch_npu.pinned import host_allocator
from mindtorch_storage import hooks

__all__ = [
    "cudaError",
    "cudaGetErrorString",
    "cudaHostRegister",
    "cudaHostUnregister",
    "cudaMemGetInfo",
    "cudaProfilerStart",
    "cudaProfilerStop",
    "cudaStreamCreate",
    "cudaStreamDestroy",
]


class cudaError(int):
    """A code of the runtime; 0 is ``success``."""

    success: cudaError


cudaError.success = _SUCCESS = cudaError(0)
_INVALID_VALUE = cudaError(1)
_ALREADY_REGISTERED = cudaError(712)
_NOT_REGISTERED = cudaError(713)

_TEXTS = {
    0: "no error",
    1: "invalid argument",
    2: "out of memory",
    3: "initialization error",
    4: "driver shutting down",
    98: "invalid device function",
    100: "no CUDA-capable device is detected",
    101: "invalid device ordinal",
    400: "invalid resource handle",
    600: "device not ready",
    700: "an illegal memory access was encountered",
    712: "part or all of the requested memory range is already mapped",
    713: "pointer does not correspond to a registered memory region",
    719: "unspecified launch failure",
    900: "operation not permitted when stream is capturing",
    901: "operation failed due to a previous error during capture",
}

#: The streams that a program made, by their handles.
_made: dict[int, streams.Stream] = {}


def cudaGetErrorString(error: int) -> str:
    """What a code says."""
    return _TEXTS.get(int(error), "unrecognized error code")


def cudaStreamCreate(stream: int) -> cudaError:
    """Make a stream of the current device; its handle is written to the address *stream*."""
    made = streams.Stream()
    ctypes.c_uint64.from_address(stream).value = made.npu_stream
    _made[made.npu_stream] = made
    return _SUCCESS


def cudaStreamDestroy(stream: int) -> cudaError:
    """Give back a stream by its handle; what it was given before still runs."""
    return _SUCCESS if _made.pop(stream, None) is not None else cudaError(400)


def cudaHostRegister(ptr: int, size: int, flags: int) -> cudaError:
    """Pin *size* bytes of the host's memory where they lie."""
    if size <= 0:
        return _INVALID_VALUE
    hooks.is_registered = host_allocator.covers
    return _SUCCESS if host_allocator.register(ptr, size) else _ALREADY_REGISTERED


def cudaHostUnregister(ptr: int) -> cudaError:
    """The memory at *ptr* is pinned no more."""
    return _SUCCESS if host_allocator.unregister(ptr) else _NOT_REGISTERED


def cudaMemGetInfo(device: int) -> tuple[int, int]:
    """The free bytes of a device, and all."""
    free, total = mindtorch_npu.memory.mem_get_info(device)
    return free, total


def cudaProfilerStart() -> cudaError:
    """There is no profiler of NVIDIA's that could begin."""
    return _SUCCESS


def cudaProfilerStop() -> cudaError:
    """Nor one that could end."""
    return _SUCCESS
