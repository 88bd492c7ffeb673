"""Aliases of tensors on an NPU, which hold the device's memory until a storage is asked for.

Most tensors of a program live and die without anybody asking for their storage. So it is made when
it is asked for, as on the host, and until then the alias itself gives the memory back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_npu import runtime
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
                alias.__del__ = _nothing
                alias.place = alias.owner = None
                alias.storage = storage
        return alias.__dict__["storage"]


class Held(Alias):
    """See the module. A class for each device, with its ``device``.

    Note [Who gives it back]. When an alias dies, Python calls the attribute ``__del__`` of its
    class, which here is a slot: it holds the ``release`` of what the allocator gave. So no frame
    of Python runs when a tensor dies.
    """

    __slots__ = ("__del__", "lane", "owner", "place", "value")

    #: The array over the memory; None when there is a storage.
    owner: Any
    #: What the allocator gave; None when there is a storage, and for no bytes.
    place: Any
    storage: Any = _Storage()
    lane: Lane


#: How tensors on one device come by their memory: ``quick(nbytes)`` gives an alias for what runs at
#: once on the default stream, or None where that is busy; ``book(queue, nbytes)`` gives one that
#: holds memory for use on that stream; the device's index; and what waits on the default stream.
#: Equal for equal devices only.
Lane = tuple[Callable[[int], Any], Callable[[Any, int], Any], int, Any]


def lane_of(device: Device) -> Lane:
    """The lane of a device; :data:`lanes` has those that were asked for."""
    found = lanes.get(device)
    if found is not None:
        return found
    memory = npu_backend.allocator(device.index)
    queue = runtime.driver().queue(device.index, 0)
    late, cell, take, entries = memory.late, memory.cell, memory.take, queue.entries
    made: Any = type("Held", (Held,), {"__slots__": (), "device": device})

    def quick(nbytes: int) -> Any:
        if entries or strayed:
            return None
        alias = made()
        alias.lane = found
        alias.value = 0
        # Notes [Turns] and [Who holds the state] in the allocator's walk.py: from here on nothing
        # is called until all is done, not even ``len``: after a call another thread may run.
        try:
            (place,) = late
            step = cell[0].steps[place]
        except (ValueError, IndexError, KeyError):
            pass
        else:
            if step.again == nbytes:
                step.turns += 1
                del late[0]
                alias.place = place
                alias.__del__ = place.release
                return alias
        alias.place = place = take(nbytes) if nbytes else None
        alias.__del__ = _nothing if place is None else place.release
        return alias

    def book(queue: Any, nbytes: int) -> Any:
        alias = made()
        alias.lane = found
        alias.value = 0
        alias.place = place = take(nbytes, queue.handle) if nbytes else None
        alias.__del__ = _nothing if place is None else place.release
        return alias

    found = lanes[device] = quick, book, device.index, entries
    return found


_nothing = bool
strayed = runtime.strayed
lanes: dict[Device, Lane] = {}
