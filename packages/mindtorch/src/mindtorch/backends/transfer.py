"""Copies between devices: the one place where memory of two backends meets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import current_pipeline

from ..call.dispatch_entry import Call
from ..call.fragments import telling
from ..call.overload import Overload
from ..call.row import Out
from ..call.specialize import BUILDERS, boxed
from ..core import signature as S
from ..core.backend_registry import BACKENDS, backend_of
from ..core.copies import copy_strides
from ..core.missing_backends import missing_backend
from ..core.warning import warn_discarded
from .backend import Backend
from .meta import fresh
from .notices import loses

__all__ = ["transfer", "transfer_kernel"]


def transfer_kernel(backend: Backend) -> Callable[..., Any]:
    """What *backend* has for ops that may give a tensor on another device."""

    builder = BUILDERS.get(backend.kernel)

    def stays(self: Any, device: Any) -> bool:
        return device is None or device == self.device

    def build(overload: Overload, sig: int, mask: int) -> Call:
        here = None if builder is None else builder(overload, sig, mask)

        def call(self: Any, *options: Any) -> Any:
            device = options[2]
            if stays(self, device):
                if here is not None:
                    return here(self, *options)
                device = self.device
            return transfer(self, options[0], device, options[5], options[4])

        prepare = getattr(here, "prepare", None)
        if prepare is None:
            return call
        return telling(
            call, prepare=lambda args: prepare(args) if stays(args[0], args[3]) else None
        )

    build.__name__ = f"transfer_from_{backend.name}"
    return boxed(build)


def transfer(
    t: Any, dtype: Any, device: Any, memory_format: Any, non_blocking: bool = False
) -> Any:
    """A copy of *t* on *device* (and in *dtype*). Waits for whatever has still to write *t*.

    From one accelerator to another of a different kind it goes by way of the host.
    """
    out = Out(tuple(t._a_.shape), dtype or t.dtype, copy_strides(t, memory_format))
    target = BACKENDS.get(device.type)
    if target is not None and not target.memory:
        return fresh(out)
    if loses(t, dtype):
        warn_discarded()
    if target is None:
        raise _not_linked(device.type)
    source = backend_of(t)
    if not source.memory:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    pipe = current_pipeline()
    if pipe is not None:
        pipe.flush()
    t._settle_()
    if source is target:
        return source.copies.within(t, out, device, non_blocking)
    to_host = S.DEVICE_BITS[target.name] == S.CPU
    if not t._sig_ & S.CPU:
        t = source.copies.to_host(t, out, non_blocking and to_host)
    return t if to_host else target.copies.to_device(t, out, device, non_blocking)


def _not_linked(kind: str) -> Exception:
    """The error for a device that nothing here has the memory of."""
    error = missing_backend(kind)
    if isinstance(error, NotImplementedError):
        return RuntimeError(f"PyTorch is not linked with support for {kind} devices")
    return error
