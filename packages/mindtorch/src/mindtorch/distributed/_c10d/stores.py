"""Stores: small tables of bytes by which processes find each other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from ...core.module_names import living_in
from .durations import Duration, seconds_of, timedelta_of
from .errors import DistStoreError, QueueEmptyError
from .incompatible import integer, pairs, refuse, string, strings, texts, waited_for

__all__ = ["HashStore", "PrefixStore", "Store"]

DEFAULT_TIMEOUT = timedelta(seconds=300)


class Store:
    """A table of bytes by key that processes share.

    A subclass of a user's overrides the methods it has; what it lacks is refused.
    """

    def __init__(self) -> None:
        self._timeout = DEFAULT_TIMEOUT

    @property
    def timeout(self) -> timedelta:
        """How long ``get`` and ``wait`` wait for a key."""
        return self._timeout

    def set_timeout(self, timeout: Duration) -> None:
        """Set how long ``get`` and ``wait`` wait for a key."""
        if not isinstance(timeout, Duration):
            raise refuse(self, "set_timeout", "arg0: datetime.timedelta", "None", timeout)
        self._timeout = timedelta_of(timeout)

    def _lacks(self, name: str) -> Any:
        """Refuse a call that each store has to have."""
        raise RuntimeError(f'Tried to call pure virtual function "::c10d::Store::{name}"')

    def _lacks_override(self) -> Any:
        """Refuse a call that a subclass of a user's has not overridden."""
        raise RuntimeError("Not implemented.")

    def _lacks_support(self, name: str) -> Any:
        """Refuse a call that only some stores have."""
        raise NotImplementedError(f"{name} support is not implemented.")

    def clone(self) -> Store:
        """A store of the same table that another thread may use."""
        return self._lacks("clone")

    def set(self, key: str, value: str | bytes) -> None:
        """Write *value* under *key*."""
        self._lacks_override()

    def get(self, key: str) -> bytes:
        """What is under *key*; waits until it is there."""
        return self._lacks_override()

    def add(self, key: str, amount: int) -> int:
        """Add *amount* to the counter *key*, which begins at 0; its value then."""
        return self._lacks("add")

    def compare_set(
        self, key: str, expected_value: str | bytes, desired_value: str | bytes
    ) -> bytes:
        """Write *desired_value* if *expected_value* is there; what is there then."""
        return self._lacks_override()

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all *keys* are there."""
        return self._lacks("check")

    def delete_key(self, key: str) -> bool:
        """Take *key* out; whether it was there."""
        return self._lacks("deleteKey")

    def num_keys(self) -> int:
        """How many keys there are."""
        return self._lacks("getNumKeys")

    def wait(self, keys: Sequence[str], timeout: Duration | None = None) -> None:
        """Wait until all *keys* are there."""
        self._lacks("wait")

    def append(self, key: str, value: str | bytes) -> None:
        """Write *value* behind what is under *key*."""
        added = data(value)
        have, wanted = b"", added
        while (found := self.compare_set(key, have, wanted)) != wanted:
            have, wanted = found, found + added

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """What is under each of *keys*."""
        return [self.get(k) for k in keys]

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes]) -> None:
        """Write each of *values* under its key."""
        pairs(self, keys, values)
        for k, v in zip(keys, values):
            self.set(k, v)

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put *value* at the end of the queue *key*."""
        self._lacks_support("queue")

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take the first value of the queue *key*."""
        return self._lacks_support("queue")

    def queue_len(self, key: str) -> int:
        """How many values wait in the queue *key*."""
        return self._lacks_support("queue")

    def list_keys(self) -> list[str]:
        """All keys."""
        return self._lacks_support("listKeys")

    def has_extended_api(self) -> bool:
        """Whether ``append``, ``multi_get`` and ``multi_set`` take one request each."""
        return False

    def barrier(self, key: str, world_size: int, timeout: timedelta | None = None) -> None:
        """Wait until *world_size* callers have come to the barrier *key*."""
        if self.add(f"{key}/count", 1) == world_size:
            self.set(f"{key}/last", "1")
        self.wait([f"{key}/last"], timeout or self.timeout)


def data(value: str | bytes) -> bytes:
    """The bytes of *value*."""
    return value.encode() if isinstance(value, str) else bytes(value)


class Table:
    """The keys, counters and queues behind a store of one process, and who waits for them."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.values: dict[str, bytes] = {}
        self.queues: dict[str, list[bytes]] = {}

    def _write(self, key: str, value: bytes) -> None:
        self.values[key] = value
        self.changed.notify_all()

    def set(self, key: str, value: bytes) -> None:
        """Write *value*."""
        with self.changed:
            self._write(key, value)

    def append(self, key: str, value: bytes) -> None:
        """Write *value* behind what is there."""
        with self.changed:
            self._write(key, self.values.get(key, b"") + value)

    def add(self, key: str, amount: int) -> int:
        """Count *key* on by *amount*."""
        with self.changed:
            total = int(self.values.get(key) or b"0") + amount
            self._write(key, str(total).encode())
            return total

    def compare_set(self, key: str, expected: bytes, desired: bytes, absent: bytes) -> bytes:
        """Write *desired* where *expected* is, or nothing is and nothing is expected."""
        with self.changed:
            have = self.values.get(key)
            if have is None and expected:
                return absent
            if have is None or have == expected:
                self._write(key, desired)
                return desired
            return have

    def delete(self, key: str) -> bool:
        """Take *key* out."""
        with self.changed:
            return self.values.pop(key, None) is not None

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all *keys* are there, queues included."""
        with self.changed:
            return self._there(keys)

    def _there(self, keys: Sequence[str]) -> bool:
        return all(k in self.values or self.queues.get(k) for k in keys)

    def wait(self, keys: Sequence[str], seconds: float, until: Callable[[], bool] | None) -> bool:
        """Wait for *keys*; whether they came."""
        with self.changed:
            return self.changed.wait_for(lambda: self._there(keys), seconds)

    def push(self, key: str, value: bytes) -> None:
        """Put *value* into a queue."""
        with self.changed:
            self.queues.setdefault(key, []).append(value)
            self.changed.notify_all()

    def pop(self, key: str, seconds: float | None) -> bytes | None:
        """Take the first value of a queue, None if none comes in time."""
        with self.changed:
            if not self.changed.wait_for(lambda: bool(self.queues.get(key)), seconds or 0):
                return None
            queue = self.queues[key]
            first = queue.pop(0)
            if not queue:
                del self.queues[key]
            return first

    def length(self, key: str) -> int:
        """How many values a queue has."""
        with self.changed:
            return len(self.queues.get(key, ()))

    def keys(self) -> list[str]:
        """All keys but those of queues."""
        with self.changed:
            return list(self.values)


class HashStore(Store):
    """A store in this process's memory, for its threads."""

    def __init__(self) -> None:
        super().__init__()
        self._table = Table()

    def clone(self) -> Store:
        """This store: its table may be used by all threads."""
        return self

    def set(self, key: str, value: str | bytes) -> None:
        """Write *value* under *key*."""
        string(self, "set", "arg0: str, arg1: str", "None", key, value)
        self._table.set(key, data(value))

    def get(self, key: str) -> bytes:
        """What is under *key*; waits until it is there."""
        string(self, "get", "arg0: str", "bytes", key)
        self.wait([key])
        return self._table.values[key]

    def add(self, key: str, amount: int) -> int:
        """Add *amount* to the counter *key*."""
        return self._table.add(key, integer(self, "add", "int", key, amount))

    def compare_set(
        self, key: str, expected_value: str | bytes, desired_value: str | bytes
    ) -> bytes:
        """Write *desired_value* if *expected_value* is there; what is there then."""
        texts(self, "compare_set", key, expected_value, desired_value)
        wanted = data(expected_value)
        return self._table.compare_set(key, wanted, data(desired_value), wanted)

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all *keys* are there."""
        return self._table.check(strings(self, "check", "bool", keys))

    def delete_key(self, key: str) -> bool:
        """Take *key* out; whether it was there."""
        texts(self, "delete_key", key)
        return self._table.delete(key)

    def num_keys(self) -> int:
        """How many keys there are."""
        return len(self._table.keys())

    def wait(self, keys: Sequence[str], timeout: Duration | None = None) -> None:
        """Wait until all *keys* are there."""
        waited_for(self, keys, timeout)
        limit = seconds_of(self.timeout if timeout is None else timeout)
        if not self._table.wait(keys, limit, None):
            raise DistStoreError("Wait timeout")

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """What is under each of *keys*."""
        return super().multi_get(strings(self, "multi_get", "list[bytes]", keys))

    def append(self, key: str, value: str | bytes) -> None:
        """Write *value* behind what is under *key*."""
        texts(self, "append", key, value)
        self._table.append(key, data(value))

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put *value* at the end of the queue *key*."""
        texts(self, "queue_push", key, value)
        self._table.push(key, data(value))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take the first value of the queue *key*."""
        found = self._table.pop(key, self.timeout.total_seconds() if block else None)
        if found is None:
            raise DistStoreError("Wait timeout") if block else QueueEmptyError("queue is empty")
        return found

    def queue_len(self, key: str) -> int:
        """How many values wait in the queue *key*."""
        return self._table.length(key)

    def list_keys(self) -> list[str]:
        """All keys."""
        return self._table.keys()

    def has_extended_api(self) -> bool:
        """That several keys take one request."""
        return True


class FakeStore(Store):
    """A store without a table, for groups whose processes have nothing to say to each other."""


class PrefixStore(Store):
    """A store whose keys are those of another behind a prefix."""

    def __init__(self, prefix: str, store: Store) -> None:
        if store is None:
            raise ValueError("store argument cannot be None")
        super().__init__()
        self._prefix = prefix
        self._store = store

    @property
    def underlying_store(self) -> Store:
        """The store that has the keys."""
        return self._store

    @property
    def _underlying_non_prefix_store(self) -> Store:
        store: Store = self
        while isinstance(store, PrefixStore):
            store = store._store
        return store

    def _at(self, key: str) -> str:
        return f"{self._prefix}/{key}"

    @property
    def timeout(self) -> timedelta:
        """How long ``get`` and ``wait`` wait for a key."""
        return self._store.timeout

    def set_timeout(self, timeout: Duration) -> None:
        """Set how long ``get`` and ``wait`` wait for a key."""
        self._store.set_timeout(timeout)

    def clone(self) -> Store:
        """The same prefix of a clone."""
        return PrefixStore(self._prefix, self._store.clone())

    def set(self, key: str, value: str | bytes) -> None:
        """Write *value* under *key*."""
        string(self, "set", "arg0: str, arg1: str", "None", key, value)
        self._store.set(self._at(key), data(value))

    def get(self, key: str) -> bytes:
        """What is under *key*; waits until it is there."""
        string(self, "get", "arg0: str", "bytes", key)
        return self._store.get(self._at(key))

    def add(self, key: str, amount: int) -> int:
        """Add *amount* to the counter *key*."""
        return self._store.add(self._at(key), integer(self, "add", "int", key, amount))

    def compare_set(
        self, key: str, expected_value: str | bytes, desired_value: str | bytes
    ) -> bytes:
        """Write *desired_value* if *expected_value* is there; what is there then."""
        texts(self, "compare_set", key, expected_value, desired_value)
        return self._store.compare_set(self._at(key), data(expected_value), data(desired_value))

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all *keys* are there."""
        return self._store.check([self._at(k) for k in strings(self, "check", "bool", keys)])

    def delete_key(self, key: str) -> bool:
        """Take *key* out; whether it was there."""
        texts(self, "delete_key", key)
        return self._store.delete_key(self._at(key))

    def num_keys(self) -> int:
        """How many keys the whole store has."""
        return self._store.num_keys()

    def wait(self, keys: Sequence[str], timeout: Duration | None = None) -> None:
        """Wait until all *keys* are there."""
        names = [self._at(k) for k in waited_for(self, keys, timeout)]
        self._store.wait(names, self.timeout if timeout is None else timeout)

    def append(self, key: str, value: str | bytes) -> None:
        """Write *value* behind what is under *key*."""
        texts(self, "append", key, value)
        self._store.append(self._at(key), data(value))

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """What is under each of *keys*."""
        names = strings(self, "multi_get", "list[bytes]", keys)
        return self._store.multi_get([self._at(k) for k in names])

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes]) -> None:
        """Write each of *values* under its key."""
        pairs(self, keys, values)
        self._store.multi_set([self._at(k) for k in keys], [data(v) for v in values])

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put *value* at the end of the queue *key*."""
        texts(self, "queue_push", key, value)
        self._store.queue_push(self._at(key), data(value))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take the first value of the queue *key*."""
        return self._store.queue_pop(self._at(key), block)

    def queue_len(self, key: str) -> int:
        """How many values wait in the queue *key*."""
        return self._store.queue_len(self._at(key))

    def list_keys(self) -> list[str]:
        """All keys behind the prefix, without it."""
        start = self._at("")
        return [k[len(start) :] for k in self._store.list_keys() if k.startswith(start)]

    def has_extended_api(self) -> bool:
        """Whether the store behind has it."""
        return self._store.has_extended_api()


living_in("mindtorch.distributed.distributed_c10d", Store, PrefixStore)
living_in("mindtorch._C._distributed_c10d", HashStore)
