"""Events that several processes see.

Their state lies in anonymous memory that belongs to no file: it is gone when the last process that
uses it ends, however that happens. A handle names the process and the descriptor where it is.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import time

from mindtorch_npu import errors

__all__ = ["HANDLE_SIZE", "SharedMark"]

HANDLE_SIZE = 64
_HANDLE = struct.Struct("<8sQQ16s24x")
_MAGIC = b"mtnpuevt"
#: Which event it is; how often it was recorded; for how many of these the work is over; by whom.
_STATE = struct.Struct("<16sQQQ")
_POLL = 2e-4


class SharedMark:
    """The state of one event. ``recorded`` counts up with each record, ``done`` follows."""

    __slots__ = ("_descriptor", "_memory", "handle")

    def __init__(self, descriptor: int, handle: bytes) -> None:
        self._descriptor = descriptor
        self._memory = mmap.mmap(descriptor, _STATE.size)
        self.handle = handle

    @classmethod
    def make(cls) -> SharedMark:
        """A new one. Raises RuntimeError where the system has no anonymous memory."""
        if not hasattr(os, "memfd_create"):
            raise errors.no_ipc()
        descriptor = os.memfd_create("mindtorch-npu-event")
        name = os.urandom(16)
        os.write(descriptor, _STATE.pack(name, 0, 0, 0))
        return cls(descriptor, _HANDLE.pack(_MAGIC, os.getpid(), descriptor, name))

    @classmethod
    def open(cls, handle: bytes) -> SharedMark:
        """That of another process, or of this one. Raises AcceleratorError for what is none."""
        magic, process, number, name = _HANDLE.unpack(handle)
        if magic != _MAGIC:
            raise errors.invalid_handle()
        try:
            descriptor = os.open(f"/proc/{process}/fd/{number}", os.O_RDWR)
        except OSError:
            raise errors.invalid_handle() from None
        if os.pread(descriptor, 16, 0) != name:
            os.close(descriptor)
            raise errors.invalid_handle()
        return cls(descriptor, handle)

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError, BufferError):
            self._memory.close()
            os.close(self._descriptor)

    def _read(self) -> tuple[int, int, int]:
        _, recorded, done, process = _STATE.unpack(self._memory[:])
        return recorded, done, process

    def begin(self) -> int:
        """It is recorded now; the number of this record, for :meth:`end`."""
        number = self._read()[0] + 1
        struct.pack_into("<Q", self._memory, 16, number)
        struct.pack_into("<Q", self._memory, 32, os.getpid())
        return number

    def end(self, number: int) -> None:
        """The work before that record is over."""
        struct.pack_into("<Q", self._memory, 24, max(number, self._read()[1]))

    def is_done(self) -> bool:
        """Whether the work before the latest record is over."""
        return self._is_over(self._read()[0])

    def _is_over(self, number: int) -> bool:
        _, done, process = self._read()
        if done >= number:
            return True
        # A process that died will not finish it.
        return process != os.getpid() and not os.path.exists(f"/proc/{process}")

    def wait(self) -> None:
        """Return when the work before the latest record is over."""
        self.wait_for(self._read()[0])

    def wait_for(self, number: int) -> None:
        """Return when the work before that record is over."""
        while not self._is_over(number):
            time.sleep(_POLL)

    @property
    def recorded(self) -> int:
        """The number of the latest record."""
        return self._read()[0]
