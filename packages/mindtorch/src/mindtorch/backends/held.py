"""Aliases of tensors on an NPU, which hold the device's memory until a storage is asked for.

Most tensors of a program live and die without anybody asking for their storage. So it is made when
it is asked for, as on the host, and until then the alias itself gives the memory back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_npu import runtime, thread_state
from mindtorch_storage import Device, UntypedStorage

from ..tensor.tensor_impl import AnyAlias, Rare
from .launch_text import LITTLE, MEDIUM, nothing, written

__all__ = ["Held", "Lane", "lane_of", "lanes"]


def _rare(alias: Any) -> Rare:
    made = Rare(alias.owner)
    # Looked at and written without a call in between: of two threads one makes it.
    if alias.owner.__class__ is not Rare:
        alias.owner = made
    found: Rare = alias.owner
    return found


class _Storage:
    """Makes the storage when it is read for the first time."""

    def __get__(self, alias: Any, owner: Any = None) -> Any:
        if alias is None:
            return None
        rare = alias.owner if alias.owner.__class__ is Rare else _rare(alias)
        array = rare.owner
        if rare.storage is not None:
            return rare.storage
        storage = UntypedStorage._from_array(array, alias.device)
        storage.block = block = npu_backend.Block(alias.device.index)
        # From here on nothing is called: no other thread makes one too, and neither it nor Ctrl-C
        # ever finds two who give the memory back.
        if rare.storage is None:
            release = alias.__del__
            if release is not nothing:
                place = release.args[0]
                block.data_ptr = place.address
                block.nbytes = place.nbytes
                alias.__del__ = nothing
                block.place = place
                block.__del__ = release
            rare.storage = storage
            rare.owner = None
        return rare.storage

    def __set__(self, alias: Any, storage: Any) -> None:
        _rare(alias).storage = storage


def _seldom(name: str) -> property:
    """An attribute that few aliases have."""

    def get(alias: Any) -> Any:
        return getattr(alias.owner if type(alias.owner) is Rare else Rare, name)

    def put(alias: Any, value: Any) -> None:
        setattr(_rare(alias), name, value)

    return property(get, put)


class Held(AnyAlias):
    """See the module. A class for each device, with its ``device``.

    One is made for nearly every result. So it has no dictionary, and few slots.

    Note [Who gives it back]. When an alias dies, Python calls the attribute ``__del__`` of its
    class, which here is a slot: it holds the ``release`` of what the allocator gave, whose argument
    is the place. So no frame of Python runs when a tensor dies.
    """

    __slots__ = ("__del__", "lane", "owner", "value")

    #: The array over the memory, or :class:`Rare`, which has it.
    owner: Any
    lane: Lane
    storage: Any = _Storage()
    known_storage: Any = _seldom("storage")
    touched, claimed, lent = map(_seldom, ("touched", "claimed", "lent"))  # type: ignore[assignment]


class Lane:
    """How tensors on one device come by their memory; see :func:`lane_of`.

    There are three for a device, of tensors in little memory, in more, and in much: most calls ask
    only whether their operands are little and on one device, which is whether they have one lane.
    """

    __slots__ = (
        *("book", "busy", "device", "gate", "here", "hold", "hold_on", "index", "large", "little"),
        *("medium", "near", "next", "own", "queue", "queued", "take", "waits"),
    )

    #: ``hold(out, sig)`` gives a tensor over an array that a kernel made at once, on the default
    #: stream; ``hold_on(queue, out, sig)`` on any.
    hold: Callable[[Any, int], Any]
    hold_on: Callable[[Any, Any, int], Any]
    book: Callable[[Any, int], Any]
    take: Callable[..., Any]
    device: Device
    index: int
    little: Lane
    medium: Lane
    large: Lane
    #: Empty while a kernel may run at once on the default stream: what waits there, unless some
    #: thread has strayed.
    gate: Any
    #: The same where it is not much that has this lane: what a kernel makes of that is made at once
    #: while the stream is held.
    waits: Any
    #: The same where it is little: not even that is needed.
    busy: Any
    #: ``here.queue`` is this thread's current stream; ``near.queue`` where it is not much that has
    #: this lane, and ``next.queue`` where it is little, else a stream that is always busy.
    here: Any
    near: Any
    next: Any
    #: The default stream, and what waits there.
    queue: Any
    queued: Any
    #: What HOLD needs.
    own: tuple[Any, Any, Any]


_hold = written(
    "any_lane",
    """
    def call(out, sig):
        lane = any_lane
        SIZE
        HOLD
    """,
)
_hold_on = written(
    "any_lane",
    """
    def call(queue, out, sig):
        lane = any_lane
        SIZE
        HOLD_ON
    """,
)


def lane_of(device: Device) -> Lane:
    """The lane of a device for tensors of any size; :data:`lanes` has those that were asked for."""
    found = lanes.get(device)
    if found is not None:
        return found
    memory = npu_backend.allocator(device.index)
    queue: Any = runtime.driver().queue(device.index, 0)
    made: Any = type("Held", (Held,), {"__slots__": (), "device": device})
    here = thread_state.places_of_queues()[device.index]
    little, medium, large = three = Lane(), Lane(), Lane()

    def book(queue: Any, nbytes: int) -> Any:
        """An alias that holds memory for use on that stream, without its array."""
        alias = made()
        alias.value = 0
        alias.lane = little if nbytes <= LITTLE else medium if nbytes <= MEDIUM else large
        alias.__del__ = memory.take(nbytes, queue.handle).release if nbytes else nothing
        return alias

    for each in three:
        each.little, each.medium, each.large = three
        each.device, each.index, each.take = device, device.index, memory.take
        each.queue, each.queued = queue, queue.entries
        each.own = made, memory.walk, memory.deferred
        each.here = here
        each.near = _nowhere if each is large else here
        each.next = here if each is little else _nowhere
        each.gate = each.waits = each.busy = _BUSY
        each.book, each.hold, each.hold_on = book, _hold[0](large), _hold_on[0](large)
    found = lanes.setdefault(device, large)
    thread_state.tell_strayed()
    return found


_BUSY = (True,)


class _Nowhere:
    """A place of a current stream, and the stream, which is always busy."""

    __slots__ = ("busy", "queue")

    def __init__(self) -> None:
        self.queue = self
        self.busy = _BUSY


_nowhere = _Nowhere()


lanes: dict[Device, Lane] = {}


def _open_or_close(strayed: bool) -> None:
    """Let launches ask which stream is current, or no longer."""
    for large in tuple(lanes.values()):  # another thread may come to a new device
        medium, little = large.medium, large.little
        # Nothing is called after the look: a signal's handler may have strayed meanwhile.
        if strayed or thread_state.strayed:
            large.gate = medium.gate = little.gate = _BUSY
            medium.waits = little.waits = _BUSY
            little.busy = _BUSY
        else:  # in this order: nothing that is little ever looks medium
            little.busy = little.queued
            medium.waits = little.waits = little.queued
            large.gate = medium.gate = little.gate = little.queued


thread_state.on_stray = _open_or_close
