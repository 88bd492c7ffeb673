"""Aliases of tensors on an NPU, which hold the device's memory until a storage is asked for.

Most tensors of a program live and die without anybody asking for their storage. So it is made when
it is asked for, as on the host, and until then the alias itself gives the memory back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from gc import is_finalized
from threading import RLock
from typing import Any, NamedTuple

from mindtorch_npu import backend as npu_backend
from mindtorch_npu.known_request import cells_of, taking
from mindtorch_storage import Device, UntypedStorage

from ..call import code
from ..tensor.tensor_impl import AnyAlias, Rare

__all__ = ["Held", "Holder", "holder", "holding"]

#: One thread at a time makes what few aliases have; a finalizer may come in between.
_making = RLock()
#: What gives no memory back.
nothing: Callable[[], object] = bool


def _rare(alias: Any) -> Rare:
    if alias.owner.__class__ is not Rare:
        with _making:
            if alias.owner.__class__ is not Rare:
                alias.owner = Rare(alias.owner)
    found: Rare = alias.owner
    return found


class _Storage:
    """Makes the storage when it is read for the first time."""

    def __get__(self, alias: Any, owner: Any = None) -> Any:
        if alias is None:
            return None
        rare = _rare(alias)
        if rare.storage is None:
            with _making:
                if rare.storage is None:
                    _hand_over(alias, rare)
        return rare.storage

    def __set__(self, alias: Any, storage: Any) -> None:
        _rare(alias).storage = storage


def _hand_over(alias: Any, rare: Rare) -> None:
    """Make the storage, which gives the memory back from now on."""
    storage = UntypedStorage._from_array(rare.owner, alias.device)
    storage.block = block = npu_backend.Block(alias.device.index)
    release = alias.__del__
    # The collector finalizes what it finds, and who looks at it (DEBUG_SAVEALL) may keep it.
    is_given_back = is_finalized(alias)
    # Nothing is called from here on, so Ctrl-C never finds two who give the memory back.
    if release is not nothing:
        place = release.args[0]
        block.data_ptr = place.address
        block.nbytes = place.nbytes
        alias.__del__ = nothing
        if not is_given_back:
            block.place = place
            block.__del__ = release
    rare.storage = storage
    rare.owner = None


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

    __slots__ = ("__del__", "claimed", "owner", "value")

    #: The array over the memory, or :class:`Rare`, which has it.
    owner: Any
    storage: Any = _Storage()
    known_storage: Any = _seldom("storage")
    touched: Any = _seldom("touched")
    lent: Any = _seldom("lent")


class Holder(NamedTuple):
    """What holds memory of one device."""

    #: What the lines of :func:`holding` name.
    cells: dict[str, Any]
    #: ``hold(queue, nbytes, array)``: these lines as a function, which gives the alias.
    hold: Callable[..., Any]


#: By device.
_holders: dict[Device, Holder] = {}


def holder(device: Device) -> Holder:
    """What holds memory of *device*. Raises AcceleratorError where there is no such."""
    found = _holders.get(device)
    if found is not None:
        return found
    made: Any = type("Held", (Held,), {"__slots__": (), "device": device})
    cells = cells_of(npu_backend.allocator(device.index)) | {"held": made, "nothing": nothing}
    lines = ["if nbytes:", *_inner(holding("array", "nbytes"))]
    lines += ["else:", *_inner(holding("array", "")), "return alias"]
    text = ["def hold(queue, nbytes, array=None):", *_inner(lines), "return hold"]
    return _holders.setdefault(device, Holder(cells, code.function("\n".join(text), cells)))


def holding(array: str, nbytes: str) -> list[str]:
    """Lines that make the ``alias`` of *array*, in *nbytes* of memory for the stream ``queue``.

    :param nbytes: the name of a number, which is not 0; empty where nothing is to be taken.
    """
    return [
        "alias = held()",
        "alias.value = 0",
        "alias.claimed = False",
        f"alias.owner = {array}",
        *(taking("alias.__del__", nbytes) if nbytes else ["alias.__del__ = nothing"]),
    ]


def _inner(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]
