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
from mindtorch_npu.steps import NO_LEAP
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

#: How tensors on one device come by their memory; see :func:`lane_of`. There are two for a device,
#: of tensors in little memory and of others. The fifth is empty where what a kernel makes of few
#: numbers may be made at once.
Lane = tuple[Callable[[Any, int], Any], Callable[[Any, int], Any], int, Any, Any, list[Any]]

#: Memory of so many bytes is little.
LITTLE = 88

#: A tensor over the array ``out``, which a kernel made at once, with the signature ``sig``. It is a
#: text, which ends functions: to call one for it would cost a tenth of a launch.
_HOLD = """
        r = blank()
        r._a = out
        r._sig = sig
        r._edge = r._state = None
        made, cell, late, take, little, large = own
        r._shared = alias = made()
        alias.value = 0
        alias.owner = out
        nbytes = out.nbytes
        alias.lane = little if nbytes <= LITTLE else large
        # Notes [Leaps] and [Who holds the state] in the allocator's walk.py: from the look to the
        # taking nothing is called, not even ``len``: after a call another thread may run.
        try:
            leap = cell[0].next
        except IndexError:  # somebody has the books
            leap = NO_LEAP
        if leap.key == nbytes and late == leap.late:
            del late[ALL]
            leap.count += 1
            leap.source.last = cell[0] = leap
            alias.__del__ = leap.release
            return r
        alias.__del__ = take(nbytes).release if nbytes else nothing
        return r
"""


def ending_in_hold(parameters: str, begin: str, **names: Any) -> Callable[..., Callable[..., Any]]:
    """A maker of functions whose text is *begin*, and then makes a tensor of what is ``out``.

    *begin* defines ``call``, which leaves ``out``, and ``own`` of its lane, or returns something
    else. The maker takes what it names besides, and ``sig``, as *parameters*; *names* are the same
    for all that it makes.
    """
    text = f"def make({parameters}):\n{begin.rstrip()}{_HOLD}\n    return call"
    names |= {"__name__": __name__, "ALL": ALL, "LITTLE": LITTLE, "NO_LEAP": NO_LEAP}
    names |= {"blank": blank, "nothing": _nothing, "strayed": runtime.strayed}
    exec(compile(text, "<launch>", "exec"), names)
    found: Callable[..., Callable[..., Any]] = names["make"]
    return found


_hold = ending_in_hold("own", "    def call(out, sig):")


def lane_of(device: Device) -> Lane:
    """The lane of a device for tensors of any size; :data:`lanes` has those that were asked for.

    ``hold(out, sig)`` gives a tensor over an array that a kernel made at once; ``book(queue,
    nbytes)`` an alias that holds memory for use on that stream, without its array; the device's
    index; what waits on the default stream; the same again for tensors in little memory only; and
    what :data:`_HOLD` needs.
    """
    found = lanes.get(device)
    if found is not None:
        return found
    memory = npu_backend.allocator(device.index)
    entries = runtime.driver().queue(device.index, 0).entries
    take = memory.take
    made: Any = type("Held", (Held,), {"__slots__": (), "device": device})

    def book(queue: Any, nbytes: int) -> Any:
        alias = made()
        alias.value = 0
        alias.lane = little if nbytes <= LITTLE else found
        alias.__del__ = take(nbytes, queue.handle).release if nbytes else _nothing
        return alias

    own: list[Any] = [made, memory.cell, memory.late, take]
    hold = _hold(own)
    little = hold, book, device.index, entries, entries, own
    found = lanes.setdefault(device, (hold, book, device.index, entries, _BUSY, own))
    own += little, found
    return found


_BUSY = (True,)
lanes: dict[Device, Lane] = {}
