"""Pools of memory that users make: ``MemPool`` and ``use_mem_pool``.

Source: torch/cuda/memory.py; aten/src/ATen/cuda/MemPool.cpp; torch/csrc/cuda/MemPool.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_npu import errors
from mindtorch_npu.backend import allocator as device_allocator
from mindtorch_npu.block_pool import PoolId
from mindtorch_npu.devices import current_device, device_index
from mindtorch_npu.diverting_allocator import this_thread
from mindtorch_npu.naming import TYPE
from mindtorch_npu.private_pools import new_id
from mindtorch_npu.runtime import HARDWARE
from mindtorch_npu.snapshots import memory_snapshot

__all__ = ["MemPool", "use_mem_pool"]


class MemPool:
    """A pool of memory of its own; :func:`use_mem_pool` leads allocations to it.

    :param allocator: None. Raises RuntimeError for another: memory comes from the device only.
    :param use_on_oom: whether its free blocks serve other requests for which there is no room.
    :param no_split: whether every allocation gets a whole segment.
    """

    __module__ = f"torch.{TYPE}.memory"  # what users' reprs and pickles show

    def __init__(
        self, allocator: Any = None, use_on_oom: bool = False, no_split: bool = False
    ) -> None:
        if HARDWARE:
            raise errors.no_pools_on_hardware()
        if allocator is not None:
            raise errors.no_pluggable_allocator()
        self._allocator = found = device_allocator(current_device())
        pool_id = new_id()
        found.use_pool(pool_id)
        self._id = pool_id
        if use_on_oom:
            found.help_out_with(pool_id, True)
        if no_split:
            found.forbid_splits(pool_id)

    @property
    def id(self) -> PoolId:
        """What names it among all pools: two ints."""
        return self._id

    @property
    def allocator(self) -> None:
        """The pluggable allocator of its memory: none."""
        return None

    def use_count(self) -> int:
        """How many use it: this object, and each :func:`use_mem_pool` that goes on."""
        return self._allocator.pool_use_count(self._id)

    def snapshot(self, include_traces: bool = True) -> list[dict[str, Any]]:
        """Its segments on all devices, as :func:`memory_snapshot` shows them."""
        return memory_snapshot(self._id, include_traces)

    def __del__(self) -> None:
        if hasattr(self, "_id"):
            self._allocator.leave_pool(self._id, True)


@contextmanager
def use_mem_pool(pool: MemPool, device: Any = None) -> Iterator[None]:
    """A block whose allocations in this thread come from *pool*.

    :param device: of which device; default the current one.
    """
    index = current_device() if device is None else device_index(device)
    found = device_allocator(index)
    found.begin_to_divert(pool.id, this_thread())
    try:
        yield
    finally:
        found.end_to_divert(pool.id)
        found.release_pool(pool.id)
