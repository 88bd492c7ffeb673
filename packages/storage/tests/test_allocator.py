"""The host allocator keeps the contract that it publishes."""

from __future__ import annotations

from mindtorch_storage import HostAllocator
from mindtorch_storage.testing import AllocatorContract


class TestHostAllocator(AllocatorContract):
    make = staticmethod(HostAllocator)
