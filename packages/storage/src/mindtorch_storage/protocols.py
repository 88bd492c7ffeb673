"""What this package asks of others: memory of a device, one block at a time."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Block(Protocol):
    """A piece of a device's memory. It goes back when freed or when nothing refers to it."""

    @property
    def data_ptr(self) -> int:
        """The address, as the device counts; 0 for an empty block."""
        ...

    @property
    def nbytes(self) -> int:
        """How many bytes may be used: at least what was asked for."""
        ...

    def free(self) -> None:
        """Give the memory back. Doing so again changes nothing."""
        ...


@runtime_checkable
class Allocator(Protocol):
    """Where a device's blocks come from. See `testing.AllocatorContract` for its rules."""

    def allocate(self, nbytes: int) -> Block:
        """A block of at least *nbytes* bytes of undefined content.

        Raises RuntimeError if *nbytes* is negative or there is not so much memory.
        """
        ...
