"""Pipeline: recorded ops run later, in order, once, and never give wrong numbers."""

import threading
import time

import pytest
from mindtorch_dispatch import (
    DispatchKey,
    Pipeline,
    capture_site,
    current_masks,
    current_pipeline,
    describe_site,
    exclude_keys,
    pipeline_context,
    settle,
    tls,
    watch_failures,
    watch_flushes,
)

HERE = __file__


class Cell:
    """Stands in for a storage: a number that an entry writes."""

    def __init__(self, value=None):
        self.raw = value
        self.pending = None

    def read(self):
        settle(self.pending)
        return self.raw


def write(pipe, cell, compute, *inputs, op="aten::op", site=None):
    def run():
        cell.raw = compute(*[i.raw for i in inputs])

    return pipe.record(op, run, [cell], site, inputs)


def fail(*_):
    raise ValueError("boo", 3)


def test_recording_marks_the_outputs_and_runs_nothing():
    """pending is the entry until it is done, then None."""
    pipe, c = Pipeline(), Cell()
    entry = write(pipe, c, lambda: 5)
    assert c.pending is entry and not entry.done and c.raw is None and pipe.pending == 1
    pipe.flush()
    assert c.pending is None and entry.done and c.raw == 5 and pipe.pending == 0
    assert entry.run is None


def test_entries_run_in_program_order():
    """Later entries see what earlier ones wrote, in-place ones included."""
    pipe, a, b = Pipeline(), Cell(), Cell()
    write(pipe, a, lambda: 1)
    first = a.pending
    write(pipe, b, lambda x: x + 1, a)
    second = write(pipe, a, lambda x: x * 100, a)
    assert a.pending is second is not first
    assert (a.read(), b.read()) == (100, 2)


def test_reading_flushes_whatever_thread_or_context_asks():
    """settle() needs nothing but the entry."""
    pipe, c = Pipeline(), Cell()
    with pipeline_context(pipe):
        write(pipe, c, lambda: 7)
        got = []
        thread = threading.Thread(target=lambda: got.append(c.read()))
        thread.start()
        thread.join()
    assert got == [7]
    settle(None)


def test_full_queue_flushes_itself():
    """max_pending bounds the memory that a pipeline holds."""
    pipe = Pipeline(max_pending=3)
    cells = [Cell() for _ in range(5)]
    for n, c in enumerate(cells):
        write(pipe, c, lambda n=n: n)
    assert [c.raw for c in cells] == [0, 1, 2, None, None] and pipe.pending == 2
    with pytest.raises(ValueError, match="max_pending"):
        Pipeline(max_pending=0)


def test_first_ops_may_be_computed_at_once():
    """Then the limit is what it was."""
    pipe = Pipeline(max_pending=2)
    pipe.compute_first(1)
    assert pipe.max_pending == 1 and pipe.limits() == (1, 2, 1)
    cells = [Cell() for _ in range(4)]
    for n, c in enumerate(cells):
        write(pipe, c, lambda n=n: n)
        if n in {0, 2}:
            assert pipe.max_pending == 2 and pipe.window == n // 2 + 1
    assert [c.raw for c in cells] == [0, 1, 2, None] and pipe.pending == 1
    before = pipe.limits()
    pipe.compute_first(0)
    assert pipe.limits() == before
    pipe.compute_first(3)
    pipe.set_limits(before)
    assert pipe.max_pending == 2 and pipe.at_once == 0


def test_window_is_what_waited_at_the_last_flush():
    """Reading counts as a flush; a flush that finds nothing does not."""
    pipe = Pipeline()
    cells = [Cell() for _ in range(3)]
    for c in cells:
        write(pipe, c, lambda: 1)
    settle(cells[0].pending)
    pipe.flush()
    assert pipe.window == 3


def test_context_includes_the_pipeline_key_and_flushes_when_left():
    """The thread is as before afterwards."""
    assert current_pipeline() is None
    with pipeline_context() as pipe:
        assert current_pipeline() is pipe
        assert DispatchKey.Pipeline in current_masks()[0]
        c = Cell()
        write(pipe, c, lambda: 1)
        assert c.pending
    assert c.raw == 1 and current_pipeline() is None and tls.state.get() == 0


def test_contexts_nest():
    """The inner one flushes after what the outer one recorded before it."""
    order = []
    with pipeline_context() as outer:
        outer.record("a", lambda: order.append("a"))
        with pipeline_context() as inner:
            assert current_pipeline() is inner
            inner.record("b", lambda: order.append("b"))
        assert order == ["a", "b"] and current_pipeline() is outer
        outer.record("c", lambda: order.append("c"))
        assert DispatchKey.Pipeline in current_masks()[0]
        with pipeline_context(outer):
            outer.record("d", lambda: order.append("d"))
        assert order == ["a", "b", "c", "d"]
        with pipeline_context() as inner:
            inner.record("e", lambda: order.append("e"))
            with pipeline_context(outer):
                outer.record("f", lambda: order.append("f"))
    assert order == ["a", "b", "c", "d", "e", "f"] and tls.state.get() == 0


