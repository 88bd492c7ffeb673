"""Copies between host and NPU and between NPUs: what waits, what is queued, where.

Rules are CUDA's: a copy runs on a stream of a device. From or to pinned memory with
``non_blocking`` the host goes on at once; from pageable memory the numbers are taken before the
call returns; everything else has finished when it returns. Between two devices the copy runs on the
source's current stream, after and before what the destination's current stream is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_npu import backend as npu_backend
from mindtorch_npu import faults, is_available, observer, sync_debug
from mindtorch_npu.dry_run import numbers_are_missing
from mindtorch_npu.pinned import host_allocator
from mindtorch_storage import Device, UntypedStorage

from ..call.row import Out
from ..core import signature as S
from ..core.copies import cast
from ..tensor import Tensor
from ..tensor.array_memory import address, empty_array, owner_of
from ..tensor.construction import wrap
from ..tensor.tensor_impl import Alias, alias_of
from .memory import allocate

__all__ = [
    "between",
    "into",
    "number",
    "pinned",
    "to_device",
    "to_host",
    "to_pinned",
    "wait",
    "within",
]


def _copy(target: Any, source: Any, device_index: int) -> None:
    if faults.copies:
        faults.delay_copy(device_index)
    np.copyto(target, cast(source, target.dtype))


def wait(device_index: int) -> None:
    """A copy that the host waits for: so for all that its stream was given before."""
    queue = npu_backend.current_queue(device_index)
    if observer.current is not None:
        observer.current.stream_synchronized(queue)
    queue.synchronize()


def is_pinned(t: Tensor) -> bool:
    """Whether the memory of a host tensor is pinned: by its allocator, or where it lay."""
    pinned = host_allocator.owns(address(owner_of(t._a_))) or host_allocator.covers(address(t._a_))
    return bool(pinned)


def _record_pinned(t: Tensor, device_index: int) -> None:
    host_allocator.record(address(owner_of(t._a_)), npu_backend.current_queue(device_index))


def to_device(t: Tensor, out: Out, device: Device, non_blocking: bool) -> Tensor:
    """A copy of a host tensor on an NPU."""
    made = allocate(tuple(out.shape), out.dtype.np, out.strides, device)
    index = device.index
    if not non_blocking:
        if sync_debug.mode:
            sync_debug.notice()
        if not npu_backend.DRY:
            _copy(made._a_, t._a_, index)
        wait(index)
        return made
    source = t._a_
    if is_pinned(t):
        _record_pinned(t, index)
    elif not npu_backend.DRY:  # which reads nothing, now or later
        source = source.copy("K")
    npu_backend.launch(index, "aten::_to_copy", _copy, (made._a_, source, index))
    return made


def to_host(t: Tensor, out: Out, non_blocking: bool) -> Tensor:
    """A copy of an NPU's tensor on the host; if *non_blocking* pinned, and there only later."""
    index = t.device.index
    if not non_blocking:
        npu_backend.wait_current(index)
        array = empty_array(tuple(out.shape), out.dtype.np, out.strides)
        if npu_backend.DRY:
            array.fill(0)
        else:
            _copy(array, t._a_, index)
        return wrap(array)
    made = _pinned(out)
    to_pinned(made, t)
    return made


def _pinned(out: Out) -> Tensor:
    span = empty_array(tuple(out.shape), out.dtype.np, out.strides)
    whole = host_allocator.allocate(owner_of(span).nbytes)
    array = np.ndarray(span.shape, span.dtype, whole, 0, span.strides) if span.size else span
    made = wrap(array)
    alias = made._shared_ = Alias()
    alias.value = 0
    alias.storage = UntypedStorage._pinned(whole if span.size else span)
    return made


def to_pinned(target: Tensor, source: Tensor) -> None:
    """Queue a copy into pinned memory on the current stream of *source*'s device."""
    index = source.device.index
    _record_pinned(target, index)
    if npu_backend.DRY:
        numbers_are_missing()
        target._a_.fill(0)
        return
    npu_backend.launch(index, "aten::copy_", _copy, (target._a_, source._a_, index))


def within(t: Tensor, out: Out, device: Device, non_blocking: bool) -> Tensor:
    """A copy on *device* of the tensor of another NPU."""
    made = allocate(tuple(out.shape), out.dtype.np, out.strides, device)
    between(made._a_, t._a_, device, t.device)
    return made


def between(target: Any, source: Any, device: Device, source_device: Device) -> None:
    """Queue a copy between two NPUs: memory to memory."""
    npu_backend.order_after(source_device.index, device.index)
    npu_backend.launch(
        source_device.index, "aten::copy_", _copy, (target, source, source_device.index)
    )
    npu_backend.order_after(device.index, source_device.index)


def into(
    target: Tensor, source: Tensor, non_blocking: bool, run: Callable[[Tensor], object]
) -> Tensor:
    """``target.copy_(source)``, of which one is on an NPU and the other on the host.

    :param run: runs the op with another source, which lies beside *target*.
    """
    here = staged(target, source, non_blocking)
    if here is not None:
        run(here)
        if here._sig_ & S.NPU and not non_blocking:
            wait(target.device.index)
    return target


def staged(target: Tensor, source: Tensor, non_blocking: bool) -> Tensor | None:
    """*source* as a kernel beside *target* may read it, for ``target.copy_(source)``.

    No memory of a device is booked for it. None: the copy was queued, nothing is left to do.
    """
    if target._sig_ & S.NPU:
        index = target.device.index
        if not non_blocking and sync_debug.mode:
            sync_debug.notice()
        array = source._a_
        if faults.copies:
            npu_backend.launch(index, "aten::copy_", faults.delay_copy, (index,))
        if non_blocking and is_pinned(source):
            _record_pinned(source, index)
        else:
            array = array.copy("K")
        return _beside(array, target.device)
    if non_blocking and is_pinned(target) and target._a_.shape == source._a_.shape:
        to_pinned(target, source)
        alias_of(target).value += 1
        return None
    npu_backend.wait_current(source.device.index)
    if faults.copies:
        faults.delay_copy(source.device.index)
    return wrap(source._a_)


def number(t: Tensor, device: Device) -> Tensor:
    """*t*, a number of the host, as a kernel on *device* takes it.

    As on CUDA it is an argument of the launch: nobody waits, and no memory of the device is booked.
    Source: torch aten/src/ATen/native/cuda/Loops.cuh, gpu_kernel_with_scalars.
    """
    return _beside(t._a_.copy(), device)


def _beside(array: Any, device: Device) -> Tensor:
    """A tensor of *device* over an array of the host, which kernels read."""
    made = wrap(array, S.NPU)
    alias = made._shared_ = Alias()
    alias.value = 0
    alias.storage = UntypedStorage._from_array(owner_of(array), device=device)
    return made


def pinned(made: Tensor) -> Tensor:
    """What a factory made, in pinned memory. Source: torch aten/src/ATen/EmptyTensor.cpp."""
    if made._sig_ & S.META:
        return made
    if not made._sig_ & S.CPU:
        raise RuntimeError("Only dense CPU tensors can be pinned")
    if not is_available():
        raise RuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory "
            "allocator is available on this system."
        )
    return made.pin_memory()
