"""Memory that processes share: by a file descriptor, or by a name; and which of them is in use.

Both survive their maker and are freed with their last user. A descriptor's memory has no name at
all. That of a name counts its users in its first bytes; should they die without a word, the
resource tracker of :mod:`multiprocessing` removes it when the last process of the family is gone.

Source of the rules: torch aten/src/ATen/MapAllocator.cpp and
torch/lib/libshm/core.cpp, which has a manager process in the tracker's place.
"""

from __future__ import annotations

import itertools
import mmap
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import numpy as np

from . import storage_errors
from .memory import Bytes

__all__ = ["ByDescriptor", "ByName", "Mapped", "named"]


class Mapped:
    """Shared memory: ``array`` are its bytes, and its kind has a descriptor or a name."""

    __slots__ = ("__weakref__", "array", "size")

    array: Bytes
    size: int
    fd: int | None = None
    name: str | None = None

    def count(self, more: int) -> None:
        """Count *more* users; memory on its way to another process is kept by one."""

    def fill(self, data: Bytes) -> None:
        """Copy *data*, as many bytes as there are."""
        self.array[:] = data


_NOTHING = np.empty(0, np.uint8)
_numbers = itertools.count(1)


def _fresh_name() -> str:
    return f"/torch_{os.getpid()}_{random.SystemRandom().getrandbits(32)}_{next(_numbers)}"


def _map(fd: int, size: int, name: str) -> mmap.mmap:
    try:
        return mmap.mmap(fd, size)
    except (OSError, ValueError) as error:
        raise storage_errors.file_unmappable(name, size, _reason(error)) from None


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror} ({error.errno})"
    return "Cannot allocate memory (12)"


def _anonymous(size: int) -> int:
    """A descriptor of new memory that has no name."""
    name = _fresh_name()
    try:
        if hasattr(os, "memfd_create"):
            fd = os.memfd_create(name[1:], os.MFD_CLOEXEC)
        else:
            fd = _named(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            _unlink(name)
    except OSError as error:
        raise storage_errors.shared_memory_unopenable(name, error) from None
    try:
        os.ftruncate(fd, size)
    except OSError as error:
        os.close(fd)
        raise storage_errors.shared_memory_not_resized(name, error) from None
    return fd


def _named(name: str, flags: int) -> int:
    from _posixshmem import shm_open  # type: ignore[import-not-found]  # not in the stubs

    return int(shm_open(name, flags, mode=0o600))


def _unlink(name: str) -> None:
    from _posixshmem import shm_unlink  # which not every system has

    shm_unlink(name)


class ByDescriptor(Mapped):
    """Memory of a file descriptor, which is kept open so that it can be sent to others."""

    __slots__ = ("fd",)
    fd: int

    @classmethod
    def make(cls, size: int) -> ByDescriptor:
        """New zeroed memory. Raises RuntimeError where there is no more, or no more descriptors."""
        return cls(_anonymous(size), size) if size else cls(-1, 0)

    @classmethod
    def of(cls, fd: int, size: int) -> ByDescriptor:
        """The memory of *fd*, which stays the caller's; it grows if it is too small."""
        try:
            own = os.dup(fd)
        except OSError:
            raise storage_errors.descriptor_not_duplicated() from None
        if os.fstat(own).st_size < size:
            os.ftruncate(own, size)
        return cls(own, size)

    def __init__(self, fd: int, size: int) -> None:
        self.fd, self.size = fd, size
        if size:
            self.array = np.frombuffer(_map(fd, size, "filename not specified"), np.uint8)
        else:
            self.array = _NOTHING

    def fill(self, data: Bytes) -> None:
        # Through the mapping the system would clear each page first, at its first touch.
        done = 0
        while done < self.size:
            done += os.pwrite(self.fd, data.data[done:], done)

    def __del__(self, close: Any = os.close) -> None:
        if getattr(self, "fd", -1) >= 0:
            close(self.fd)


#: Before the bytes: the number of users, and which resource tracker watches the name.
_HEADER = 64


class ByName(Mapped):
    """Memory of a name in the system's shared memory, with a count of its users."""

    __slots__ = ("_counts", "_finalizer", "name")
    name: str

    @classmethod
    def make(cls, size: int) -> ByName:
        """New zeroed memory under a fresh name. Raises RuntimeError where there is no more."""
        name = _fresh_name()
        try:
            fd = _named(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        except OSError as error:
            raise storage_errors.shared_memory_unopenable(name, error) from None
        try:
            os.ftruncate(fd, size + _HEADER)
            made = cls(name, fd, size)
        except OSError as error:
            _unlink(name)
            raise storage_errors.shared_memory_not_resized(name, error) from None
        finally:
            os.close(fd)
        made._counts[1] = _watch(name)
        return made

    @classmethod
    def of(cls, name: str, size: int) -> ByName:
        """The memory called *name*. Raises RuntimeError if there is none."""
        try:
            fd = _named(name, os.O_RDWR)
        except OSError as error:
            raise storage_errors.shared_memory_unopenable(name, error) from None
        try:
            return cls(name, fd, size)
        finally:
            os.close(fd)

    def __init__(self, name: str, fd: int, size: int) -> None:
        from multiprocessing.util import Finalize  # costly, and descriptors do without

        self.name, self.size = name, size
        mapped = _map(fd, size + _HEADER, name)
        whole = np.frombuffer(mapped, np.uint8)
        self.array = whole[_HEADER : _HEADER + size]
        self._counts = whole[:16].view(np.int64)
        self.count(1)
        # Runs with the last reference, else at the end of the process, and not in forked children:
        # what they have inherited was not counted.
        self._finalizer = Finalize(self, _release, (name, self._counts), exitpriority=0)
        _by_name.add(self)

    def count(self, more: int) -> None:
        _count(self.name, self._counts, more)

    def remove_name(self) -> None:
        """Whoever has the memory keeps it, and nobody else finds it."""
        self._finalizer.cancel()
        with _locked(self.name) as found:
            if found:
                _unlink(self.name)
                _unwatch(self.name, int(self._counts[1]))


_by_name: WeakSet[ByName] = WeakSet()


def named() -> list[ByName]:
    """The memory of a name that this process uses and counts for, each mapping of it."""
    return [memory for memory in list(_by_name) if memory._finalizer.still_active()]


@contextmanager
def _locked(name: str) -> Iterator[bool]:
    """Nobody else counts users of *name* meanwhile; False if the name is gone."""
    import fcntl  # which not every system has

    try:
        fd = _named(name, os.O_RDWR)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield True
    finally:
        os.close(fd)


def _count(name: str, counts: Any, more: int) -> None:
    with _locked(name) as found:
        if found:
            counts[0] += more


def _release(name: str, counts: Any) -> None:
    with _locked(name) as found:
        if not found:
            return
        counts[0] -= 1
        if counts[0] <= 0:
            _unlink(name)
            _unwatch(name, int(counts[1]))


def _watch(name: str) -> int:
    """Have the tracker remove *name* when all processes of the family are gone; its number."""
    from multiprocessing import resource_tracker  # costly, and descriptors do without

    resource_tracker.register(name, "shared_memory")
    return _tracker()


def _tracker() -> int:
    from multiprocessing import resource_tracker  # costly, and descriptors do without

    fd = resource_tracker.getfd()
    return 0 if fd is None else os.fstat(fd).st_ino


def _unwatch(name: str, tracker: int) -> None:
    from multiprocessing import resource_tracker  # costly, and descriptors do without

    if tracker and _tracker() == tracker:
        resource_tracker.unregister(name, "shared_memory")