def test_context_inside_guards_gives_the_masks_back():
    """Guards and contexts undo only themselves."""
    with exclude_keys(DispatchKey.Meta):
        before = tls.state.get()
        with pipeline_context():
            assert tls.state.get() != before
        assert tls.state.get() == before


def test_failing_kernel_raises_its_own_error_and_names_op_and_line():
    """Same type and arguments; op and user line are in a note."""
    pipe, c = Pipeline(), Cell()
    line = write.__code__.co_firstlineno
    write(pipe, c, fail, op="aten::div", site="user.py:12")
    with pytest.raises(ValueError) as caught:
        pipe.flush()
    assert caught.value.args == ("boo", 3)
    assert caught.value.__notes__ == ["deferred operator aten::div, recorded at user.py:12"]
    assert line


def test_entries_from_a_failure_on_stay_pending_with_the_error():
    """Reading them raises it again; earlier ones have their numbers; the queue is empty."""
    pipe = Pipeline()
    before, bad, after = Cell(), Cell(), Cell()
    write(pipe, before, lambda: 1)
    write(pipe, bad, fail)
    write(pipe, after, lambda: 3)
    with pytest.raises(ValueError):
        pipe.flush()
    assert before.read() == 1 and pipe.pending == 0
    for cell in (bad, after):
        for _ in range(2):
            assert cell.pending is not None and cell.raw is None
            with pytest.raises(ValueError, match="boo") as caught:
                cell.read()
            assert len(caught.value.__notes__) == 1
    pipe.flush()


def test_work_after_a_failure_goes_on_but_never_with_failed_inputs():
    """An entry that reads a failed one fails with the same error."""
    pipe = Pipeline()
    bad, fine, child = Cell(), Cell(), Cell()
    write(pipe, bad, fail)
    with pytest.raises(ValueError):
        pipe.flush()
    write(pipe, fine, lambda: 2)
    write(pipe, child, lambda x: x, bad)
    with pytest.raises(ValueError) as caught:
        pipe.flush()
    assert fine.read() == 2 and child.raw is None and child.pending.error is caught.value
    assert len(caught.value.__notes__) == 1


def test_leaving_by_an_exception_flushes_too():
    """Eager code would have run those ops."""
    c = Cell()
    with pytest.raises(KeyError):
        with pipeline_context() as pipe:
            write(pipe, c, lambda: 4)
            raise KeyError
    assert c.raw == 4 and tls.state.get() == 0 and current_pipeline() is None


def test_failing_flush_never_hides_the_users_exception():
    """It becomes a note of it."""
    with pytest.raises(KeyError, match="mine") as caught:
        with pipeline_context() as pipe:
            write(pipe, Cell(), fail, site="user.py:3")
            raise KeyError("mine")
    (note,) = caught.value.__notes__
    assert "failed to flush: ValueError: ('boo', 3)" in note and "user.py:3" in note
    assert tls.state.get() == 0 and current_pipeline() is None


def test_failing_flush_of_a_context_left_normally_is_raised():
    """And the thread is out of pipeline mode."""
    with pytest.raises(ValueError):
        with pipeline_context() as pipe:
            write(pipe, Cell(), fail)
    assert tls.state.get() == 0 and current_pipeline() is None


def test_kernels_run_outside_of_pipeline_mode():
    """What they call is computed, not recorded again, and the mode comes back."""
    seen = []
    with pipeline_context() as pipe:
        pipe.record("x", lambda: seen.append((current_pipeline(), tls.state.get())))
        pipe.flush()
        assert current_pipeline() is pipe and tls.state.get() != 0
    assert seen == [(None, 0)]


def test_kernel_may_read_pending_objects_while_flushing():
    """Its own output and earlier results, without deadlock or recursion."""
    pipe, a, b = Pipeline(), Cell(), Cell()
    write(pipe, a, lambda: 2)

    def run():
        b.read()
        b.raw = a.read() + 1

    pipe.record("x", run, [b])
    pipe.flush()
    assert b.read() == 3


def test_kernel_sees_its_own_place_in_the_program():
    """An object that a later entry overwrites is read as it is before that."""
    pipe, a, b = Pipeline(), Cell(1), Cell()
    pipe.record("read", lambda: setattr(b, "raw", a.read()), [b])
    write(pipe, a, lambda: 100)
    assert (b.read(), a.read()) == (1, 100)
    other = Pipeline()
    pipe.record("read", lambda: setattr(b, "raw", a.read()), [b])
    write(other, a, lambda: 200)
    assert (b.read(), a.read()) == (100, 200)


