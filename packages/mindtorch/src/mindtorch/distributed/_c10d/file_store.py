"""A store in a file that all processes of a host, or of a shared disk, read and write."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]  # which is asked before use

from ...core.module_names import living_in
from .durations import Duration, timedelta_of
from .incompatible import integer, string, strings, texts, waited_for
from .stores import Store, data

__all__ = ["FileStore"]

_LENGTH = struct.Struct("=I")
#: What keys of users and notes of deleted keys begin with in the file.
_REGULAR, _DELETED = b"/", b"-"
#: How many processes have the file; the last removes it.
_COUNT = b"refcount/"


class FileStore(Store):
    """A store in a file: what is written is appended to it, and all read it again and again."""

    def __init__(self, file_name: str, world_size: int = -1) -> None:
        super().__init__()
        self.path = file_name
        self._world_size = world_size
        self._deleted_with_last = world_size > 0
        self._position = 0
        self._values: dict[bytes, bytes] = {}
        self._count(1)

    def __del__(self) -> None:
        try:
            if self._count(-1) == 0 and self._deleted_with_last:
                os.remove(self.path)
        except (AttributeError, NameError, OSError, TypeError):
            pass  # the interpreter ends, and takes what this needs away first

    @contextmanager
    def _file(self, changing: bool) -> Iterator[BinaryIO]:
        with open(self.path, "ab+" if changing else "rb") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX if changing else fcntl.LOCK_SH)
            yield file

    def _refresh(self, file: BinaryIO) -> None:
        """Read what was appended since."""
        file.seek(0, os.SEEK_END)
        if file.tell() < self._position:  # another run began the file anew
            self._position, self._values = 0, {}
        file.seek(self._position)
        rest = file.read()
        at = 0
        while at < len(rest):
            pair = []
            for _ in range(2):
                (length,) = _LENGTH.unpack_from(rest, at)
                pair.append(rest[at + 4 : at + 4 + length])
                at += 4 + length
            key, value = pair
            if key.startswith(_DELETED):
                self._values.pop(key[1:], None)
            else:
                self._values[key] = value
        self._position += at

    def _append(self, file: BinaryIO, key: bytes, value: bytes) -> None:
        file.seek(0, os.SEEK_END)
        file.write(b"".join((_LENGTH.pack(len(key)), key, _LENGTH.pack(len(value)), value)))
        file.flush()
        self._refresh(file)

    def _count(self, amount: int, key: bytes = _COUNT) -> int:
        with self._file(True) as file:
            self._refresh(file)
            total = int(self._values.get(key) or b"0") + amount
            self._append(file, key, str(total).encode())
            return total

    def _read(self) -> dict[bytes, bytes]:
        try:
            with self._file(False) as file:
                self._refresh(file)
        except FileNotFoundError:
            pass
        return self._values

    @staticmethod
    def _at(key: str) -> bytes:
        return _REGULAR + data(key)

    def clone(self) -> Store:
        """Another store of the same file."""
        return FileStore(self.path, self._world_size)

    def set(self, key: str, value: str | bytes) -> None:
        """Write *value* under *key*."""
        string(self, "set", "arg0: str, arg1: str", "None", key, value)
        with self._file(True) as file:
            self._append(file, self._at(key), data(value))

    def get(self, key: str) -> bytes:
        """What is under *key*; waits until it is there."""
        string(self, "get", "arg0: str", "bytes", key)
        if not self._await([key], self.timeout):
            limit = round(self.timeout.total_seconds() * 1000)
            raise RuntimeError(f"Timeout waiting for key: {key} after {limit} ms")
        return self._values[self._at(key)]

    def add(self, key: str, amount: int) -> int:
        """Add *amount* to the counter *key*."""
        return self._count(integer(self, "add", "int", key, amount), self._at(key))

    def compare_set(
        self, key: str, expected_value: str | bytes, desired_value: str | bytes
    ) -> bytes:
        """Write *desired_value* if *expected_value* is there; what is there then."""
        texts(self, "compare_set", key, expected_value, desired_value)
        expected, desired = data(expected_value), data(desired_value)
        with self._file(True) as file:
            self._refresh(file)
            have = self._values.get(self._at(key))
            if have is None and expected:
                return expected
            if have is None or have == expected:
                self._append(file, self._at(key), desired)
                return desired
            return have

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all *keys* are there."""
        names = strings(self, "check", "bool", keys)
        have = self._read()
        return all(self._at(k) in have for k in names)

    def delete_key(self, key: str) -> bool:
        """Write that *key* is out; torch's file store always says that it was there."""
        texts(self, "delete_key", key)
        with self._file(True) as file:
            self._append(file, _DELETED + self._at(key), b"")
        return True

    def num_keys(self) -> int:
        """How many keys there are, the count of processes included."""
        return len(self._read())

    def _await(self, keys: Sequence[str], timeout: timedelta) -> bool:
        until = time.monotonic() + timeout.total_seconds()
        while not self.check(keys):
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    def wait(self, keys: Sequence[str], timeout: Duration | None = None) -> None:
        """Wait until all *keys* are there."""
        waited_for(self, keys, timeout)
        timeout = None if timeout is None else timedelta_of(timeout)
        if not self._await(keys, self.timeout if timeout is None else timeout):
            raise RuntimeError("Wait timeout")

    def append(self, key: str, value: str | bytes) -> None:
        """Write *value* behind what is under *key*."""
        texts(self, "append", key, value)
        with self._file(True) as file:
            self._refresh(file)
            have = self._values.get(self._at(key), b"")
            self._append(file, self._at(key), have + data(value))

    def list_keys(self) -> list[str]:
        """All keys, without their first character in the file, which keys of users have."""
        return [k[1:].decode() for k in self._read()]


living_in("mindtorch._C._distributed_c10d", FileStore)
