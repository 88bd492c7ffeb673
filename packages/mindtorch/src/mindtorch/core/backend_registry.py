"""Which backends there are: found by type of device, or by the bit of a signature.

What a backend is, is said in :mod:`mindtorch.backends.backend`, a layer above; the layers below
find here the one of a tensor or a device, and ask its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch.keys import AUTOGRAD_SHIFT, name_backend
from mindtorch_dispatch.keyset import DEVICE_BIT
from mindtorch_storage import Device, hooks
from mindtorch_storage.device import forget_device, name_device

from . import signature as S
from .key_sets import set_own_keys
from .missing_backends import missing_backend

__all__ = ["BACKENDS", "add_backend", "backend_at", "backend_of", "complete", "drop_backend"]

#: Type of device -> its backend.
BACKENDS: dict[str, Any] = {}
#: Bit of a signature -> its backend.
_BY_BIT: dict[int, Any] = {}
#: Called with a backend that was added, and with one that was dropped.
on_add: list[Callable[[Any], object]] = []
on_drop: list[Callable[[Any], object]] = []
#: Key -> the bit that its backend has; others get one of the bank.
_BITS = {K.CPU: S.CPU, K.PrivateUse1: S.NPU, K.Meta: S.META}


def add_backend(backend: Any) -> None:
    """Let tensors be on devices of the type ``backend.name``.

    Raises RuntimeError where the name or the key is another backend's, or no bit is left.
    """
    for other in BACKENDS.values():
        if backend.name == other.name or backend.key == other.key:
            raise RuntimeError(
                f"the backend '{other.name}' has the name or the key of '{backend.name}' already"
            )
    bit = _BITS.get(backend.key)
    if bit is None:
        name_backend(backend.key, backend.name)
        bit = next((b for b in S.PRIVATE_BITS if b not in _BY_BIT), None)
        if bit is None:
            raise RuntimeError(f"{len(_BY_BIT)} backends are all that a signature has bits for")
    _BY_BIT[bit] = BACKENDS[backend.name] = backend
    name_device(backend.name)
    S.DEVICE_BITS[backend.name] = bit
    DEVICE_BIT[backend.name] = int(backend.key)
    keys = backend.key | backend.key << AUTOGRAD_SHIFT | K.ADInplaceOrView
    set_own_keys(bit, keys if backend.autocast is None else keys | backend.autocast)
    if backend.allocator is not None:
        own = bit in S.PRIVATE_BITS  # others say themselves which devices there are not
        hooks.allocators[backend.name] = partial(_allocator, backend) if own else backend.allocator
    for listener in on_add:
        listener(backend)


def _allocator(backend: Any, device: Device) -> Any:
    """What gives the memory of *device*. Raises RuntimeError where there is no such device."""
    if device.index is not None and device.index >= backend.device_count():
        raise RuntimeError(f"{backend.name} error: invalid device ordinal")
    return backend.allocator(device)


def drop_backend(name: str) -> None:
    """Take a backend away, of which there are no tensors."""
    backend = BACKENDS.pop(name)
    bit = S.DEVICE_BITS.pop(name)
    _BY_BIT.pop(bit, None)
    set_own_keys(bit, None)
    DEVICE_BIT.pop(name, None)
    hooks.allocators.pop(name, None)
    forget_device(name)
    name_backend(backend.key, None)
    for listener in on_drop:
        listener(backend)


def backend_of(t: Any) -> Any:
    """The backend of a tensor."""
    return _BY_BIT[t._sig_ & S.BACKENDS]


def backend_at(device: Any) -> Any:
    """The backend of a device. Raises torch's error where there is none."""
    found = BACKENDS.get(device.type)
    if found is None:
        raise missing_backend(device.type)
    return found


def complete(device: Device) -> Device:
    """*device*, with the index of the current one where it has none and its backend counts them."""
    if device.index is None:
        backend = BACKENDS.get(device.type)
        if backend is not None and backend.current_device is not None:
            return _numbered(device.type, backend.current_device())
    return device


@cache
def _numbered(kind: str, index: int) -> Device:
    return Device(kind, index)
