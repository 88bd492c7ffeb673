"""The methods of `UntypedStorage` by which processes share it, and by which it is told dead."""

from __future__ import annotations

import itertools
import weakref
from typing import Any, Self

from . import storage_errors
from .device import CPU, DeviceLike, as_device
from .memory import MADE_SHARED, SHARED, SHARED_FILE, Strategy
from .sharing import ByDescriptor, ByName, Mapped
from .storage_base import StoragePart

#: Numbers of storages, which look like addresses; none is ever given twice.
_numbers = itertools.count(0x5500_0000_0000, 0x40)
#: Number -> the storage, weakly, and how many weak references to it are held.
_weak: dict[int, list[Any]] = {}
_SHARED = (SHARED, MADE_SHARED)
_MANAGER = b"resource_tracker"


def _check_number(name: str, number: Any) -> None:
    """Raises RuntimeError for what no weak reference is."""
    if not isinstance(number, int):
        raise RuntimeError(f"{name}(): arg must be an 'int'")


class Sharing(StoragePart):
    """Sharing over processes, and weak references by number."""

    __slots__ = ("_file", "_number", "_origin", "_owner", "_shared_as")

    device: Any
    _file: str
    _number: int
    _origin: Any
    _owner: Any
    _shared_as: Mapped

    # ------------------------------------------------------------------ sharing

    def share_memory_(self) -> Self:
        """Move the bytes to memory that other processes may map; nothing if they are there.

        Raises RuntimeError for storages that are neither on the cpu nor on an accelerator.
        """
        if self.device.type not in ("cpu", "meta"):
            return self
        if Strategy.current == "file_system":
            self._share_filename_cpu_()
        else:
            self._share_fd_cpu_()
        return self

    def _share_fd_cpu_(self) -> tuple[int, int]:
        """Share by a descriptor: it and the number of bytes."""
        if self.device.type != "cpu":
            raise storage_errors.sharing_elsewhere("_share_fd_")
        if self._origin not in _SHARED:
            if self.is_shared():  # a mapped file
                return -1, self.nbytes()
            self._move_to(ByDescriptor.make(self.nbytes()))
        shared = self._shared_as
        return (-1, self.nbytes()) if shared.fd is None else (shared.fd, shared.size)

    def _share_filename_cpu_(self) -> tuple[bytes, bytes, int]:
        """Share by a name: who looks after it, the name and the number of bytes."""
        if self.device.type != "cpu":
            raise storage_errors.sharing_elsewhere("_share_filename_")
        if self._origin not in _SHARED or self._shared_as.name is None:
            self._move_to(ByName.make(self.nbytes()))
        shared = self._shared_as
        assert shared.name is not None
        return _MANAGER, shared.name.encode(), shared.size

    def _move_to(self, shared: Mapped) -> None:
        shared.fill(self._data())
        self._adopt(shared, SHARED)
        self._leave()

    def _adopt(self, shared: Mapped, origin: str) -> Self:
        self._exchange(shared.array)
        self._shared_as = shared
        self._origin = origin
        return self

    def _get_shared_fd(self) -> int:
        """The descriptor. Raises RuntimeError if the memory is not shared by one."""
        if self._origin in _SHARED and self._shared_as.fd is not None:
            return self._shared_as.fd
        raise storage_errors.no_shared_descriptor()

    def _get_filename(self) -> str | None:
        """The file that shared memory is mapped from, else None."""
        return self._file if self._origin is SHARED_FILE else None

    def _shared_incref(self) -> None:
        """Count one user more, for memory on its way to another process."""
        if self._origin in _SHARED:
            self._shared_as.count(1)

    def _shared_decref(self) -> Self:
        """Count one user less."""
        if self._origin in _SHARED:
            self._shared_as.count(-1)
        return self

    @classmethod
    def _new_shared(cls, size: int, *, device: DeviceLike = "cpu") -> Self:
        """A new storage in shared memory (on another device: an ordinary one)."""
        where = as_device(device)
        if where.type != "cpu":
            elsewhere: Self = cls._empty(size, where)
            return elsewhere
        if Strategy.current == "file_system":
            return cls._new_using_filename_cpu(size)
        return cls._new_using_fd_cpu(size)

    @classmethod
    def _new_using_fd_cpu(cls, size: int) -> Self:
        return cls._over(ByDescriptor.make(size))

    @classmethod
    def _new_using_filename_cpu(cls, size: int) -> Self:
        return cls._over(ByName.make(size))

    @classmethod
    def _new_shared_fd_cpu(cls, fd: int, size: int) -> Self:
        """The storage that another process shares by the descriptor *fd*, which is copied."""
        return cls._over(ByDescriptor.of(fd, size))

    @classmethod
    def _new_shared_filename_cpu(cls, manager: bytes, name: bytes, size: int) -> Self:
        """The storage that another process shares by a name."""
        return cls._over(ByName.of(bytes(name).decode(), size))

    @classmethod
    def _over(cls, shared: Mapped) -> Self:
        made: Self = cls._empty(0, CPU)
        return made._adopt(shared, MADE_SHARED)

    # ------------------------------------------------------------------ weak references

    @property
    def _cdata(self) -> int:
        """What identifies this storage: equal for two tensors exactly if they share memory."""
        try:
            return self._number
        except AttributeError:
            self._number = number = next(_numbers)
            return number

    def _weak_ref(self) -> int:
        """A weak reference to this storage: its number. `_free_weak_ref` gives it back."""
        number = self._cdata
        entry = _weak.setdefault(number, [weakref.ref(self), 0])
        entry[1] += 1
        return number

    @staticmethod
    def _free_weak_ref(number: int | None) -> None:
        """Give a weak reference back."""
        if number is None:
            return
        _check_number("_free_weak_ref", number)
        entry = _weak.get(number)
        if entry is not None:
            entry[1] -= 1
            if entry[1] <= 0:
                del _weak[number]

    @staticmethod
    def _expired(number: int) -> bool:
        """Whether the storage of a weak reference is gone."""
        _check_number("_expired", number)
        entry = _weak.get(number)
        return entry is None or entry[0]() is None

    @classmethod
    def _new_with_weak_ptr(cls, number: int) -> Any:
        """The storage of a weak reference; None if it is gone."""
        _check_number("_new_with_weak_ptr", number)
        entry = _weak.get(number)
        return None if entry is None else entry[0]()

    def _fix_weakref(self) -> None:
        """Nothing: weak references here cannot outlive what they refer to."""
