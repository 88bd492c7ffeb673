"""The process manager that MPI asks in each process, answered from a store.

MPI learns who is in its world from a process manager, by lines of text on a socket: the wire
protocol 1 of PMI, which MPICH and its descendants speak. Here a thread of the process itself is
the manager. What processes tell each other goes through the store that the group starts from, so
processes need no common parent: whoever reaches the store is in the world.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from .stores import Store

__all__ = ["ENDED", "Link", "managed"]

#: What MPI is told by variables of the environment.
_VARIABLES = ("PMI_RANK", "PMI_SIZE", "PMI_FD", "PMI_PORT", "PMI_ID", "PMI_SPAWNED")
#: The longest names and values, in bytes, that MPI may write.
_LIMITS = "kvsname_max=256 keylen_max=64 vallen_max=4096"


class _Manager:
    """Answers the requests of MPI in one process, line by line."""

    def __init__(self, store: Store, name: str, size: int, timeout: timedelta) -> None:
        self._store, self._name, self._size, self._timeout = store, name, size, timeout
        self._barriers = 0
        #: What went wrong in the store, which MPI itself cannot be told.
        self.error: Exception | None = None

    def serve(self, link: socket.socket) -> None:
        """Answer until MPI or the caller closes the other side."""
        with link, link.makefile("rb") as lines:
            for line in lines:
                words = line.decode().split()
                request = dict(word.split("=", 1) for word in words if "=" in word)
                command = request.pop("cmd", request.pop("mcmd", ""))
                try:
                    answer = self._answer(command, request)
                except Exception as e:
                    self.error, answer = e, f"cmd={command} rc=-1"
                try:
                    link.sendall(answer.encode() + b"\n")
                except OSError:
                    return

    def _answer(self, command: str, request: dict[str, str]) -> str:
        match command:
            case "init":
                return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0"
            case "get_maxes":
                return f"cmd=maxes {_LIMITS} rc=0"
            case "get_appnum":
                return "cmd=appnum appnum=0 rc=0"
            case "get_universe_size":
                return f"cmd=universe_size size={self._size} rc=0"
            case "get_my_kvsname":
                return f"cmd=my_kvsname kvsname={self._name} rc=0"
            case "put":
                self._store.set(f"put/{request['key']}", request["value"])
                return "cmd=put_result rc=0 msg=success"
            case "get":
                return self._get(f"put/{request['key']}")
            case "barrier_in":
                self._barriers += 1
                self._store.barrier(f"barrier/{self._barriers}", self._size, self._timeout)
                return "cmd=barrier_out rc=0"
            case "finalize":
                return "cmd=finalize_ack rc=0"
        return f"cmd={command} rc=-1"

    def _get(self, key: str) -> str:
        if not self._store.check([key]):
            return "cmd=get_result rc=-1 msg=key_not_found value=unknown"
        return f"cmd=get_result rc=0 msg=success value={self._store.get(key).decode()}"


def _answers(*lines: str) -> socket.socket:
    """A socket on which the answers to all that MPI may yet ask are there already."""
    ours, theirs = socket.socketpair()
    ours.sendall("".join(f"{line} rc=0\n" for line in lines).encode())
    ours.shutdown(socket.SHUT_WR)
    ours.detach()  # open as long as the process, so that MPI can write
    return theirs


class Link:
    """The socket on which MPI asks: first a thread, then answers that are written in advance.

    MPI asks for the last time when the process ends, and then no thread of Python runs any more.
    """

    def __init__(self) -> None:
        self.manager, mpi = socket.socketpair()
        #: The number of the file that MPI reads, to the very end of the process.
        self.number = mpi.detach()

    def answer(self, *lines: str) -> None:
        """Let *lines* be all the answers to come."""
        with _answers(*lines) as ready:
            os.dup2(ready.fileno(), self.number, inheritable=False)


#: Where MPI is left, and where it is ended together with the others.
LEFT = ("cmd=finalize_ack",)
ENDED = ("cmd=barrier_out", "cmd=finalize_ack")


@contextmanager
def managed(store: Store, name: str, rank: int, size: int, timeout: timedelta) -> Iterator[Link]:
    """Let MPI that is initialised inside the ``with`` find the world of *size* in *store*.

    *name* is the world's. Memory that its processes share is called after it, so that no other
    world, of this machine and of all times, may have it.

    The environment is as before afterwards: processes that this one starts are not of its world.
    The link must be kept as long as MPI is there.

    Raises what went wrong in the store, which MPI would call an error of its own.
    """
    link = Link()
    manager = _Manager(store, name, size, timeout)
    thread = threading.Thread(
        target=manager.serve, args=(link.manager,), name="pt_pmi", daemon=True
    )
    before = {name: os.environ.pop(name, None) for name in _VARIABLES}
    os.environ |= {"PMI_RANK": str(rank), "PMI_SIZE": str(size), "PMI_FD": str(link.number)}
    thread.start()
    try:
        yield link
    finally:
        link.answer(*LEFT)  # closes the side of MPI, so the thread ends
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        if manager.error is not None:
            raise manager.error
