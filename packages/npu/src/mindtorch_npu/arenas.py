"""Which part of a device's memory a request asks: the *arena*, a pool's cache of one stream.

An arena is a number: the stream's handle in the lower 64 bits, and above it the number of the pool,
0 for the default one. Each queue has the one that requests on it ask. Where some requests are
*diverted* to a private pool (see ``private_pools.py``), which arena is meant follows from who asks;
then the queues of the device have a number below -1, which says that the allocator is to find out.
"""

from __future__ import annotations

from collections.abc import Iterable

from mindtorch_npu.protocols import Queue

__all__ = ["HANDLE", "STREAM", "arena_of", "divert", "handle_of", "undivert"]

STREAM = 64  # bits of an arena below the pool
HANDLE = (1 << STREAM) - 1

#: The devices whose allocators divert requests.
_diverted: set[int] = set()


def arena_of(device_index: int, handle: int) -> int:
    """The arena that a request on the stream *handle* names."""
    return -2 - handle if device_index in _diverted else handle


def handle_of(arena: int) -> int:
    """The stream of an arena that is to be found out."""
    return -2 - arena


def divert(device_index: int, queues: Iterable[Queue]) -> None:
    """From now on the allocator of the device is to find out which arena is meant."""
    _diverted.add(device_index)
    for queue in queues:
        queue.refresh()


def undivert(device_index: int, queues: Iterable[Queue]) -> None:
    """:func:`divert` no more."""
    _diverted.discard(device_index)
    for queue in queues:
        queue.refresh()