def test_kernel_may_use_a_pipeline_of_its_own():
    """Entries that a kernel records are run for it."""
    pipe, out = Pipeline(), Cell()

    def run():
        inner = Cell()
        with pipeline_context() as own:
            write(own, inner, lambda: 8)
            out.raw = inner.read() + 1

    pipe.record("x", run, [out])
    assert out.read() == 9


def test_input_pending_on_another_pipeline_is_settled_first():
    """And its failure is passed on."""
    one, two = Pipeline(), Pipeline()
    a, b, bad, c = Cell(), Cell(), Cell(), Cell()
    write(one, a, lambda: 1)
    write(two, b, lambda x: x + 1, a)
    two.flush()
    assert b.read() == 2 and one.pending == 0
    write(one, bad, fail)
    write(two, c, lambda x: x, bad)
    with pytest.raises(ValueError):
        two.flush()
    with pytest.raises(ValueError):
        c.read()


def test_interlocked_pipelines_flush_from_two_threads():
    """Each needs what the other recorded before; a wait ends with the entry, not the flush."""
    one, two = Pipeline(), Pipeline()
    first, second, third = Cell(), Cell(), Cell()
    begun = threading.Event()

    def slow():
        begun.set()
        limit = time.monotonic() + 5
        while one._changed is None and time.monotonic() < limit:
            time.sleep(0.001)
        first.raw = 1

    one.record("slow", slow, [first])
    write(two, second, lambda x: x + 1, first)
    write(one, third, lambda x: x + 1, second)
    threads = [threading.Thread(target=p.flush, daemon=True) for p in (one, two)]
    threads[0].start()
    begun.wait()
    threads[1].start()
    for t in threads:
        t.join(10)
        assert not t.is_alive()
    assert [c.read() for c in (first, second, third)] == [1, 2, 3]


def test_failure_of_the_enclosing_pipeline_stops_the_inner_one():
    """What the inner one recorded may depend on it."""
    late = Cell()
    with pytest.raises(ValueError):
        with pipeline_context() as outer:
            write(outer, Cell(), fail)
            with pipeline_context() as inner:
                write(inner, late, lambda: 1)
    with pytest.raises(ValueError):
        late.read()
    assert late.raw is None and inner.pending == 0 and tls.state.get() == 0


def test_kernel_cannot_record_into_the_pipeline_that_runs_it():
    """The new entry would come after everything that waits, yet be wanted at once."""
    pipe = Pipeline()
    pipe.record("x", lambda: pipe.record("y", lambda: None))
    with pytest.raises(RuntimeError, match="a kernel cannot record y into the pipeline"):
        pipe.flush()


def test_second_thread_waits_for_a_flush_in_progress():
    """It returns when the numbers are there, and each entry runs once."""
    pipe, a, b, runs = Pipeline(), Cell(), Cell(), []
    begun = threading.Event()

    def slow():
        begun.set()
        time.sleep(0.05)
        runs.append(1)
        return 1

    write(pipe, a, slow)
    write(pipe, b, lambda x: x + 1, a)
    thread = threading.Thread(target=pipe.flush)
    thread.start()
    begun.wait()
    assert a.read() == 1
    pipe.flush()
    assert b.raw == 2 and runs == [1]
    thread.join()


def test_many_threads_flush_one_pipeline_while_it_records():
    """No entry is lost or run twice."""
    pipe, counts, stop = Pipeline(max_pending=50), [0] * 3000, threading.Event()

    def bump(n):
        counts[n] += 1

    def flusher():
        while not stop.is_set():
            pipe.flush()

    threads = [threading.Thread(target=flusher) for _ in range(3)]
    for t in threads:
        t.start()
    for n in range(len(counts)):
        pipe.record("x", lambda n=n: bump(n))
    stop.set()
    for t in threads:
        t.join()
    pipe.flush()
    assert counts == [1] * len(counts)


def test_interrupt_leaves_a_consistent_state():
    """It passes through; what did not run says so when read; new work goes on."""
    pipe, done, half, later = Pipeline(), Cell(), Cell(), Cell()
    write(pipe, done, lambda: 1)

    def stop():
        half.raw = "half"
        raise KeyboardInterrupt

    pipe.record("aten::half", stop, [half], "user.py:9")
    write(pipe, later, lambda x: x, half)
    with pytest.raises(KeyboardInterrupt):
        pipe.flush()
    assert done.read() == 1 and pipe.pending == 0
    for cell in (half, later):
        with pytest.raises(RuntimeError, match="KeyboardInterrupt stopped.*aten::half.*user.py:9"):
            cell.read()
    write(pipe, later, lambda: 5)
    assert later.read() == 5


