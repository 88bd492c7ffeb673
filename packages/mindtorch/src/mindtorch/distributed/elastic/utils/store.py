"""Meetings of processes in a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

__all__ = ["barrier", "get_all", "store_timeout", "synchronize"]

_LAST = "/last_member"
_COUNT = "/num_members"


@contextmanager
def store_timeout(store: Any, timeout: float) -> Iterator[None]:
    """Let *store* wait for *timeout* seconds within the block."""
    before = store.timeout
    store.set_timeout(timedelta(seconds=timeout))
    try:
        yield
    finally:
        store.set_timeout(before)


def get_all(store: Any, rank: int, prefix: str, world_size: int) -> list[bytes]:
    """What all have stored under *prefix* and their ranks; the first waits till all have read."""
    found: list[bytes] = store.multi_get([f"{prefix}{i}" for i in range(world_size)])
    _arrive(store, world_size, f"{prefix}/finished")
    if rank == 0:
        store.get(f"{prefix}/finished{_LAST}")
    return found


def synchronize(
    store: Any,
    data: bytes,
    rank: int,
    world_size: int,
    key_prefix: str,
    timeout: float = 300,
) -> list[bytes]:
    """Exchange *data* with all others: what each of them gave, by rank."""
    with store_timeout(store, timeout):
        store.set(f"{key_prefix}{rank}", data)
        return get_all(store, rank, key_prefix, world_size)


def _arrive(store: Any, world_size: int, prefix: str) -> str:
    """Count one that has come; the last says that all have."""
    if store.add(f"{prefix}{_COUNT}", 1) == world_size:
        store.set(f"{prefix}{_LAST}", "<val_ignored>")
    return f"{prefix}{_LAST}"


def barrier(
    store: Any,
    world_size: int,
    key_prefix: str,
    barrier_timeout: float = 300,
    rank: int | None = None,
    rank_tracing_decoder: Callable[[int], str] | None = None,
    trace_timeout: float = 10,
) -> None:
    """Wait for all others."""
    with store_timeout(store, barrier_timeout):
        store.get(_arrive(store, world_size, key_prefix))
