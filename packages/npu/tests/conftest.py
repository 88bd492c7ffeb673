"""Fixtures: allocator settings that are put back, allocators over a small simulated device."""

import signal
from collections.abc import Callable, Iterator

import pytest
from mindtorch_npu import allocator_config
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.simulator import Simulator

MIB = 1024 * 1024

# A job that a shell has put into the background ignores SIGINT, and children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def settings() -> Iterator[Callable[[str], None]]:
    """``settings("max_split_size_mb:40")``; everything is as before after the test."""
    current = allocator_config.config
    before = {name: getattr(current, name) for name in allocator_config.Config.__slots__}
    before["roundup_power2_divisions"] = list(current.roundup_power2_divisions)
    yield allocator_config.parse
    for name, value in before.items():
        setattr(current, name, value)
    for listener in allocator_config.listeners:
        listener.refresh()


@pytest.fixture
def make_allocator() -> Callable[..., CachingAllocator]:
    """An allocator of its own for a simulated device with so many MiB."""

    def make(memory_mib: int = 1024) -> CachingAllocator:
        return CachingAllocator(Simulator(1, memory_mib * MIB), 0)

    return make


class FakeQueue:
    """A stream whose work finishes when the test says so."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.error = None
        self.tickets: list[list[object]] = []

    def work(self) -> None:
        self.tickets.append([len, (), "", None, self])

    def last(self) -> list[object] | None:
        return self.tickets[-1] if self.tickets else None

    def finish(self, ticket: list[object]) -> None:
        while ticket[0] is not None:
            self.finish_one()

    def finish_one(self) -> None:
        if self.tickets:
            self.tickets.pop(0)[0] = None


@pytest.fixture
def make_queue() -> Callable[[int], FakeQueue]:
    return FakeQueue


@pytest.fixture
def flat() -> Callable[[CachingAllocator], dict[str, int]]:
    """``memory_stats`` of an allocator."""

    def flatten(allocator: CachingAllocator) -> dict[str, int]:
        found: dict[str, int] = {}

        def walk(prefix: str, value: object) -> None:
            if isinstance(value, dict):
                for key, inner in value.items():
                    walk(f"{prefix}.{key}" if prefix else key, inner)
            else:
                assert isinstance(value, int)
                found[prefix] = value

        walk("", allocator.stats())
        return found

    return flatten
