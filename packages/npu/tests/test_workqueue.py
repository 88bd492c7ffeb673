"""A stream's queue: order, asynchrony, waiting, errors, back-pressure, threads."""

import threading
import time

import pytest
from mindtorch_npu import workers, workqueue
from mindtorch_npu.completion import is_done, wait
from mindtorch_npu.workqueue import AT_ONCE, WorkQueue


@pytest.fixture
def queue():
    return WorkQueue(0, 0, 0, label="npu:0 stream 0")


def eventually(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_entries_run_in_order_and_tickets_tell(queue):
    """FIFO; a ticket is done when its entry has run."""
    seen = []
    gate = threading.Event()
    queue.enqueue(gate.wait)
    tickets = [queue.enqueue(seen.append, (i,)) for i in range(100)]
    assert not any(map(is_done, tickets))
    gate.set()
    wait(tickets[49])
    assert seen[:50] == list(range(50))
    queue.synchronize()
    assert seen == list(range(100))
    assert all(map(is_done, tickets))


def test_work_proceeds_without_anybody_waiting(queue):
    """A queue has a worker: what was queued runs while Python does something else."""
    seen = []
    queue.enqueue(seen.append, (threading.get_ident,))
    eventually(lambda: seen)
    assert queue.query()


def test_launch_returns_before_the_work_is_done(queue):
    """Queued work is not finished work."""
    gate = threading.Event()
    ticket = queue.enqueue(gate.wait)
    assert not is_done(ticket)
    assert not queue.query()
    gate.set()
    queue.synchronize()
    assert is_done(ticket)
    assert queue.query()


def test_two_queues_overlap():
    """Streams run at the same time: a kernel may wait for what another stream does."""
    one, two = (WorkQueue(0, i, i, label=f"s{i}") for i in (1, 3))
    flag = threading.Event()
    seen = []
    one.enqueue(lambda: seen.append(flag.wait(20)))
    two.enqueue(flag.set)
    one.synchronize()
    assert seen == [True]


def test_sleeps_on_one_queue_add_up(queue):
    """Work of a stream never overlaps with itself."""
    start = time.monotonic()
    queue.sleep(30_000_000)
    queue.sleep(30_000_000)
    queue.synchronize()
    assert time.monotonic() - start >= 0.06


def test_wait_for_orders_two_queues():
    """Work after wait_for starts when the other stream's entry has run."""
    one, two = (WorkQueue(0, i, i, label=f"s{i}") for i in (1, 3))
    seen = []
    one.sleep(30_000_000)
    ticket = one.enqueue(seen.append, ("one",))
    two.wait_for(ticket)
    two.enqueue(seen.append, ("two",))
    two.synchronize()
    assert seen == ["one", "two"]


def test_marks_measure_sleeps_exactly(queue):
    """The time between two marks is that of the sleeps between them, not of the host's threads."""
    gate = threading.Event()
    queue.enqueue(gate.wait)
    start, _ = queue.mark()
    queue.sleep(2_000_000)
    queue.sleep(3_000_000)
    end, ticket = queue.mark()
    gate.set()
    wait(ticket)
    assert end.end - start.end == 5_000_000


def test_error_surfaces_at_the_next_wait_and_only_once(queue):
    """The exception of the kernel is raised, with op and line; then the stream works again."""

    def fail():
        raise IndexError("index 7 is out of bounds")

    seen = []
    queue.enqueue(fail, (), "aten::index", "train.py:12 in step")
    after = queue.enqueue(seen.append, (1,))
    with pytest.raises(IndexError, match="^index 7 is out of bounds") as caught:
        wait(after)
    assert caught.value.__notes__ == [
        "raised by aten::index on npu:0 stream 0, queued at train.py:12 in step"
    ]
    assert seen == [1]
    queue.synchronize()
    wait(queue.enqueue(seen.append, (2,)))
    assert seen == [1, 2]


def test_first_of_several_errors_is_raised(queue):
    """Later ones are counted in a note: they are mostly consequences."""
    queue.enqueue(int, ("x",), "aten::first")
    queue.enqueue(int, ("y",), "aten::second")
    with pytest.raises(ValueError, match="'x'") as caught:
        queue.synchronize()
    assert caught.value.__notes__[1] == (
        "1 more queued operation(s) on npu:0 stream 0 failed after it"
    )
    queue.synchronize()


def test_interrupted_wait_loses_no_work(queue):
    """Ctrl-C while a waiting thread runs the queue: the entry runs again, in its place."""
    seen = []
    interrupt = [True]

    def kernel():
        if interrupt.pop() if interrupt else False:
            raise KeyboardInterrupt
        seen.append("kernel")

    queue._awake = True  # keep the worker out, so that this thread is the one that runs it
    ticket = queue.enqueue(kernel)
    queue.enqueue(seen.append, ("after",))
    with pytest.raises(KeyboardInterrupt):
        wait(ticket)
    queue.synchronize()
    assert seen == ["kernel", "after"]


def test_a_full_queue_makes_the_launcher_work(queue):
    """As on hardware a launch blocks when too much is waiting; nothing piles up without bound."""
    longest = 0
    for _ in range(5000):
        queue.enqueue(int)
        longest = max(longest, len(queue.entries))
    assert longest <= workqueue._QUEUE_LIMIT + 1
    queue.synchronize()


def test_blocking_queue_runs_each_launch_at_once():
    """MINDTORCH_NPU_LAUNCH_BLOCKING: an error comes from the launch itself."""
    queue = WorkQueue(0, 0, 0, label="s", blocking=True)
    with pytest.raises(ValueError):
        queue.enqueue(int, ("x",))
    queue.blocking = False
    queue.refresh()  # its worker keeps it, and while it blocks all launches of the process look


def test_small_kernel_on_an_idle_stream_runs_at_once(queue):
    """The launching thread runs it; its error waits for the next synchronisation all the same."""
    ran = []

    def kernel():
        ran.append(threading.get_ident())

    ticket = queue.launch(kernel, (), "op", None, 100)
    assert ran == [threading.get_ident()] and is_done(ticket) and queue.last() is None
    queue.launch(int, ("no number",), "op", "train.py:3", 100)
    with pytest.raises(ValueError) as raised:
        queue.synchronize()
    assert raised.value.__notes__ == ["raised by op on npu:0 stream 0, queued at train.py:3"]
    queue.synchronize()


def test_small_kernel_behind_others_waits_its_turn(queue):
    """Order is that of the launches; large kernels go to the worker."""
    seen, gate = [], threading.Event()
    queue.launch(gate.wait, (10,), "large", None, AT_ONCE + 1)
    ticket = queue.launch(seen.append, ("small",), "small", None, 1)
    assert not seen and not is_done(ticket)
    gate.set()
    queue.synchronize()
    assert seen == ["small"]


def test_launches_meet_a_kernel_that_another_thread_runs(queue):
    """While one thread runs a small kernel, those of others wait for their turn."""
    inside, gate, seen = threading.Event(), threading.Event(), []

    def slow():
        inside.set()
        gate.wait(10)
        seen.append("first")

    thread = threading.Thread(target=queue.launch, args=(slow, (), "", None, 1))
    thread.start()
    inside.wait(10)
    queue.launch(seen.append, ("second",), "", None, 1)
    assert not seen
    gate.set()
    thread.join()
    queue.synchronize()
    assert seen == ["first", "second"]


def test_other_threads_see_and_await_a_kernel_that_runs_at_once(queue):
    """The stream is not idle while a launching thread runs its kernel; who waits is woken."""
    inside, gate, seen = threading.Event(), threading.Event(), []

    def slow():
        inside.set()
        gate.wait(10)
        seen.append("kernel")

    def look():
        queue.synchronize()
        seen.append("waited")

    threads = [threading.Thread(target=queue.launch, args=(slow, (), "", None, 1))]
    threads.append(threading.Thread(target=look))
    threads[0].start()
    inside.wait(10)
    assert not queue.query()
    threads[1].start()
    time.sleep(0.02)
    assert not seen
    gate.set()
    for thread in threads:
        thread.join(10)
    assert seen == ["kernel", "waited"]
    assert queue.query()


def test_many_threads_share_a_queue(queue):
    """Launches and waits from several threads: everything runs once, in each thread's order."""
    seen = []

    def launch(me):
        for i in range(300):
            ticket = queue.enqueue(seen.append, ((me, i),))
            if i % 7 == 0:
                wait(ticket)

    threads = [threading.Thread(target=launch, args=(t,)) for t in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    queue.synchronize()
    assert len(seen) == 1800
    for t in range(6):
        assert [i for me, i in seen if me == t] == list(range(300))


def test_idle_worker_ends_and_comes_back(queue, monkeypatch):
    """No thread stays behind for a stream that is not used."""
    monkeypatch.setattr(workqueue, "_IDLE_SECONDS", 0.02)
    seen = []
    queue.enqueue(seen.append, (1,))
    eventually(lambda: queue._thread is None)
    queue.enqueue(seen.append, (2,))
    eventually(lambda: seen == [1, 2])


def test_no_reference_survives_the_run(queue):
    """A done ticket holds neither the kernel nor its arguments."""
    ticket = queue.enqueue(len, ("abc",))
    wait(ticket)
    assert ticket[:2] == [None, None]


def test_worker_setup_runs_in_every_worker(monkeypatch):
    """The framework can prepare the threads that run its kernels."""
    seen = []
    mine = []
    for module in (workers, workqueue):
        monkeypatch.setattr(module, "setups", mine)
    workers.on_worker_start(lambda: seen.append(threading.current_thread().name))
    queue = WorkQueue(0, 5, 5, label="npu:0 stream 5")
    queue.enqueue(int)
    eventually(lambda: seen == ["mindtorch npu:0 stream 5"])


def test_kernel_that_waits_for_its_own_stream_is_an_error(queue):
    """It could never finish: an error is better than hanging."""
    queue.enqueue(lambda: wait(queue.enqueue(int)))
    with pytest.raises(RuntimeError, match="^a kernel of npu:0 stream 0 waits for its own stream"):
        queue.synchronize()


def test_who_is_called_in_the_middle_of_a_kernel_may_wait_for_its_stream(queue):
    """The handler of a signal, say: what came before that kernel is done."""
    seen = []

    def kernel():
        queue.enqueue(seen.append, (1,))
        queue.synchronize()
        return 2

    assert queue.compute(kernel) == 2
    assert seen == [1] and not queue.entries


def test_who_ran_the_queue_before_may_wait_while_another_thread_begins(queue):
    """Between taking the queue and its first entry the runner of before is not the runner."""
    wait(queue.enqueue(int))
    assert queue.turn.take()  # as a thread that begins
    ticket = queue.enqueue(int)
    threading.Timer(0.02, setattr, (queue.turn, "free", True)).start()
    wait(ticket)
    assert is_done(ticket)


@pytest.mark.parametrize("told", [True, False])
def test_a_queue_whose_runner_was_interrupted_goes_on(queue, told):
    """Ctrl-C between taking the queue and running it: nobody is in there, so it is free.

    Who waits finds that out in a tenth of a second.
    """
    assert queue.turn.take()
    queue._runner = threading.get_ident() if told else 0
    seen = []
    start = time.monotonic()
    wait(queue.enqueue(seen.append, (1,)))
    assert time.monotonic() - start < 3
    assert seen == [1]
    queue.synchronize()
    assert queue.turn.is_free()


def test_a_queue_whose_runner_was_interrupted_goes_on_by_itself(queue, monkeypatch):
    """Where nobody waits, its worker finds out."""
    monkeypatch.setattr(workqueue, "_IDLE_SECONDS", 0.05)  # not after five seconds
    assert queue.turn.take()
    seen = []
    queue.enqueue(seen.append, (1,))
    eventually(lambda: seen == [1])


def test_waiter_is_woken_when_its_entry_is_done(queue, monkeypatch):
    """While another thread runs the queue, a waiter sleeps, and wakes as soon as it may."""
    monkeypatch.setattr(workqueue, "_BELT_SECONDS", 600.0)  # no help from it
    running, gate = threading.Event(), threading.Event()
    queue.enqueue(lambda: (running.set(), gate.wait(20)))
    ticket = queue.enqueue(int)
    assert running.wait(20)  # the worker is inside
    waiter = threading.Thread(target=wait, args=(ticket,), daemon=True)
    waiter.start()
    eventually(lambda: queue._waiters)
    gate.set()
    waiter.join(20)
    assert not waiter.is_alive()


def test_a_handler_in_the_middle_of_a_launch_may_wait_for_what_others_queued(queue):
    """It runs what waits for this very thread."""
    seen = []

    def kernel():
        ticket = queue.enqueue(seen.append, (1,))
        wait(ticket)
        return 3

    assert queue.compute(kernel) == 3
    assert seen == [1] and queue.query()
    assert queue.turn.is_free()


def test_threads_that_wait_for_kernels_of_one_function_are_told_apart(queue):
    """By their gates: the kernels' arrays cannot be compared."""

    class Array:
        def __eq__(self, other):
            raise ValueError("operands could not be broadcast together")

        __hash__ = None

    other, mine = [[int, (Array(),), "", None, queue] for _ in range(2)]
    queue._waiters.append((threading.Lock(), other))
    queue._await_runner(mine)  # the runner has just let go
    assert [ticket for _, ticket in queue._waiters] == [other]
    queue._waiters.clear()
