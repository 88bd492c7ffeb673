"""Aliases of tensors on an NPU, which hold the device's memory until a storage is asked for.

Most tensors of a program live and die without anybody asking for their storage. So it is made when
it is asked for, as on the host, and until then the alias itself gives the memory back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_npu import runtime
from mindtorch_npu.shared_books import ALL
from mindtorch_storage import Device, UntypedStorage

from ..state import AnyAlias, Rare
from ..tensor import blank

__all__ = ["LITTLE", "Held", "Lane", "ending_in_hold", "lane_of", "lanes"]


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
            if release is not _nothing:
                place = release.args[0]
                block.data_ptr = place.address
                block.nbytes = place.nbytes
                alias.__del__ = _nothing
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


_nothing = bool

#: Memory of so many bytes is little: of 500 numbers of four bytes, for which numpy keeps the
#: interpreter's lock.
LITTLE = 2000


class Lane:
    """How tensors on one device come by their memory; see :func:`lane_of`.

    There are two for a device, of tensors in little memory and of others: most calls ask only
    whether their operands are little and on one device, which is whether they have one lane.
    """

    __slots__ = (
        *("book", "busy", "device", "hold", "index", "large", "little", "own", "queued", "take"),
    )

    #: ``hold(out, sig)`` gives a tensor over an array that a kernel made at once.
    hold: Callable[[Any, int], Any]
    little: Lane
    large: Lane
    #: Empty where what a kernel makes of few numbers may be made at once: what waits on the default
    #: stream, where all that has this lane is little.
    busy: Any

    def __init__(self, device: Device) -> None:
        memory = npu_backend.allocator(device.index)
        made: Any = type("Held", (Held,), {"__slots__": (), "device": device})
        self.device, self.index, self.take = device, device.index, memory.take
        #: What waits on the default stream.
        self.queued = runtime.driver().queue(device.index, 0).entries
        #: What :data:`_HOLD` needs.
        self.own = made, memory.walk, memory.deferred

        def book(queue: Any, nbytes: int) -> Any:
            """An alias that holds memory for use on that stream, without its array."""
            alias = made()
            alias.value = 0
            alias.lane = self.little if nbytes <= LITTLE else self.large
            alias.__del__ = memory.take(nbytes, queue.handle).release if nbytes else _nothing
            return alias

        self.book = book


#: A tensor over the array ``out``, which a kernel made at once, with the signature ``sig``. It is a
#: text, which ends functions: to call one for it would cost a tenth of a launch.
_HOLD = """
        r = blank()
        r._a = out
        r._sig = sig
        r._edge = r._state = None
        made, walk, deferred = lane.own
        r._shared = alias = made()
        alias.value = 0
        alias.owner = out
        alias.lane = lane
        # Notes [Leaps] and [Who holds the state] in the allocator's walk.py: from the look to the
        # taking nothing is called, not even ``len``: after a call another thread may run.
        leap = walk.last.next
        if leap.key != {nbytes} or deferred != leap.deferred:
            leap = leap.other
            if leap.key != {nbytes} or deferred != leap.deferred:
                alias.__del__ = lane.take({nbytes}).release if {nbytes} else nothing
                return r
            walk.last.next = leap
        del deferred[ALL]
        leap.count += 1.0
        walk.last = leap
        alias.__del__ = leap.release
        return r
"""

_SIZED = """
        nbytes = out.nbytes
        lane = lane.little if nbytes <= LITTLE else lane.large
"""


def ending_in_hold(
    parameters: str, begin: str, sized: str | None = None, **names: Any
) -> Callable[..., Callable[..., Any]]:
    """A maker of functions whose text is *begin*, and then makes a tensor of what is ``out``.

    *begin* defines ``call``, which leaves ``out`` and ``lane``, or returns something else. The lane
    is the result's own where *begin* says, as *sized*, how many bytes that has. The maker takes
    what it names besides, and ``sig``, as *parameters*; *names* are the same for all that it makes.
    """
    if sized is None:
        begin, sized = begin.rstrip() + _SIZED, "nbytes"
    end = _HOLD.format(nbytes=sized)
    text = f"def make({parameters}):\n{begin.rstrip()}{end}\n    return call"
    names |= {"__name__": __name__, "ALL": ALL, "LITTLE": LITTLE}
    names |= {"blank": blank, "nothing": _nothing, "strayed": runtime.strayed}
    exec(compile(text, "<launch>", "exec"), names)
    found: Callable[..., Callable[..., Any]] = names["make"]
    return found


_hold = ending_in_hold("any_lane", "    def call(out, sig):\n        lane = any_lane")


def lane_of(device: Device) -> Lane:
    """The lane of a device for tensors of any size; :data:`lanes` has those that were asked for."""
    found = lanes.get(device)
    if found is not None:
        return found
    little, large = Lane(device), Lane(device)
    little.busy, large.busy = little.queued, _BUSY
    for each in (little, large):
        each.little, each.large = little, large
        each.own = large.own
        each.hold = _hold(large)
        each.book = large.book
    return lanes.setdefault(device, large)


_BUSY = (True,)
lanes: dict[Device, Lane] = {}
