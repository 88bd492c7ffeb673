"""Frees that are waited for or go wrong: no block is forgotten, and Ctrl-C is heard afterwards."""

import random
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from mindtorch_npu import locked_allocator
from mindtorch_npu.pending_frees import PendingFrees


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


def test_event_stands_where_the_block_died(make_allocator, make_queue, flat):
    """What another stream is given to do after that does not keep the block."""
    allocator, side = make_allocator(), make_queue(0x100)
    for _ in range(4):
        block = allocator.allocate(512)
        address = block.data_ptr
        allocator.record_stream(block, side)
        del block
        side.work()
        block = allocator.allocate(512)
        assert block.data_ptr == address
        assert flat(allocator)["active.all.current"] == 1
        allocator.record_stream(block, side)
        side.finish_one()
        allocator.erase_stream(block, 0x100)
        del block


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_block_that_cannot_wait_is_not_lost(make_allocator, make_queue, flat, monkeypatch):
    """Ctrl-C where its finaliser begins to take it back."""
    allocator, side = make_allocator(), make_queue(0x100)
    real = type(allocator).settle

    def settle(self):
        if not struck:
            struck.append(1)
            raise KeyboardInterrupt
        real(self)

    monkeypatch.setattr(type(allocator), "settle", settle)
    for _ in range(6):
        struck = []
        block = allocator.allocate(512)
        allocator.record_stream(block, side)
        del block
        assert struck
        stats = flat(allocator)
        assert stats["allocation.all.current"] == 0
        assert stats["allocation.all.allocated"] == stats["allocation.all.freed"]


def test_a_free_counts_though_another_thread_had_the_lock(make_allocator, flat):
    """Statistics include what their own thread has freed before."""
    allocator = make_allocator()
    block = allocator.allocate(512)
    entered = threading.Event()

    def read():
        with allocator.lock:  # as who reads a history
            entered.set()
            time.sleep(0.05)

    reader = threading.Thread(target=read)
    reader.start()
    entered.wait()
    del block
    assert flat(allocator)["allocation.all.current"] == 0
    reader.join()


def test_a_place_that_was_forgotten_is_not_given_out(make_allocator, monkeypatch):
    """A history that begins hears of every free, however many places were known before."""
    monkeypatch.setattr(locked_allocator, "_PLACES", 6)
    for seed in range(5):
        allocator = make_allocator()
        rng = random.Random(seed)
        programs = [[rng.choice((512, 700, 2048)) for _ in range(4)] for _ in range(3)]
        for _ in range(200):
            held = [allocator.allocate(size) for size in rng.choice(programs)]
            with allocator.books():
                led = {*allocator.nodes(), *allocator._places.values()}
            assert all(block.place in led for block in held)
            while held:
                held.pop(rng.randrange(len(held)))


@pytest.mark.parametrize("late", [False, True])
def test_a_free_that_fails_leaves_the_handler_of_signals(make_allocator, monkeypatch, late):
    """Whatever raises by the books: Ctrl-C is the program's again, and the block can be freed."""
    allocator = make_allocator()
    place = allocator.take(1000)
    allocator.record_history("all", None, 10)  # so that a free goes by the books at once
    if late:
        allocator.deferred.append(place)

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
