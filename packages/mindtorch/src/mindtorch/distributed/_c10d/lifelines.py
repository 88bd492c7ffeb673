"""Connections by which the processes of a group notice that one of them has ended.

MPI itself waits for ever for a message of a process that was killed. So the first process of a
group listens, the others connect to it; the system closes the connections of a process that ends,
in whatever way. The first tells the others whose was closed. A process that lives on but has given
up a call sends the label of the group that it was of, and the first tells the others of that, too.
"""

from __future__ import annotations

import os
import selectors
import socket
import threading
import uuid
import weakref
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from .errors import DistNetworkError
from .stores import Store

__all__ = ["Lifelines", "cut_all"]

_OPEN: weakref.WeakSet[Lifelines] = weakref.WeakSet()


class Lifelines:
    """The connections of this process for one group.

    *members* are names of processes, numbers, by their ranks in the group; *rank* is that of this
    process. All members make theirs with the same *store*. Raises DistNetworkError where the first
    process cannot be reached within *timeout*.
    """

    def __init__(self, store: Store, rank: int, members: Sequence[int], timeout: timedelta) -> None:
        #: The members that have ended, by their names.
        self.lost: set[int] = set()
        #: The members that have given up a call, by the label of its group.
        self.gave_up: dict[str, set[int]] = {}
        self._members = list(members)
        self._stop, self._stopped = socket.socketpair()
        self._links: dict[Any, int | None] = {}
        self._begun: dict[Any, bytes] = {}  # lines of which more is to come
        self._listening: socket.socket | None = None
        self._token = b""
        if rank == 0:
            self._listen(store, len(members))
        else:
            self._connect(store, rank, timeout)
        _OPEN.add(self)
        threading.Thread(target=self._watch, name="pt_lifelines", daemon=True).start()

    def _listen(self, store: Store, size: int) -> None:
        self._listening = socket.create_server(("", 0), backlog=size)
        token = uuid.uuid4().hex
        self._token = token.encode()
        port = self._listening.getsockname()[1]
        store.set("lifelines", f"{socket.gethostname()} {port} {token}")

    def _connect(self, store: Store, rank: int, timeout: timedelta) -> None:
        store.wait(["lifelines"], timeout)
        host, port, token = store.get("lifelines").decode().split()
        near = host == socket.gethostname()
        try:
            link = socket.create_connection(
                ("127.0.0.1" if near else host, int(port)), timeout.total_seconds()
            )
        except OSError as e:
            raise DistNetworkError(f"the first process of the group, at {host}:{port}: {e}") from e
        link.settimeout(None)
        link.sendall(f"{token} {rank}\n".encode())
        self._links[link] = 0

    def _watch(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._stopped, selectors.EVENT_READ)
            for each in (self._listening, *self._links):
                if each is not None:
                    selector.register(each, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is self._stopped:
                        return self._close()
                    if key.fileobj is self._listening:
                        link, _ = self._listening.accept()
                        self._links[link] = None
                        selector.register(link, selectors.EVENT_READ)
                    elif not self._read(key.fileobj):
                        selector.unregister(key.fileobj)

    def _read(self, link: Any) -> bool:
        """Take what has come by *link*; whether more may come."""
        try:
            words = link.recv(4096)
        except OSError:
            words = b""
        if not words:
            link.close()
            rank = self._links.pop(link)
            if rank is not None:
                self._tell(rank)
            return False
        *lines, rest = (self._begun.pop(link, b"") + words).split(b"\n")
        if rest:
            self._begun[link] = rest
        for line in lines:
            first, _, second = line.partition(b" ")
            known = self._links[link]
            if self._listening is None:
                self._tell(int(first), second.decode())
            elif known is not None:
                self._tell(known, first.decode())
            elif first == self._token:
                self._links[link] = int(second)
            else:  # a stranger
                link.close()
                del self._links[link]
                return False
        return True

    def _tell(self, rank: int, label: str = "") -> None:
        """Note that *rank* has ended, or given up a call of the group *label*."""
        member = self._members[rank]
        if label:
            self.gave_up.setdefault(label, set()).add(member)
        else:
            self.lost.add(member)
        if self._listening is not None:
            self._send(f"{rank} {label}" if label else str(rank))

    def _send(self, line: str) -> None:
        for link in list(self._links):
            try:
                link.sendall(f"{line}\n".encode())
            except OSError:
                pass  # its end is noticed by itself

    def give_up(self, label: str) -> None:
        """Tell the others that this process has given up a call of the group *label*."""
        if self._listening is None:
            self._send(label)
        else:
            self._tell(0, label)

    def cut(self) -> None:
        """Close the connections, which the others notice."""
        try:
            self._stop.send(b".")
        except OSError:
            pass  # cut before

    def _close(self) -> None:
        for each in (*self._links, self._listening, self._stop, self._stopped):
            if each is not None:
                each.close()


def cut_all() -> None:
    """Close the connections of all groups."""
    for lifelines in list(_OPEN):
        lifelines.cut()


def _forked() -> None:
    """A forked process must not hold the connections of its parent open."""
    for lifelines in list(_OPEN):
        lifelines._close()
    _OPEN.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
