"""Contracts that implementers of this package's protocols inherit in their own tests."""

from __future__ import annotations

from collections.abc import Callable

from .protocols import Allocator, Block


class AllocatorContract:
    """What storages rely on in an `Allocator`. Subclass it and say how to make one::

    class TestMyAllocator(AllocatorContract):
        make = staticmethod(MyAllocator)
    """

    make: Callable[[], Allocator]

    def test_a_block_has_at_least_the_bytes_asked_for(self) -> None:
        """A block may be larger than the request, never smaller."""
        allocator = self.make()
        for nbytes in (1, 7, 64, 1000, 1 << 16):
            assert allocator.allocate(nbytes).nbytes >= nbytes

    def test_blocks_and_allocators_satisfy_the_protocols(self) -> None:
        """All names of the protocols are there."""
        allocator = self.make()
        assert isinstance(allocator, Allocator)
        assert isinstance(allocator.allocate(1), Block)

    def test_live_blocks_do_not_overlap(self) -> None:
        """Two blocks in use never share an address."""
        allocator = self.make()
        blocks = [allocator.allocate(nbytes) for nbytes in (1, 100, 64, 4096, 3)]
        spans = sorted((b.data_ptr, b.data_ptr + b.nbytes) for b in blocks)
        for (_, end), (start, _) in zip(spans, spans[1:], strict=False):
            assert end <= start

    def test_addresses_are_aligned_to_64_bytes(self) -> None:
        """Kernels may rely on the alignment of a cache line."""
        allocator = self.make()
        blocks = [allocator.allocate(nbytes) for nbytes in (1, 3, 100, 65)]
        assert all(block.data_ptr % 64 == 0 for block in blocks)

    def test_an_empty_block_has_address_zero(self) -> None:
        """Nothing lies nowhere; it can be freed like any block."""
        block = self.make().allocate(0)
        assert (block.data_ptr, block.nbytes) == (0, 0)
        block.free()

    def test_freeing_twice_changes_nothing(self) -> None:
        """The second call must not give back memory that has a new owner."""
        allocator = self.make()
        first = allocator.allocate(128)
        first.free()
        second = allocator.allocate(128)
        first.free()
        third = allocator.allocate(128)
        assert second.data_ptr != third.data_ptr

    def test_a_negative_size_is_refused(self) -> None:
        """A size below zero is a RuntimeError and takes no memory."""
        allocator = self.make()
        try:
            allocator.allocate(-1)
        except RuntimeError:
            return
        raise AssertionError("allocate(-1) did not raise RuntimeError")

    def test_a_size_beyond_all_memory_is_refused(self) -> None:
        """Out of memory is a RuntimeError, after which smaller requests still succeed."""
        allocator = self.make()
        try:
            allocator.allocate(1 << 60)
        except RuntimeError:
            assert allocator.allocate(64).nbytes >= 64
            return
        raise AssertionError("allocate(1 << 60) did not raise RuntimeError")
