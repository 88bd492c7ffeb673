"""The backends that there are from the start: the host, the NPU, and meta, which has no memory."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import mindtorch_npu as npu_runtime
from mindtorch_dispatch import DispatchKey as K
from mindtorch_npu import backend as npu_backend
from mindtorch_npu import observer
from mindtorch_npu import random as npu_random
from mindtorch_npu.aside import aside
from mindtorch_npu.call_site import call_site
from mindtorch_storage import ACCELERATOR, Device, HostAllocator

from ..call.row import Out
from . import copies
from .backend import BACKENDS, Backend, add_backend
from .cpu import cpu
from .deferral import OnStream
from .memory import adopt, allocate
from .meta import meta
from .npu import npu, run

__all__ = ["BACKENDS", "CPU", "META", "NPU"]


class _NpuAllocator:
    """An NPU's memory, for storages."""

    __slots__ = ("index",)

    def __init__(self, device: Any) -> None:
        self.index = device.index

    def allocate(self, nbytes: int) -> Any:
        """A block that the current stream uses."""
        return npu_backend.allocate(nbytes, self.index)


def _empty(out: Out, device: Device) -> Any:
    return allocate(tuple(out.shape), out.dtype.np, out.strides, device)


def _wait(device: Any) -> None:
    npu_backend.wait_current(device.index)


def _before_bytes(storage: Any) -> None:
    if npu_backend.HARDWARE:
        raise RuntimeError(
            "the bytes of a storage on real hardware are not read by the host; use a tensor over it"
        )
    index = storage.device.index
    if observer.current is not None:
        queue = npu_backend.current_queue(index)
        observer.current.host_reads(storage.block.data_ptr, queue, call_site(2))
    npu_backend.wait_current(index)


def _synchronize(device: Any) -> None:
    if npu_runtime.is_initialized():
        npu_runtime.synchronize(device)


CPU = Backend(
    name="cpu",
    key=K.CPU,
    allocator=lambda device: HostAllocator(),
    kernel=cpu,
    current_device=None,
    numbers=None,  # the host's generators are of another kind
    autocast=K.AutocastCPU,
)
META = Backend(
    name="meta",
    key=K.Meta,
    memory=False,
    kernel=meta,
    current_device=None,
    numbers=None,
)


def _aside(device: Device) -> AbstractContextManager[None] | None:
    return None if npu_backend.DRY else aside(device.index)


def _npu() -> Backend:
    """The accelerator: simulated, or real hardware that a driver of torch's shape serves."""
    of_the_kind: dict[str, Any] = {
        "run": run,
        "kernel": npu,
        "copies": copies,
        "adopt": adopt,
        "aside": _aside,
    }
    if npu_backend.HARDWARE:
        from . import hardware  # loads torch

        of_the_kind = {
            "kernel": hardware.hardware,
            "adopt": hardware.adopt,
            "copies": hardware,
            "read": hardware.read,
            "run": hardware.run,
            "numbers": hardware.numbers,
            "fused_kernels": False,  # not every driver's torch has them
        }
    return Backend(
        name=ACCELERATOR,
        key=K.PrivateUse1,
        allocator=_NpuAllocator,
        empty=_empty,
        recorded=OnStream,
        wait=_wait,
        before_bytes=_before_bytes,
        synchronize=_synchronize,
        device_count=npu_runtime.device_count,
        current_device=npu_runtime.current_device,
        record_stream=npu_backend.record_stream,
        generator=npu_random._get_generator,
        autocast=K.AutocastPrivateUse1,
        **of_the_kind,
    )


NPU = _npu()
for _backend in (CPU, NPU, META):
    add_backend(_backend)
