"""Dispatch keys of types of devices."""

from __future__ import annotations

from mindtorch_dispatch import DispatchKey, DispatchKeySet
from mindtorch_storage import Device

__all__ = ["backend_key"]


def backend_key(device_type: str | None) -> DispatchKey:
    """The key of a type of device; of None, of ``"default"``: of all that have no other kernel.

    Raises RuntimeError for a type of device that torch does not know.
    """
    if device_type is None or device_type == "default":
        return DispatchKey.CompositeExplicitAutograd
    kind = Device(device_type).type
    return DispatchKeySet.from_tensors((), device=kind).highest_priority_key()
