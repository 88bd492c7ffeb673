"""A store that one process serves on a TCP port, and others ask."""

from __future__ import annotations

import errno
import json
import math
import os
import socket
import struct
import threading
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ...core.module_names import living_in
from .durations import Duration, timedelta_of
from .errors import DistNetworkError, DistStoreError, QueueEmptyError
from .incompatible import integer, pairs, string, strings, texts, waited_for
from .stores import DEFAULT_TIMEOUT, Store, Table, data

__all__ = ["TCPStore"]

_LENGTH = struct.Struct("!I")


def _text(value: bytes) -> str:
    return value.decode("latin-1")


def _send(link: socket.socket, message: Any) -> None:
    body = json.dumps(message).encode()
    link.sendall(_LENGTH.pack(len(body)) + body)


def _read(link: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = link.recv(count)
        if not part:
            raise ConnectionError("the other side has closed the connection")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _receive(link: socket.socket) -> Any:
    return json.loads(_read(link, _LENGTH.unpack(_read(link, _LENGTH.size))[0]))


class _Server:
    """Answers the requests of clients: a thread accepts them, and each has a thread."""

    def __init__(self, port: int, listening: int | None) -> None:
        self.table = Table()
        self.users = 0
        if listening is not None:
            self.socket = socket.socket(fileno=listening)
        else:
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                self.socket.bind(("", port))
            except OSError as e:
                self.socket.close()
                raise DistNetworkError(_cannot_listen(port, e)) from None
            self.socket.listen(128)
        self.port = self.socket.getsockname()[1]
        self._start(self._accept)

    @staticmethod
    def _start(what: Any, *args: Any) -> None:
        threading.Thread(target=what, args=args, name="pt_tcpstore", daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                link, _ = self.socket.accept()
            except OSError:
                return
            self._start(self._serve, link)

    def _serve(self, link: socket.socket) -> None:
        with link:
            while True:
                try:
                    name, *args = _receive(link)
                    _send(link, getattr(self, f"do_{name}")(*args))
                except (OSError, ValueError):
                    return

    def do_set(self, keys: list[str], values: list[str]) -> None:
        for k, v in zip(keys, values):
            self.table.set(k, v.encode("latin-1"))

    def do_get(self, keys: list[str], seconds: float) -> list[str] | None:
        if not self.table.wait(keys, seconds, None):
            return None
        return [_text(self.table.values[k]) for k in keys]

    def do_add(self, key: str, amount: int) -> int:
        return self.table.add(key, amount)

    def do_compare_set(self, key: str, expected: str, desired: str) -> str:
        wanted = expected.encode("latin-1")
        return _text(self.table.compare_set(key, wanted, desired.encode("latin-1"), wanted))

    def do_check(self, keys: list[str]) -> bool:
        return self.table.check(keys)

    def do_wait(self, keys: list[str], seconds: float) -> bool:
        return self.table.wait(keys, seconds, None)

    def do_delete(self, key: str) -> bool:
        return self.table.delete(key)

    def do_append(self, key: str, value: str) -> None:
        self.table.append(key, value.encode("latin-1"))

    def do_push(self, key: str, value: str) -> None:
        self.table.push(key, value.encode("latin-1"))

    def do_pop(self, key: str, seconds: float | None) -> str | None:
        found = self.table.pop(key, seconds)
        return None if found is None else _text(found)

    def do_length(self, key: str) -> int:
        return self.table.length(key)

    def do_keys(self) -> list[str]:
        return self.table.keys()

    def close(self) -> None:
        """Take no more clients once no store of this process uses it."""
        self.users -= 1
        if self.users:
            return
        _SHARED.pop(self.port, None)
        try:
            self.socket.shutdown(socket.SHUT_RDWR)  # else the thread that accepts keeps the port
        except OSError:
            pass
        self.socket.close()


def _cannot_listen(port: int, e: OSError) -> str:
    name = errno.errorcode.get(e.errno or 0, "unknown")
    return (
        "The server socket has failed to listen on any local network address. "
        f"port: {port}, useIpv6: false, code: -{e.errno}, name: {name}, "
        f"message: {os.strerror(e.errno or 0).lower()}"
    )


#: Servers that several stores of this process use, by port.
_SHARED: dict[int, _Server] = {}
#: The count of the clients that have come.
_WORKERS = "init/worker_count"


class TCPStore(Store):
    """A store on a TCP port: the master serves it, all ask it."""

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: timedelta = DEFAULT_TIMEOUT,
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: int | None = None,
        use_libuv: bool = True,
    ) -> None:
        if world_size == 0:
            raise ValueError("TCPStore world size cannot be 0")
        super().__init__()
        self._timeout = timeout
        self._host = host_name
        self._server: _Server | None = None
        self._libuv = use_libuv
        if is_master:
            shared = _SHARED.get(port) if multi_tenant else None
            self._server = shared or _Server(port, master_listen_fd)
            self._server.users += 1
            port = self._server.port
            if multi_tenant:
                _SHARED[port] = self._server
        self._port = port
        self._lock = threading.Lock()
        self._link = self._connect()
        if wait_for_workers and world_size is not None:
            self._join(world_size, is_master)

    def _join(self, world_size: int, is_master: bool) -> None:
        """Count this client, and wait for all where this is the master."""
        came = self._ask("add", _WORKERS, 1)
        until = time.monotonic() + self._timeout.total_seconds()
        while is_master and came < world_size:
            if time.monotonic() > until:
                waited = math.ceil(self._timeout.total_seconds())
                raise DistStoreError(
                    f"Timed out after {waited} seconds waiting for clients. "
                    f"{came}/{world_size} clients joined."
                )
            time.sleep(0.01)
            came = self._ask("add", _WORKERS, 0)

    def _connect(self) -> socket.socket:
        limit = self._timeout.total_seconds()
        until = time.monotonic() + limit
        while True:
            try:
                return socket.create_connection((self._host, self._port), max(limit, 0.01))
            except OSError:
                if time.monotonic() > until:
                    raise DistNetworkError(
                        f"The client socket has timed out after {round(limit * 1000)}ms while "
                        f"trying to connect to ({self._host}, {self._port})."
                    ) from None
                time.sleep(0.05)

    def _ask(self, *request: Any) -> Any:
        with self._lock:
            self._link.settimeout(None)  # the server keeps the time
            try:
                _send(self._link, request)
                return _receive(self._link)
            except OSError as e:
                raise DistNetworkError(f"Connection to the store was lost: {e}") from None

    def __repr__(self) -> str:
        def at(address: Any) -> str:
            return f"[::ffff:{address[0]}]:{address[1]}"

        link = self._link
        ends = f"addr={at(link.getsockname())}, remote={at(link.getpeername())}"
        server = f"TCPServer(port={self._server.port})" if self._server else "<nullptr>"
        client = f"TCPClient(SocketImpl(fd={link.fileno()}, {ends}))"
        return f"TCPStore(client={client}, server={server})"

    def __del__(self) -> None:
        link = getattr(self, "_link", None)
        if link is not None:
            link.close()
        server = getattr(self, "_server", None)
        if server is not None:
            server.close()

    @property
    def host(self) -> str:
        """The host of the server."""
        return self._host

    @property
    def port(self) -> int:
        """The port of the server."""
        return self._port

    @property
    def libuvBackend(self) -> bool:
        """What ``use_libuv`` said; there is one server here."""
        return self._libuv

    def _limit(self, timeout: timedelta | None = None) -> float:
        return (self._timeout if timeout is None else timeout).total_seconds()

    def _late(self, keys: Sequence[str], timeout: timedelta | None = None) -> DistStoreError:
        listed = ", ".join(f"/{k}" for k in keys)
        return DistStoreError(
            f"wait timeout after {round(self._limit(timeout) * 1000)}ms, keys: {listed}"
        )

    def clone(self) -> Store:
        """Another client of the same server."""
        return TCPStore(self._host, self._port, None, False, self._timeout, False)

    def set(self, key: str, value: str | bytes) -> None:
        """Write *value* under *key*."""
        string(self, "set", "arg0: str, arg1: str", "None", key, value)
        self._ask("set", [key], [_text(data(value))])

    def get(self, key: str) -> bytes:
        """What is under *key*; waits until it is there."""
        string(self, "get", "arg0: str", "bytes", key)
        return self.multi_get([key])[0]

    def add(self, key: str, amount: int) -> int:
        """Add *amount* to the counter *key*."""
        return int(self._ask("add", key, integer(self, "add", "int", key, amount)))

    def compare_set(
        self, key: str, expected_value: str | bytes, desired_value: str | bytes
    ) -> bytes:
        """Write *desired_value* if *expected_value* is there; what is there then."""
        texts(self, "compare_set", key, expected_value, desired_value)
        given = _text(data(expected_value)), _text(data(desired_value))
        return bytes(self._ask("compare_set", key, *given), "latin-1")

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all *keys* are there."""
        return bool(self._ask("check", strings(self, "check", "bool", keys)))

    def delete_key(self, key: str) -> bool:
        """Take *key* out; whether it was there."""
        texts(self, "delete_key", key)
        return bool(self._ask("delete", key))

    def num_keys(self) -> int:
        """How many keys there are."""
        return len(self._ask("keys"))

    def wait(self, keys: Sequence[str], timeout: Duration | None = None) -> None:
        """Wait until all *keys* are there."""
        names = waited_for(self, keys, timeout)
        timeout = None if timeout is None else timedelta_of(timeout)
        if not self._ask("wait", names, self._limit(timeout)):
            raise self._late(names, timeout)

    def append(self, key: str, value: str | bytes) -> None:
        """Write *value* behind what is under *key*."""
        texts(self, "append", key, value)
        self._ask("append", key, _text(data(value)))

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """What is under each of *keys*."""
        found = self._ask("get", strings(self, "multi_get", "list[bytes]", keys), self._limit())
        if found is None:
            raise self._late(keys)
        return [bytes(v, "latin-1") for v in found]

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes]) -> None:
        """Write each of *values* under its key."""
        pairs(self, keys, values)
        self._ask("set", list(keys), [_text(data(v)) for v in values])

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put *value* at the end of the queue *key*."""
        texts(self, "queue_push", key, value)
        self._ask("push", key, _text(data(value)))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take the first value of the queue *key*."""
        found = self._ask("pop", key, self._limit() if block else None)
        if found is None:
            raise self._late([key]) if block else QueueEmptyError("queue is empty")
        return bytes(found, "latin-1")

    def queue_len(self, key: str) -> int:
        """How many values wait in the queue *key*."""
        return int(self._ask("length", key))

    def list_keys(self) -> list[str]:
        """All keys."""
        return [k for k in self._ask("keys") if k != _WORKERS]

    def has_extended_api(self) -> bool:
        """That several keys take one request."""
        return True


living_in("mindtorch._C._distributed_c10d", TCPStore)
