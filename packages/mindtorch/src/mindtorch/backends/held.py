"""Aliases of tensors on an NPU, which hold the device's memory until a storage is asked for.

Most tensors of a program live and die without anybody asking for their storage. So it is made when
it is asked for, as on the host, and until then the alias itself gives the memory back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_storage import Device, UntypedStorage

from ..state import Alias

__all__ = ["Held", "Lane", "lane_of", "lanes"]

_lock = threading.Lock()


class _Storage:
    """Makes the storage when it is read for the first time; afterwards the instance has it."""

    def __get__(self, alias: Any, owner: Any = None) -> Any:
        if alias is None:
            return None
        with _lock:
            if "storage" not in alias.__dict__:
                storage = UntypedStorage._from_array(alias.owner, alias.device)
                storage.block = npu_backend.Block(alias.place, alias.device.index)
                alias.place = alias.owner = None
                alias.storage = storage
        return alias.__dict__["storage"]


class Held(Alias):
    """See the module. A class for each device, with its ``device``."""

    __slots__ = ("owner", "place", "value")

    #: The array over the memory; None when there is a storage.
    owner: Any
    #: What the allocator gave; None when there is a storage, and for no bytes.
    place: Any
    storage: Any = _Storage()
    lane: Lane


#: How tensors on one device come by their memory: ``book(queue, nbytes)`` gives an alias that
#: holds memory for use on that stream; and the device's index. Equal for equal devices only.
Lane = tuple[Callable[[Any, int], Any], int]


def lane_of(device: Device) -> Lane:
    """The lane of a device; :data:`lanes` has those that were asked for."""
    found = lanes.get(device)
    if found is not None:
        return found
    memory = npu_backend.allocator(device.index)
    take = memory.take

    def release(alias: Held) -> None:
        place = alias.place
        if place is not None:
            place.allocator.give(place)

    members = {"__slots__": (), "device": device, "__del__": release}
    made: Any = type("Held", (Held,), members)

    def book(queue: Any, nbytes: int) -> Any:
        alias = _new(made)
        alias.place = take(nbytes, queue.handle) if nbytes else None
        alias.value = 0
        return alias

    found = lanes[device] = made.lane = book, device.index
    return found


_new = object.__new__
lanes: dict[Device, Lane] = {}
