"""Aliases of tensors on an NPU, which hold the device's memory until a storage is asked for.

Most tensors of a program live and die without anybody asking for their storage. So it is made when
it is asked for, as on the host, and until then the alias itself gives the memory back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from sys import getrefcount
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_npu import runtime
from mindtorch_storage import Device, UntypedStorage

from ..state import Alias
from ..tensor import blank

__all__ = ["LITTLE", "Held", "Lane", "lane_of", "lanes"]

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
                alias.place = alias.owner = alias.state = None
                alias.storage = storage
                npu_backend.allocator(alias.device.index).kept[0] = None
        return alias.__dict__["storage"]


class Held(Alias):
    """See the module. A class for each device, with its ``device``.

    Note [Who gives it back]. When an alias dies, Python calls the attribute ``__del__`` of its
    class, which here is a slot: it holds the ``release`` of what the allocator gave. So no frame
    of Python runs when a tensor dies.

    Where ``gate.py`` in the package of the devices sees a use for it (Note [Used again]), the alias
    of a dead tensor is that of the next one.
    """

    __slots__ = (
        *("__del__", "claimed", "lane", "lent", "owner", "place", "state", "step"),
        *("touched", "value"),
    )

    #: The array over the memory; None when there is a storage.
    owner: Any
    #: What the allocator gave; None when there is a storage, and for no bytes.
    place: Any
    storage: Any = _Storage()
    lane: Lane
    #: The allocator's state, in which this step is the first of a turn; where it may be used again.
    state: Any
    step: Any


#: How tensors on one device come by their memory; see :func:`lane_of`. There are two for a device,
#: of tensors in little memory and of others. The last is empty where what a kernel makes of few
#: numbers may be made at once.
Lane = tuple[Callable[[Any, int], Any], Callable[[Any, int], Any], int, Any, Any, Any]

#: Memory of so many bytes is little.
LITTLE = 88


def lane_of(device: Device) -> Lane:
    """The lane of a device for tensors of any size; :data:`lanes` has those that were asked for.

    ``hold(out, sig)`` gives a tensor over an array that a kernel made at once; ``book(queue,
    nbytes)`` an alias that holds memory for use on that stream, without its array; the device's
    index; what waits on the default stream; and the same again for tensors in little memory only.
    """
    found = lanes.get(device)
    if found is not None:
        return found
    memory = npu_backend.allocator(device.index)
    entries = runtime.driver().queue(device.index, 0).entries
    late, cell, take = memory.late, memory.cell, memory.take
    kept, keep = memory.kept, memory.gate.keep
    made: Any = type("Held", (Held,), {"__slots__": (), "device": device})
    latest: list[Any] = [None, 0]  # the place that was held last, and how often in a row

    def hold(out: Any, sig: int) -> Any:
        r = blank()
        r._a = out
        r._sig = sig
        r._edge = r._state = None
        nbytes = out.nbytes
        # Notes [Turns] and [Who holds the state] in the allocator's walk.py: between a look and the
        # taking nothing is called, not even ``len``: after a call another thread may run.
        alias = kept[0]
        if alias is not None:
            kept[0] = None
            if getrefcount(alias) == ALONE:
                step = alias.step
                try:
                    if kept[1] and cell[0] is alias.state and step.again == nbytes and not late:
                        step.turns += 1
                        alias.value = 0
                        alias.claimed = alias.lent = alias.touched = False
                        alias.owner = out
                        r._shared = kept[0] = alias
                        return r
                except IndexError:
                    pass
        r._shared = alias = made()
        alias.value = 0
        alias.claimed = alias.lent = alias.touched = False
        alias.owner = out
        alias.lane = little if nbytes <= LITTLE else found
        alias.state = None
        if late:
            try:
                (place,) = late
                state = cell[0]
                step = state.steps[place]
            except (ValueError, IndexError, KeyError):
                pass
            else:
                if step.again == nbytes:
                    step.turns += 1
                    del late[0]
                    alias.place = place
                    alias.__del__ = place.release
                    if latest[0] is not place:
                        latest[0] = place
                        latest[1] = 0
                    elif latest[1] < _TIMES:
                        latest[1] += 1
                    else:
                        alias.state = state
                        alias.step = step
                        keep(alias)
                    return r
        alias.place = place = take(nbytes) if nbytes else None
        alias.__del__ = _nothing if place is None else place.release
        latest[0] = place
        latest[1] = 0
        return r

    def book(queue: Any, nbytes: int) -> Any:
        alias = made()
        alias.value = 0
        alias.claimed = alias.lent = alias.touched = False
        alias.lane = little if nbytes <= LITTLE else found
        alias.state = None
        alias.place = place = take(nbytes, queue.handle) if nbytes else None
        alias.__del__ = _nothing if place is None else place.release
        return alias

    little = hold, book, device.index, entries, entries, _BUSY
    found = lanes.setdefault(device, (hold, book, device.index, entries, _BUSY, _BUSY))
    return found


def _references() -> int:
    """How often an object is referred to that one name has, as the interpreter counts it."""
    own = object()
    return getrefcount(own)


_nothing = bool
ALONE = _references()
#: So often in a row the same memory is taken again before its alias is used again.
_TIMES = 3
_BUSY = (True,)
lanes: dict[Device, Lane] = {}
