"""A queue whose messages bring the descriptors of their shared memory along.

Python's own way is a server in the sender, which the receiver asks for each descriptor: a
connection, two challenges and three changes of threads for every tensor. Here the queue is a pair
of sockets, through which descriptors go with the message; they survive a sender that ends.
"""

from __future__ import annotations

import errno
import multiprocessing.connection
import multiprocessing.queues
import os
import socket
import threading
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["CAN_CARRY", "DescriptorQueue", "carried"]

#: Whether descriptors go through sockets on this system.
CAN_CARRY = hasattr(socket.socket, "sendmsg") and hasattr(socket, "SCM_RIGHTS")
#: How many go in one call at most (Linux takes 253).
_AT_ONCE = 250


class _Descriptors(list[int]):
    """Descriptors that are closed with the list, but those that somebody has taken (-1)."""

    def close(self, close: Any = os.close) -> None:
        """Close them now."""
        for fd in self:
            if fd >= 0:
                close(fd)
        self.clear()

    __del__ = close


class _Received(threading.local):
    """Of this thread: the descriptors of the message that it has received last."""

    def __init__(self) -> None:
        self.fds = _Descriptors()


_received = _Received()


class _Carried:
    """What stands in a message for its descriptor number *place*."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return _Carried, (self.place,)

    def detach(self) -> int:
        """The descriptor, which is the caller's from now on."""
        fd = _received.fds[self.place]
        _received.fds[self.place] = -1
        return fd


def carried(fd: int) -> _Carried | None:
    """What goes into the message for *fd*; None where the message cannot bring it.

    Only the thread that feeds a :class:`DescriptorQueue` makes messages that can.
    """
    outgoing: _Descriptors | None = getattr(threading.current_thread(), "outgoing", None)
    if outgoing is None:
        return None
    outgoing.append(os.dup(fd))  # the memory may be freed before the message leaves
    return _Carried(len(outgoing) - 1)


class _Channel:
    """One end of the pair: an empty message says that descriptors follow."""

    def __init__(self, conn: Any) -> None:
        self.conn = conn

    def __getattr__(self, name: str) -> Any:
        if name == "conn":  # when it is unpickled
            raise AttributeError(name)
        return getattr(self.conn, name)

    @contextmanager
    def _socket(self) -> Iterator[socket.socket]:
        borrowed = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, self.conn.fileno())
        try:
            yield borrowed
        finally:
            borrowed.detach()

    def send_bytes(self, message: Any) -> None:
        """Send *message* and the descriptors that its making has left in this thread."""
        fds: _Descriptors = threading.current_thread().outgoing  # type: ignore[attr-defined]  # set by _start_thread
        try:
            for i in range(0, len(fds), _AT_ONCE):
                self.conn.send_bytes(b"")
                self._send(fds[i : i + _AT_ONCE])
            self.conn.send_bytes(message)
        finally:
            fds.close()

    def _send(self, fds: list[int]) -> None:
        parts = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", fds))]
        with self._socket() as via:
            while True:
                try:
                    via.sendmsg([b"\0"], parts)
                    return
                except OSError as error:
                    # As many are on their way as the user may have open: the reader takes some.
                    if error.errno != errno.ETOOMANYREFS:
                        raise
                time.sleep(0.01)

    def recv_bytes(self) -> Any:
        """The next message; its descriptors wait in this thread.

        Raises OSError where this process can have no more of them.
        """
        fds = _received.fds
        fds.close()
        complete = True
        while not (message := self.conn.recv_bytes()):
            complete = self._receive(fds) and complete
        if not complete:
            fds.close()
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return message

    def _receive(self, fds: list[int]) -> bool:
        """Add what comes to *fds*; whether all of it found a place in this process."""
        taken = array("i")
        with self._socket() as via:
            _, parts, flags, _ = via.recvmsg(
                1,
                socket.CMSG_SPACE(_AT_ONCE * taken.itemsize),
                getattr(socket, "MSG_CMSG_CLOEXEC", 0),
            )
        for level, kind, data in parts:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                taken.frombytes(data[: len(data) - len(data) % taken.itemsize])
        fds += taken
        return not flags & socket.MSG_CTRUNC


class DescriptorQueue(multiprocessing.queues.Queue):  # type: ignore[type-arg]  # a subscript makes another base class
    """``multiprocessing.Queue`` over a pair of sockets."""

    def __init__(self, *, ctx: Any) -> None:
        super().__init__(ctx=ctx)
        for pipe in (self._reader, self._writer):
            pipe.close()
        reader, writer = multiprocessing.connection.Pipe(duplex=True)
        self._reader: Any = _Channel(reader)
        self._writer: Any = _Channel(writer)
        self._reset()  # type: ignore[attr-defined]  # which notes their methods

    def _start_thread(self) -> None:
        super()._start_thread()  # type: ignore[misc]  # not in the stubs
        # Who puts holds a lock that the thread needs before its first message.
        self._thread.outgoing = _Descriptors()  # type: ignore[attr-defined]  # nor is this

    def _on_queue_feeder_error(self, e: Any, obj: Any) -> None:
        threading.current_thread().outgoing.close()  # type: ignore[attr-defined]  # set by _start_thread
        self.not_sent(e, obj)

    def not_sent(self, error: Exception, message: Any) -> None:
        """What is done about a *message* that cannot be pickled, or not be sent."""
        super()._on_queue_feeder_error(error, message)  # type: ignore[misc]  # not in the stubs
