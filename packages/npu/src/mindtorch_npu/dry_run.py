"""Dry mode: kernels are not run and memory is only booked.

With ``MINDTORCH_NPU_MODE=dry`` a program that needs far more memory than this machine has runs
through in the time that its launches take. Its tensors lie in reserved address space whose pages
are never touched, so every number that is read is 0.
"""

from __future__ import annotations

import mmap
import sys
import warnings
from typing import Any

from mindtorch_npu.arenas import arena_of
from mindtorch_npu.block import Block
from mindtorch_npu.call_site import call_site, line_of
from mindtorch_npu.captures import Capture, Point, check_safe, underway
from mindtorch_npu.completion import BUSY

__all__ = ["DryQueue", "address_space", "numbers_are_missing", "reserved_space"]


_TERABYTE = 1 << 40
#: Linux's number, which Python has from 3.12 on: without it no more can be reserved than there is.
_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
_space: mmap.mmap | None = None
_span = 0


def address_space(block: Block) -> tuple[mmap.mmap, int]:
    """Where the bytes of *block* would be: the reserved space, and an offset in it."""
    global _space, _span
    if _space is None:
        _space, _span = _reserve()
    room = _span - block.nbytes
    if room < 0:
        raise RuntimeError(f"dry mode has no address space for {block.nbytes} bytes")
    return _space, block.data_ptr % max(room - room % 512, 512)


def reserved_space(nbytes: int) -> mmap.mmap:
    """Address space of that many bytes, zeros that take memory when they are written.

    Raises MemoryError where the system has none.
    """
    try:
        return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)
    except (OSError, ValueError) as error:
        raise MemoryError(f"no address space for {nbytes} bytes") from error


def _reserve() -> tuple[mmap.mmap, int]:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
    size = 16 * _TERABYTE
    while True:
        try:
            return mmap.mmap(-1, size, flags=flags), size
        except (OSError, ValueError):
            if size <= _TERABYTE // 64:
                raise
            size //= 2


_warned = False


def numbers_are_missing() -> None:
    """The program reads a number: say once that all of them are 0."""
    global _warned
    if not _warned:
        _warned = True
        text = "dry mode computes nothing: every number that is read from an NPU is 0"
        site = call_site(2)
        if site is None:
            warnings.warn(text, UserWarning, stacklevel=4)
        else:
            code, offset = site
            warnings.warn_explicit(text, UserWarning, code.co_filename, line_of(code, offset))


class DryQueue:
    """A stream on which nothing runs. It has always finished."""

    __slots__ = (
        *("_done", "arena", "captured_by", "device_index", "error", "handle", "label"),
        "stream_id",
    )

    special = False
    entries = ()

    def __init__(self, device_index: int, stream_id: int, handle: int, *, label: str) -> None:
        self.device_index = device_index
        self.stream_id = stream_id
        self.handle = handle
        self.label = label
        self.error: BaseException | None = None
        self.captured_by: Capture | None = None  # see capturing_queues.py
        self._done: list[Any] = [None, None, "", None, self]
        self.refresh()

    def enqueue(
        self, function: Any, args: tuple[Any, ...] = (), name: str = "", site: Any = None
    ) -> list[Any]:
        return self._done

    def compute(self, function: Any, *args: Any) -> Any:
        return BUSY

    def keep_error(self, error: Exception, name: str, site: Any) -> None:
        pass

    def launch(
        self, function: Any, args: tuple[Any, ...], name: str, site: Any, nbytes: int
    ) -> list[Any]:
        return self._done

    def sleep(self, nanoseconds: int) -> list[Any]:
        return self._done

    def mark(self) -> tuple[Any, list[Any] | None]:
        return _NoTime, None

    def last(self) -> list[Any] | None:
        return None

    def point(self) -> list[Any] | None:
        return None

    def wait_for(self, ticket: list[Any] | Point | None) -> None:
        if type(ticket) is Point:
            ticket.join(self)

    def finish(self, ticket: list[Any]) -> None:
        pass

    def query(self) -> bool:
        if underway:
            check_safe()
        return True

    def synchronize(self) -> None:
        if underway:
            check_safe()

    def raise_error(self) -> None:
        pass

    def refresh(self) -> None:
        self.arena = arena_of(self.device_index, self.handle)

    def drop(self) -> None:
        pass


class _NoTime:
    """The time line of a stream on which nothing runs."""

    end = 0
