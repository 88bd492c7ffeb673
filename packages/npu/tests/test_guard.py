"""Who comes in between in the allocator's own thread, and what he leaves behind."""

import _thread
import signal
import threading

import pytest
from mindtorch_npu import allocator as allocator_module
from mindtorch_npu import memory, reclaim, runtime
from mindtorch_npu.block_pool import Cache
from mindtorch_npu.memo_states import NO_LEAP

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM, signal.SIGUSR1])
def test_handlers_of_signals_wait_until_the_books_are_whole(
    make_allocator, flat, monkeypatch, number
):
    """Whatever signal it is, and though it comes twice; then they are back in their place."""
    allocator = make_allocator()
    block = allocator.allocate(1000)
    real = reclaim.whole_segments
    held = []

    def handler(number, frame):
        held.append(allocator.lock.mutex._is_owned())
        raise InterruptedError

    def work(*args):
        signal.raise_signal(number)
        signal.raise_signal(number)
        assert not held
        real(*args)
        block.free()

    before = signal.signal(number, handler)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(reclaim, "whole_segments", work)
            with pytest.raises(InterruptedError):
                allocator.empty_cache()
        assert signal.getsignal(number) is handler
    finally:
        signal.signal(number, before)
    assert held == [False]
    assert flat(allocator)["num_sync_all_streams"] == 1
    assert flat(allocator)["allocation.all.current"] == 0


def test_who_was_cut_off_after_the_release_is_made_up_for(make_allocator, flat):
    """Ctrl-C is heard meanwhile, and the next call puts the program's handler back."""
    allocator = make_allocator()
    before = signal.getsignal(signal.SIGINT)
    allocator.lock.acquire()
    allocator.lock.mutex.release()
    assert signal.getsignal(signal.SIGINT) is not before
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert flat(allocator)["allocation.all.current"] == 0
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_is_heard_while_another_thread_has_the_lock(make_allocator, flat):
    """And leaves everything as it was."""
    allocator = make_allocator()
    before = signal.getsignal(signal.SIGINT)
    entered, leave = threading.Event(), threading.Event()

    def hold():
        with allocator.lock:
            entered.set()
            leave.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait(60)
    interrupt = threading.Timer(0.05, _thread.interrupt_main)
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        allocator.empty_cache()
    interrupt.join()
    assert signal.getsignal(signal.SIGINT) is before
    leave.set()
    thread.join()
    assert flat(allocator)["num_sync_all_streams"] == 0


def test_a_free_in_the_middle_of_the_holder_waits(make_allocator):
    """The collector may call it from the holder's own frame, with nothing in between."""
    allocator = make_allocator()
    block = allocator.allocate(1000)
    allocator.record_history("all", None, 10)  # frees go by the books at once
    with allocator.books():
        block.free()
        assert allocator.deferred
    assert not allocator.deferred
    assert allocator.stats()["allocation"]["all"]["current"] == 0


@pytest.mark.parametrize("name", ["hand_out_part", "take_back"])
def test_a_call_in_the_middle_of_what_needs_no_lock_is_refused(
    make_allocator, flat, monkeypatch, name
):
    """It would wait for the frames that it interrupted; frees do wait."""
    allocator = make_allocator()
    blocks = [allocator.allocate(n) for n in (1000, 2000, 3000)]
    real = getattr(allocator_module, name)
    refused = []

    def interrupted(*args):
        if not refused:
            for call in (lambda: allocator.allocate(7777), allocator.stats):
                with pytest.raises(RuntimeError, match=MIDDLE):
                    call()
                refused.append(call)
            blocks.pop().free()
        return real(*args)

    allocator.refresh()  # nothing is known
    with monkeypatch.context() as patch:
        patch.setattr(allocator_module, name, interrupted)
        blocks.pop().free()
        allocator.settle()
        blocks.append(allocator.allocate(5000))
    assert len(refused) == 2
    assert flat(allocator)["allocation.all.current"] == 2
    blocks.clear()
    assert flat(allocator)["allocation.all.current"] == 0


@pytest.mark.parametrize("name", ["hand_out_part", "take_back"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("again", [False, True])
def test_torn_books_are_mended_by_the_next_who_needs_them(
    make_allocator, flat, monkeypatch, name, when, again
):
    """Two Ctrl-C in a row too, the second in the middle of the mending."""
    allocator = make_allocator()
    blocks = [allocator.allocate(n) for n in (1000, 2000, 3000)]
    allocator.refresh()
    real = getattr(allocator_module, name)

    def raising(*args):
        raise KeyboardInterrupt

    def interrupted(*args):
        if when == "after":
            real(*args)
        else:
            for pool in (allocator.small, allocator.large):
                for cache in pool.caches.values():
                    cache.nodes.clear()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(allocator_module, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            blocks.pop(0).free()
            allocator.settle()
            allocator.allocate(5000)
    assert allocator.walk.last is NO_LEAP
    if again:
        with monkeypatch.context() as patch:
            patch.setattr(Cache, "rebuild", raising)
            with pytest.raises(KeyboardInterrupt):
                allocator.stats()
    assert flat(allocator)["allocation.all.current"] == 2
    blocks += [allocator.allocate(n) for n in (1000, 2000, 3000)]
    assert len({block.data_ptr for block in blocks}) == 5
    del blocks
    assert flat(allocator)["active_bytes.all.current"] == 0
    allocator.empty_cache()
    assert flat(allocator)["reserved_bytes.all.current"] == 0


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
