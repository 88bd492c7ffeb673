"""Copies between devices: the one place where memory of two backends meets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_dispatch import current_pipeline
from mindtorch_npu import backend as npu_backend

from ..call.arguments import device_bit
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.row import Out
from ..call.specialize import Builder, boxed
from ..core import signature as S
from ..core.copies import cast, copy_strides
from ..core.warning import warn_discarded
from ..tensor.array_memory import empty_array
from ..tensor.construction import wrap
from .copies import between, from_device, to_device
from .cpu import build_cpu
from .memory import allocate
from .meta import build_meta, fresh
from .notices import loses
from .npu import build_npu

#: Type of device -> what makes a copy there, for devices that are not mindtorch's own.
elsewhere: dict[str, Callable[[Any, Out, Any], Any]] = {}


def _with_transfer(build: Builder) -> Builder:
    def builder(overload: Overload, sig: int, mask: int) -> Call:
        here = build(overload, sig, mask)

        def call(self: Any, *options: Any) -> Any:
            device = options[2]
            if device is None or device == self.device:
                return here(self, *options)
            return transfer(self, options[0], device, options[5], options[4])

        return call

    builder.__name__ = f"build_transfer_from_{build.__name__.removeprefix('build_')}"
    return builder


def transfer(
    t: Any, dtype: Any, device: Any, memory_format: Any, non_blocking: bool = False
) -> Any:
    """A copy of *t* on *device* (and in *dtype*). Waits for whatever has still to write *t*."""
    out = Out(tuple(t._a.shape), dtype or t.dtype, copy_strides(t, memory_format))
    if device.type == "meta":
        return fresh(out)
    if loses(t, dtype):
        warn_discarded()
    place = elsewhere.get(device.type)
    if place is not None:
        return place(t, out, device)
    _check_backend(device)
    if t._sig & S.META:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    pipe = current_pipeline()
    if pipe is not None:
        pipe.flush()
    t._settle()
    if npu_backend.HARDWARE:
        return _hardware(t, out, device, non_blocking)
    if not t._sig & S.NPU:
        return to_device(t, out, device, non_blocking)
    if device.type == "cpu":
        return from_device(t, out, non_blocking)
    made = allocate(out.shape, out.dtype.np, out.strides, device)
    between(made._a, t._a, device, t.device)
    return made


def _check_backend(device: Any) -> None:
    """Raises AssertionError or RuntimeError for a device that nothing here has the memory of."""
    try:
        device_bit(device)
    except NotImplementedError:
        kind = device.type
        raise RuntimeError(f"PyTorch is not linked with support for {kind} devices") from None


def _hardware(t: Any, out: Out, device: Any, non_blocking: bool) -> Any:
    from .hardware import read, to_hardware  # loads torch

    if device.type != "cpu":
        return to_hardware(t, out, device, non_blocking)
    array = empty_array(tuple(out.shape), out.dtype.np, out.strides)
    np.copyto(array, cast(read(t), array.dtype))
    return wrap(array)


transfer_cpu = boxed(_with_transfer(build_cpu))
transfer_npu = boxed(_with_transfer(build_npu))
transfer_meta = boxed(_with_transfer(build_meta))
