"""Who comes in between in the allocator's own thread, and locks whose holder is gone."""

import signal
import threading

import pytest
from mindtorch_npu import guard, memory, reclaim, runtime

MIDDLE = "in the middle of its own work"


def test_what_cannot_wait_for_itself_is_refused(make_allocator, monkeypatch, flat):
    """As a handler of a signal or a finalizer does it: frees wait, the rest says why not."""
    allocator = make_allocator()
    block = allocator.allocate(1000)
    kept = allocator.allocate(5000)
    refused = []
    real = reclaim.whole_segments

    def handler(*args):
        block.free()
        for call in (allocator.stats, lambda: allocator.allocate(7777), allocator.empty_cache):
            with pytest.raises(RuntimeError, match=MIDDLE) as raised:
                call()
            refused.append(raised)
        real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(reclaim, "whole_segments", handler)
        allocator.empty_cache()
    assert len(refused) == 3
    assert flat(allocator)["allocation.all.current"] == 1
    kept.free()
    assert flat(allocator)["allocation.all.current"] == 0


@pytest.mark.parametrize("in_another_thread", [False, True])
def test_a_lock_that_was_left_behind_is_made_anew(make_allocator, flat, in_another_thread):
    """An exception that a handler raised took its holder away."""
    allocator = make_allocator()
    before = signal.getsignal(signal.SIGINT)
    block = allocator.allocate(1000)
    if in_another_thread:
        thread = threading.Thread(target=allocator.lock.acquire)
        thread.start()
        thread.join()
    else:
        allocator.lock.acquire()
        assert signal.getsignal(signal.SIGINT) is not before
    assert flat(allocator)["allocation.all.current"] == 1
    assert signal.getsignal(signal.SIGINT) is before
    block.free()
    assert flat(allocator)["allocation.all.current"] == 0


def test_a_free_in_the_middle_of_the_holder_takes_no_lock_away(make_allocator):
    """The collector may call it from the holder's own frame, with nothing in between."""
    allocator = make_allocator()
    found = {}
    source = "def hold(lock, free):\n    with lock:\n        free()\n        return lock._lock"
    exec(compile(source, guard.__file__, "exec"), found)
    lock = allocator.lock
    block = allocator.allocate(1000)
    allocator.record_history("all", None, 10)  # frees go by the books at once
    before = lock._lock
    assert found["hold"](lock, block.free) is lock._lock is before
    assert allocator.stats()["allocation"]["all"]["current"] == 0


def test_the_handler_of_signals_comes_back_where_another_thread_makes_the_lock_anew(
    make_allocator, flat
):
    """Only the main thread may set it, and does so at its next chance."""
    allocator = make_allocator()
    before = signal.getsignal(signal.SIGINT)
    allocator.lock.acquire()
    counts = []
    thread = threading.Thread(target=lambda: counts.append(flat(allocator)))
    thread.start()
    thread.join(60)
    assert counts[0]["num_sync_all_streams"] == 0
    allocator.lock.tell()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_lock_whose_holder_works_is_waited_for(make_allocator, flat, monkeypatch):
    """However long that takes."""
    allocator = make_allocator()
    entered, leave = threading.Event(), threading.Event()
    real = reclaim.whole_segments

    def slow(*args):
        entered.set()
        leave.wait(60)
        real(*args)

    monkeypatch.setattr(reclaim, "whole_segments", slow)
    thread = threading.Thread(target=allocator.empty_cache)
    thread.start()
    entered.wait(60)
    threading.Timer(0.2, leave.set).start()
    assert flat(allocator)["num_sync_all_streams"] == 1
    assert leave.is_set()
    thread.join()


def test_frees_wait_for_the_mutex_and_the_rest_says_so():
    """``memory._free_mutex`` holds the books while the program's own code runs."""
    runtime.lazy_init()
    with memory._free_mutex(), pytest.raises(RuntimeError, match=MIDDLE):
        memory.memory_stats(0)
    assert memory.memory_stats(0)
