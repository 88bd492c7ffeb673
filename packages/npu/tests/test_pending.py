"""Frees that are waited for or go wrong: no block is forgotten, and Ctrl-C is heard afterwards."""

import signal
from types import SimpleNamespace

import pytest
from mindtorch_npu.pending import PendingFrees


def test_an_interrupted_wait_forgets_no_pending_block():
    """Neither the one that was waited for nor those behind it."""
    released = []
    pending = PendingFrees(released.append)
    nodes = [SimpleNamespace(events=0) for _ in range(3)]
    queue = SimpleNamespace(last=lambda: [len, (), "", None, None])
    for node in nodes:
        pending.add(node, {1: queue, 2: queue})
    waited = []

    def wait(ticket):
        waited.append(ticket)
        if len(waited) in (2, 5):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            pending.wait_all(wait)
    pending.wait_all(wait)
    assert released == nodes
    assert not pending.by_stream
    assert len(waited) == 2 * 3 + 2


@pytest.mark.parametrize("late", [False, True])
def test_a_free_that_fails_leaves_the_handler_of_signals(make_allocator, monkeypatch, late):
    """Whatever raises by the books: Ctrl-C is the program's again, and the block can be freed."""
    allocator = make_allocator()
    place = allocator.take(1000)
    allocator.record_history("all", None, 10)  # so that a free goes by the books at once
    if late:
        allocator.late.append(place)

    def fail(*args):
        raise ValueError("by the books")

    before = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patch:
        patch.setattr(type(allocator), "_take_back", fail)
        with pytest.raises(ValueError, match="by the books"):
            allocator.settle() if late else allocator.give(place)
        assert signal.getsignal(signal.SIGINT) is before
    allocator.settle()
    assert allocator.stats()["allocation"]["all"]["current"] == 0
