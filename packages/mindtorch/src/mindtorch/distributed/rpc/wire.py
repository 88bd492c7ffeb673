"""Bytes between workers: each listens, and is called by those that have something to say."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

__all__ = ["Wire"]

#: A worker's first message on a connection is its number, in so many bytes.
_NUMBER = 8


class Wire:
    """The connections of worker *number* to the others.

    :param secret: what all workers of a group know and nobody else.
    :param arrived: is called with a worker's number and its message, in the thread that reads.
    :param lost: is called with the number of a worker that has closed its connection.
    """

    def __init__(
        self,
        number: int,
        secret: bytes,
        arrived: Callable[[int, bytes], None],
        lost: Callable[[int], None],
    ) -> None:
        self._number, self._secret, self._arrived, self._lost = number, secret, arrived, lost
        self._listener = Listener(("", 0), backlog=128, authkey=secret)
        self._links: dict[int, tuple[Connection[Any, Any], threading.Lock]] = {}
        self._accepted: list[Connection[Any, Any]] = []
        self._lock = threading.Lock()
        self._closed = False
        self._begin(self._accept)

    @property
    def address(self) -> str:
        """Where it listens: host and port, for :meth:`send` of the others."""
        return f"{socket.gethostname()} {self._listener.address[1]}"

    def send(self, to: int, address: str, message: bytes) -> None:
        """Send *message* to worker *to*. Raises OSError or EOFError if it is not there."""
        with self._lock:
            link = self._links.get(to)
            if link is None:
                link = self._links[to] = (self._connected(address), threading.Lock())
                self._begin(self._watch, to, link[0])
        connection, lock = link
        with lock:
            connection.send_bytes(message)

    def _connected(self, address: str) -> Connection[Any, Any]:
        host, _, port = address.partition(" ")
        here = host == socket.gethostname()
        made = Client(("127.0.0.1" if here else host, int(port)), authkey=self._secret)
        made.send_bytes(self._number.to_bytes(_NUMBER, "big"))
        return made

    @staticmethod
    def _begin(function: Callable[..., None], *args: Any) -> None:
        threading.Thread(target=function, args=args, name="rpc-wire", daemon=True).start()

    def _watch(self, worker: int, connection: Connection[Any, Any]) -> None:
        """Wait until *worker* closes a connection to it, on which it says nothing."""
        try:
            connection.recv_bytes()
        except (EOFError, OSError):
            self._end(worker)

    def _end(self, worker: int) -> None:
        if not self._closed:
            self.forget(worker)
            self._lost(worker)

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection = self._listener.accept()
            except (AuthenticationError, OSError, EOFError):
                continue  # somebody else's, or one that is gone again
            self._accepted.append(connection)
            self._begin(self._read, connection)

    def _read(self, connection: Connection[Any, Any]) -> None:
        sender: int | None = None
        try:
            sender = int.from_bytes(connection.recv_bytes(_NUMBER), "big")
            while True:
                self._arrived(sender, connection.recv_bytes())
        except (EOFError, OSError):
            if sender is not None:
                self._end(sender)

    def forget(self, worker: int) -> None:
        """Close the connection to *worker*."""
        with self._lock:
            link = self._links.pop(worker, None)
        if link is not None:
            _hang_up(link[0])

    def close(self) -> None:
        """Close all connections, and listen no more."""
        self._closed = True
        try:  # the thread that listens wakes up and sees it; nobody may be there to greet
            socket.create_connection(("127.0.0.1", self._listener.address[1])).close()
        except OSError:
            pass
        self._listener.close()
        for worker in list(self._links):
            self.forget(worker)
        for connection in self._accepted:
            _hang_up(connection)


def _hang_up(connection: Connection[Any, Any]) -> None:
    """Close *connection*, also for the thread that reads from it."""
    try:
        with socket.socket(fileno=os.dup(connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it is closed already
    connection.close()
