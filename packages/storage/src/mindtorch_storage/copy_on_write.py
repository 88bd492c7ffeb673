"""Storages that are copies of one another and have one memory until one of them is written.

Source of the rules: torch c10/core/impl/COW.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from weakref import WeakSet

from . import storage_errors
from .memory import LENT, ORDINARY
from .storage_base import StoragePart

if TYPE_CHECKING:
    import numpy as np


class CopyOnWrite(StoragePart):
    """Lazy copies of a storage. ``_together``: all that still have the same memory, or None."""

    __slots__ = ("__dict__",)

    _together: WeakSet[Any] | None = None
    #: Where the memory lay before it was moved; whoever has told the tensors over it sets None.
    _moved_from: int | None = None
    _origin: Any
    _owner: np.ndarray[Any, Any] | None
    block: Any
    device: Any

    def _copy_lazily(self) -> Self:
        """A copy, which has memory of its own as soon as one of both is written.

        Raises RuntimeError for memory that is not this storage's alone (mapped, borrowed, part of
        another's).
        """
        together = self._together
        if together is None:
            if self._origin is not ORDINARY and self._origin is not LENT:
                raise storage_errors.lazy_copy_refused()
            together = self._together = WeakSet((self,))
        made: Self = object.__new__(type(self))
        made.device, made.pending, made.block = self.device, None, self.block
        made._owner, made._origin = self._owner, self._origin
        if self._owner is None:
            made._meta_nbytes = self._meta_nbytes
        made._together = together
        together.add(made)
        return made

    def _separate(self) -> None:
        """Before a write: give this storage memory of its own, if it still shares a copy's."""
        together = self._together
        if together is None:
            return
        together.discard(self)
        self._together = None
        if together and self._owner is not None:
            old = self._data()
            fresh = type(self)._empty(old.size, self.device)
            owner: Any = fresh._owner
            owner[:] = old
            self.block = fresh.block
            self._exchange(owner)
        self._leave()

    def _exchange(self, owner: np.ndarray[Any, Any] | None) -> None:
        """Put other memory in the place of this storage's, of which the address is kept."""
        old = self._owner
        self._moved_from = None if old is None else old.__array_interface__["data"][0]
        self._owner = owner

    def _swap_data_ptr_(self, other: Any, /) -> None:
        """Exchange the memory of two storages; tensors over either see the other's.

        Raises RuntimeError for no storage, and unless both have ordinary memory on one device.
        """
        if not isinstance(other, type(self)):
            name = getattr(type(other), "torch_name", type(other).__name__)
            raise RuntimeError(f"_swap_data_ptr_ expects an UntypedStorage, but got {name}")
        if other is self:
            return
        if self.device != other.device:
            raise RuntimeError(
                "_swap_data_ptr_: storages must be on the same device, got "
                f"{self.device} and {other.device}"
            )
        for storage in (self, other):
            storage._separate()
            if storage._origin is not ORDINARY or storage._owner is None:
                raise RuntimeError("_swap_data_ptr_: only memory that nobody else has is swapped")
        self._data()
        other._data()
        one, two = self._owner, other._owner
        self._exchange(two)
        other._exchange(one)
        self.block, other.block = other.block, self.block
        for storage in (self, other):
            storage._tell_moved()

    def _leave(self) -> None:
        """Not a lazy copy any more: tensors over it are told."""
        together = self._together
        if together is not None:
            together.discard(self)
            self._together = None
        self._tell_moved()

    def _writable(self) -> Any:
        """All bytes, to be changed."""
        if self._together is not None:
            self._separate()
        return self._data()