def test_executor_runs_batches_in_place_of_single_entries():
    """It gets entries in program order, and what it returns from is finished."""
    batches = []

    def execute(entries):
        batches.append([e.op for e in entries])
        for e in entries:
            e.run()

    pipe, other = Pipeline(executor=execute), Pipeline()
    a, b, c, x = Cell(), Cell(), Cell(), Cell()
    write(pipe, a, lambda: 1, op="a")
    write(pipe, b, lambda v: v + 1, a, op="b")
    write(other, x, lambda v: v + 1, b, op="x")
    write(pipe, c, lambda v: v + 1, x, op="c")
    pipe.flush()
    assert (a.read(), b.read(), x.read(), c.read()) == (1, 2, 3, 4)
    assert batches == [["a", "b"], ["c"]]


def test_failing_executor_poisons_what_is_not_finished():
    """It may finish entries as results come in and say which one is to blame."""

    def execute(entries):
        entries[0].run()
        entries[0].finish()
        entries[2].error = error = ValueError("boo")
        raise error

    pipe, cells = Pipeline(executor=execute), [Cell() for _ in range(3)]
    for n, c in enumerate(cells):
        write(pipe, c, lambda n=n: n, op=f"op{n}")
    with pytest.raises(ValueError) as caught:
        pipe.flush()
    assert "op2" in caught.value.__notes__[0]
    assert cells[0].read() == 0
    for c in cells[1:]:
        with pytest.raises(ValueError):
            c.read()


def test_site_is_the_innermost_line_outside_of_the_framework():
    """Frames of the framework's modules are skipped; the line is found when asked for."""
    source = "def call(f):\n    return f()\n"
    inside = {"__name__": "mindtorch.aten"}
    exec(compile(source, "inside.py", "exec"), inside)
    assert describe_site(inside["call"](capture_site)).startswith(HERE)
    package = {"__name__": "mindtorch"}
    exec(compile(source, "package.py", "exec"), package)
    assert describe_site(package["call"](capture_site)).startswith(HERE)
    user = {"__name__": "mindtorch_demo"}
    exec(compile(source, "demo.py", "exec"), user)
    assert describe_site(user["call"](capture_site)) == "demo.py:2"
    assert describe_site(user["call"](lambda: capture_site(2, ("mindtorch_demo",)))).startswith(
        HERE
    )
    assert describe_site(None) == "an unknown place"
    assert describe_site(("a.py", 3)) == "a.py:3"


def test_recording_finds_the_users_line():
    """Where no site is given."""
    pipe = Pipeline()
    entry = pipe.record("x", lambda: None)
    line = test_recording_finds_the_users_line.__code__.co_firstlineno + 3
    assert describe_site(entry.site) == f"{HERE}:{line}"
    assert repr(entry) == f"<pending x from {HERE}:{line}>"


@pytest.fixture
def no_watchers(monkeypatch):
    """The lists of watchers as in a process where nobody watches."""
    monkeypatch.setattr("mindtorch_dispatch.pipeline._flush_watchers", [])
    monkeypatch.setattr("mindtorch_dispatch.pipeline._failure_watchers", [])


def test_early_results_wait_for_the_flush(no_watchers):
    """What the recorder computed at once is handed to the watchers, once."""
    seen, marker = [], object()
    watch_flushes(seen.append)
    pipe, c = Pipeline(), Cell()
    pipe.early.append(marker)
    assert pipe.pending == 1
    pipe.flush()
    pipe.flush()
    assert seen == [[marker]] and pipe.pending == 0
    pipe.early.append(marker)
    write(pipe, c, lambda: 1)
    assert c.read() == 1 and seen == [[marker], [marker]]


def test_failures_are_watched(no_watchers):
    """With every entry whose outputs stay unwritten."""
    seen = []
    watch_failures(lambda failed: seen.extend(e.op for e in failed))
    pipe, c = Pipeline(), Cell()
    write(pipe, c, lambda: 1, op="fine")
    write(pipe, c, fail, op="bad")
    write(pipe, c, lambda: 1, op="later")
    with pytest.raises(ValueError):
        pipe.flush()
    assert seen == ["bad", "later"]


def test_context_object_can_be_used_again_and_inside_itself():
    """Each entering remembers its own way out; without a given pipeline each has its own."""
    context = pipeline_context()
    with context as outer:
        with context as inner:
            assert inner is not outer and current_pipeline() is inner
        assert current_pipeline() is outer
    assert current_pipeline() is None and tls.state.get() == 0
