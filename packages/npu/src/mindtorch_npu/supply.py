"""Where memory comes from when the cache has none that fits, and the error when none comes.

The caller holds the allocator's lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindtorch_npu import errors, reclaim
from mindtorch_npu.segments import ask_driver

if TYPE_CHECKING:
    from mindtorch_npu.block import Node
    from mindtorch_npu.books import Books
    from mindtorch_npu.pool import Pool

__all__ = ["obtain", "out_of_memory"]


def obtain(allocator: Books, pool: Pool, size: int, stream: int) -> Node:
    """A whole new segment for a block of *size*: after giving back more and more of the cache.

    Raises OutOfMemoryError when nothing helps.
    """
    history = allocator.history
    history.serves = True
    try:
        return _obtain(allocator, pool, size, stream)
    finally:
        history.serves = False


def _obtain(allocator: Books, pool: Pool, size: int, stream: int) -> Node:
    segment_size = pool.segment_size(size)
    if allocator.collects:
        reclaim.garbage(allocator, allocator.large, allocator.reserved, allocator.limit or 0)
    node = ask_driver(allocator, pool, segment_size, stream)
    if node is None and reclaim.oversize(allocator, pool, size, stream):
        node = ask_driver(allocator, pool, segment_size, stream)
    if node is None:
        allocator.flush()
        allocator.statistics.num_alloc_retries += 1
        node = ask_driver(allocator, pool, segment_size, stream)
    if node is None:
        raise out_of_memory(allocator, size, segment_size, stream)
    return node


def out_of_memory(
    allocator: Books, size: int, segment_size: int, stream: int
) -> errors.OutOfMemoryError:
    """Count the failure and word it. *size* is the rounded request."""
    index = allocator.device_index
    free, total = allocator.driver.memory_info(index)
    limit = allocator.limit
    statistics = allocator.statistics
    statistics.num_ooms += 1
    history = allocator.history
    if history.enabled:
        history.note("oom", free, size, stream, history.allocation_site())
    error = errors.out_of_memory(
        device=index,
        size=segment_size,
        total=total,
        free=free,
        limit=limit,
        allocated=statistics.allocated_bytes(),
        reserved=statistics.reserved_bytes(),
    )
    error.facts = (index, segment_size, total if limit is None else limit, free)
    return error
