"""The methods of `UntypedStorage` that say where the bytes are, and take them elsewhere."""

from __future__ import annotations

import warnings
from typing import Self

from . import hooks, storage_errors
from .device import ACCELERATOR, CPU, CUDA, HPU, DeviceLike, as_device
from .memory import MAPPED, PINNED
from .storage_base import StoragePart


class Placement(StoragePart):
    """Devices, and pinned memory of the host."""

    __slots__ = ()

    def cpu(self) -> Self:
        """The storage itself if on the host, else a copy there."""
        if self.device.type == "cpu":
            return self
        return type(self)._empty(self.nbytes(), CPU).copy_(self)

    def to(self, *, device: DeviceLike, non_blocking: bool = False) -> Self:
        """The storage itself if on *device*, else a copy there."""
        where = as_device(device)
        if where.type == "cpu":
            return self.cpu()
        if self.device == where or (where.index is None and self.device.type == where.type):
            return self
        if where.type not in hooks.allocators:
            raise storage_errors.device_module_missing(where.type)
        return type(self)._empty(self.nbytes(), where).copy_(self, non_blocking)

    @property
    def is_cuda(self) -> bool:
        return self.device.type == CUDA

    @property
    def is_hpu(self) -> bool:
        return self.device.type == HPU

    def is_shared(self) -> bool:
        """Whether the memory is mapped, so other processes may see it; so is an accelerator's.

        As in torch, a private mapping of a file counts.
        """
        return self._origin in MAPPED or self.device.type == ACCELERATOR

    def is_pinned(self, device: DeviceLike | None = None) -> bool:
        """Whether an accelerator may read the memory without a copy."""
        if device is not None:
            as_device(device)
            self._warn_pin_device("is_pinned")
        if self._origin == PINNED:
            return True
        registered = hooks.is_registered
        return registered is not None and self.device.type == "cpu" and registered(self.data_ptr())

    @staticmethod
    def _warn_pin_device(name: str) -> None:
        text = storage_errors.pin_device_deprecated(name)
        warnings.warn(text, DeprecationWarning, stacklevel=3)

    def pin_memory(self, device: DeviceLike | None = None) -> Self:
        """The storage itself if pinned, else a pinned copy.

        Raises RuntimeError where there is no accelerator to pin for.
        """
        if self.device.type != "cpu":
            raise storage_errors.pin_not_host(self.torch_name)
        if device is not None:
            self._warn_pin_device("pin_memory")
            self._warn_pin_device("is_pinned")
        if device is not None and as_device(device).type != ACCELERATOR:
            raise storage_errors.accelerator_not_one(as_device(device).type)
        if not hooks.accelerator_is_available():
            raise storage_errors.accelerator_missing()
        if self._origin == PINNED:
            return self
        pinned = type(self)._empty(0, self.device)
        pinned._owner = hooks.pinned_bytes(self.nbytes())
        pinned._origin = PINNED
        return pinned.copy_(self)
