"""Graphs: what is captured is not run, and each replay runs it in order with the same memory."""

import gc
import threading

import mindtorch_npu as npu
import pytest
from mindtorch_npu import accelerator, backend, errors

from packages.npu.tests.gates import python_work

MIB = 1024 * 1024

pytestmark = python_work

NOT_PERMITTED = "operation not permitted when stream is capturing"
FAILED = "operation failed due to a previous error during capture"


@pytest.fixture(autouse=True)
def streams():
    """The default streams are current after each test."""
    yield
    for index in range(npu.device_count()):
        with npu.device(index):
            npu.set_stream(npu.default_stream())
    npu.set_device(0)
    npu.synchronize()


def note(list_, value, name="note"):
    backend.launch(0, name, list_.append, (value,))


def another_stream():
    """One that captures do not use; there are 32, which are given out in turn."""
    while (found := npu.Stream()) == npu.graph.default_capture_stream:
        pass
    return found


def capture(work, **how):
    graph = npu.NPUGraph()
    with npu.graph(graph, **how):
        work()
    return graph


def test_nothing_runs_until_it_is_replayed():
    """Replays queue what was captured, in order, on the current stream."""
    done = []
    graph = npu.NPUGraph()
    with npu.graph(graph):
        assert npu.is_current_stream_capturing() and npu.current_stream().is_capturing()
        for value in range(3):
            note(done, value)
    assert not npu.is_current_stream_capturing()
    npu.synchronize()
    assert done == []
    graph.replay()
    graph.replay()
    npu.synchronize()
    assert done == [0, 1, 2, 0, 1, 2]


def test_large_kernels_are_captured_too():
    """Whether a kernel would run at once or be queued does not matter."""
    done = []

    def work():
        backend.launch(0, "small", done.append, (1,), nbytes=8)
        backend.launch(0, "large", done.append, (2,), nbytes=1 << 40)

    graph = capture(work)
    assert done == []
    graph.replay()
    npu.synchronize()
    assert done == [1, 2]


def test_a_kernel_that_fails_in_a_replay_is_told_with_its_line():
    """As an error of any launch."""

    def fail():
        raise ValueError("so it is")

    graph = capture(lambda: backend.launch(0, "failing", fail))
    graph.replay()
    with pytest.raises(ValueError, match="so it is") as caught:
        npu.synchronize()
    (text,) = caught.value.__notes__
    assert "raised by failing" in text and "test_graphs.py" in text


def test_streams_that_wait_for_it_take_part():
    """They are joined by events, in both directions."""
    done = []
    side = another_stream()

    def work():
        note(done, "before")
        side.wait_stream(npu.current_stream())
        with npu.stream(side):
            assert npu.is_current_stream_capturing()
            note(done, "beside")
        npu.current_stream().wait_stream(side)
        note(done, "after")

    graph = capture(work)
    with npu.stream(side):
        assert not npu.is_current_stream_capturing()
        graph.replay()
        note(done, "own")
    npu.synchronize()
    assert done == ["before", "beside", "after", "own"]


def test_a_stream_that_is_not_waited_for():
    """The capture comes to nothing, and its streams are as before."""
    side = another_stream()

    def work():
        side.wait_stream(npu.current_stream())
        with npu.stream(side):
            note([], 1)

    with pytest.raises(errors.AcceleratorError, match="capturing stream has unjoined work"):
        capture(work)
    assert not side.is_capturing()
    with npu.stream(side):
        note(found := [], 1)
    npu.synchronize()
    assert found == [1]


def refused(work, text, **how):
    """*work* raises in a capture, and so does the end of the capture."""
    with pytest.raises(errors.AcceleratorError, match=FAILED), npu.graph(npu.NPUGraph(), **how):
        with pytest.raises(errors.AcceleratorError, match=text) as caught:
            work()
        assert caught.value.error_code in (900, 902, 905, 907)
        assert not npu.is_current_stream_capturing()
        with pytest.raises(errors.AcceleratorError, match=FAILED):
            note([], 1)


def captured_event():
    event = npu.Event()
    event.record()
    return event


@pytest.mark.parametrize(
    "work",
    [
        npu.synchronize,
        lambda: npu.current_stream().synchronize(),
        lambda: npu.current_stream().query(),
        lambda: npu.Stream().synchronize(),
        lambda: npu.default_stream().query(),
        lambda: captured_event().query(),
        lambda: captured_event().synchronize(),
        lambda: backend.wait_current(0),
    ],
)
def test_what_would_wait_is_not_permitted(work):
    """And the capture has failed."""
    refused(work, NOT_PERMITTED)


def test_waiting_for_what_is_not_captured():
    """A captured stream depends on captured work only."""
    outside = captured_event()
    refused(lambda: outside.wait(), "dependency created on uncaptured work in another stream")


def test_a_captured_event_is_none_for_the_host():
    """Neither during the capture, where anything else may be done, nor afterwards."""
    events = []
    text = "operation not permitted on an event last recorded in a capturing stream"
    refused(lambda: captured_event().query(), text, capture_error_mode="relaxed")
    capture(lambda: (note([], 1), events.append(captured_event())))
    for use in (events[0].query, events[0].synchronize, events[0].wait):
        with pytest.raises(errors.AcceleratorError, match=text):
            use()
    events[0].record()
    assert events[0].query()


def test_two_captures_do_not_merge():
    """A stream of one does not wait for a stream of another."""
    first, second = npu.NPUGraph(), npu.NPUGraph()
    streams = npu.Stream(), npu.Stream()
    for graph, stream in zip((first, second), streams, strict=True):
        with npu.stream(stream):
            graph.capture_begin()
            note([], 1)
    with pytest.raises(errors.AcceleratorError, match="would result in a merge of separate"):
        streams[1].wait_stream(streams[0])
    for graph, stream in zip((first, second), streams, strict=True):
        with npu.stream(stream), pytest.raises(errors.AcceleratorError, match=FAILED):
            graph.capture_end()


@pytest.mark.parametrize(
    ("mode", "here", "elsewhere"),
    [("global", True, True), ("thread_local", True, False), ("relaxed", False, False)],
)
def test_what_other_streams_may_do_meanwhile(mode, here, elsewhere):
    """By the mode: nothing unsafe in any thread, nothing in this thread, everything."""
    other = another_stream()

    def look(found):
        try:
            other.synchronize()
        except errors.AcceleratorError as error:
            found.append(str(error))

    def try_it(run):
        found = []
        graph = npu.NPUGraph()
        try:
            with npu.graph(graph, capture_error_mode=mode):
                note([], 1)
                run(found)
        except errors.AcceleratorError as error:
            found.append(str(error))
        npu.set_stream(npu.default_stream())
        return [text.removeprefix("NPU error: ") for text in found]

    def in_a_thread(found):
        thread = threading.Thread(target=look, args=(found,))
        thread.start()
        thread.join()

    assert try_it(look) == [NOT_PERMITTED, FAILED] * here
    assert try_it(in_a_thread) == [NOT_PERMITTED, FAILED] * elsewhere


def test_a_thread_ends_its_own_captures_only():
    """But for relaxed ones."""
    graph, stream, found = npu.NPUGraph(), npu.Stream(), []

    def begin(mode):
        with npu.stream(stream):
            graph.capture_begin(capture_error_mode=mode)
            note([], 1)

    def end():
        with npu.stream(stream):
            try:
                graph.capture_end()
            except errors.AcceleratorError as error:
                found.append(error.error_code)

    for mode, codes in (("thread_local", [908]), ("relaxed", [])):
        begin(mode)
        thread = threading.Thread(target=end)
        thread.start()
        thread.join()
        assert found == codes
        if codes:
            end()
        found.clear()
        graph.reset()


def test_an_external_event_is_recorded_at_each_replay():
    """So the host may wait for a part of a graph; and a graph for what is outside."""
    done = []
    inside, outside = npu.Event(external=True), npu.Event(external=True)
    graph = npu.NPUGraph()
    with npu.graph(graph):
        outside.wait()
        note(done, 1)
        inside.record()
    other = another_stream()
    with npu.stream(other):
        note(done, 0)
        outside.record()
    graph.replay()
    inside.synchronize()
    assert done == [0, 1]


def test_timing_events_and_sleeps_are_captured():
    """A sleep is part of the graph, and takes its time at each replay."""
    start, end = npu.Event(enable_timing=True), npu.Event(enable_timing=True)
    graph = capture(lambda: (captured_event(), npu._sleep(2_000_000)))
    start.record()
    graph.replay()
    end.record()
    npu.synchronize()
    assert start.elapsed_time(end) >= 2


# ---- memory


def pools():
    return {each["segment_pool_id"] for each in npu.memory_snapshot()}


def test_memory_of_a_capture_comes_from_a_pool_of_its_own():
    """It stays for the graph's life, whatever is freed, and goes with it."""
    kept = []
    before = npu.memory_allocated()

    def work():
        kept.append(backend.allocate(3 * MIB, 0))
        backend.allocate(5 * MIB, 0).free()
        note([], 1)

    graph = capture(work)
    pool_id = graph.pool()
    assert pool_id[0] > 0 == pool_id[1] and pool_id in pools()
    assert npu.memory_allocated() - before == 3 * MIB
    outside = backend.allocate(5 * MIB, 0)
    owner = [
        each["segment_pool_id"]
        for each in npu.memory_snapshot()
        if each["address"] <= outside.data_ptr < each["address"] + each["total_size"]
    ]
    assert owner == [(0, 0)]
    kept.clear()
    npu.empty_cache()
    assert pool_id in pools()
    graph.reset()
    npu.empty_cache()
    assert pool_id not in pools()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        graph.pool()
    del outside


def test_graphs_share_a_pool():
    """By its handle, or by one graph's pool; memory that is free in it serves the next capture."""
    places = []

    def work():
        block = backend.allocate(3 * MIB, 0)
        places.append(block.data_ptr)
        note([], 1)

    handle = npu.graph_pool_handle()
    assert handle[0] == 0 < handle[1]
    first = capture(work, pool=handle)
    second = capture(work, pool=first.pool())
    assert first.pool() == second.pool() == handle
    assert places[0] == places[1]
    del first
    gc.collect()
    npu.empty_cache()
    assert handle in pools()
    second.reset()
    npu.empty_cache()
    assert handle not in pools()


def test_streams_of_a_capture_share_its_pool_and_others_do_not():
    """Each stream has its own blocks there; a stream beside it is served as ever."""
    side, other = another_stream(), another_stream()
    found = {}

    def ask(name):
        found[name] = backend.allocate(3 * MIB, 0)

    def work():
        ask("origin")
        note([], 1)
        side.wait_stream(npu.current_stream())
        with npu.stream(side):
            ask("side")
        with npu.stream(other):
            ask("other")
        npu.current_stream().wait_stream(side)

    graph = capture(work)
    owners = {
        part["address"]: each["segment_pool_id"]
        for each in npu.memory_snapshot()
        for part in each["blocks"]
    }
    named = {name: owners.get(block.data_ptr) for name, block in found.items()}
    assert named == {"origin": graph.pool(), "side": graph.pool(), "other": (0, 0)}


def test_a_failed_capture_leaves_no_pool():
    """Its memory may go."""
    block = []

    def work():
        block.append(backend.allocate(30 * MIB, 0))
        npu.current_stream().synchronize()

    before = pools()
    with pytest.raises(errors.AcceleratorError):
        capture(work)
    block.clear()
    npu.set_stream(npu.default_stream())
    npu.empty_cache()
    assert pools() <= before


# ---- the graph


def test_a_graph_is_captured_once_and_replayed_after_it():
    """The texts are torch's."""
    graph = npu.NPUGraph()
    for method, text in (
        (graph.replay, "Called NPUGraph::replay without a preceding successful capture."),
        (graph.pool, r"Called NPUGraph::pool\(\) without a preceding successful capture."),
        (graph.instantiate, r"capture_end\(\) must have been called before calling instantiate"),
        (graph.raw_npu_graph, "unless NPUGraph was initialized with keep_graph=true"),
        (graph.raw_npu_graph_exec, r"until instantiate\(\) has been called"),
    ):
        with pytest.raises(RuntimeError, match=text):
            method()
    with pytest.raises(RuntimeError, match="must be captured on a non-default stream"):
        graph.capture_begin()
    with npu.stream(npu.Stream()):
        graph.capture_begin()
        with npu.stream(npu.Stream()), pytest.raises(RuntimeError, match="same stream it began"):
            graph.capture_end()
        note([], 1)
        graph.capture_end()
        with pytest.raises(RuntimeError, match="already owns a captured graph"):
            graph.capture_begin()
        with pytest.raises(RuntimeError, match="only when keep_graph=true"):
            graph.instantiate()
        graph.reset()
        graph.capture_begin()
        note([], 1)
        graph.capture_end()
    with pytest.raises(RuntimeError, match="Unknown capture error mode"):
        npu.NPUGraph().capture_begin(capture_error_mode="local")


def test_a_graph_that_is_kept(tmp_path):
    """Its numbers, and what it looks like."""
    graph = npu.NPUGraph(keep_graph=True)
    with npu.graph(graph):
        note([], 1, "first")
        note([], 2, "second")
    assert graph.raw_npu_graph()
    with pytest.raises(RuntimeError, match="until instantiate"):
        graph.raw_npu_graph_exec()
    graph.instantiate()
    assert graph.raw_npu_graph_exec()
    with pytest.warns(UserWarning) as said:
        graph.debug_dump(str(tmp_path / "graph.dot"))
    assert [str(each.message)[:24] for each in said] == [
        "DEBUG: calling debug_dum",
        "DEBUG: calling npuGraphD",
    ]
    assert '"0" -> "1";' in (tmp_path / "graph.dot").read_text()


def test_an_empty_graph_warns():
    """It is most likely a mistake."""
    with pytest.warns(UserWarning, match="The NPU Graph is empty"):
        capture(lambda: None)


def test_a_graph_within_a_graph():
    """A replay while a stream is captured is part of the new graph."""
    done = []
    inner = capture(lambda: note(done, 1))
    outer = capture(lambda: (inner.replay(), note(done, 2), inner.replay()))
    assert done == []
    outer.replay()
    npu.synchronize()
    assert done == [1, 2, 1]


def test_a_graph_of_the_accelerator():
    """It is a context of its own, on whichever stream is current."""
    pool = npu.graph_pool_handle()
    graph = accelerator.Graph(pool=pool, capture_error_mode="thread_local")
    done = []
    with npu.Stream(), graph:
        note(done, 1)
    assert (done, graph.pool(), graph.graph_pool) == ([], pool, pool)
    graph.replay()
    accelerator.synchronize()
    assert done == [1]
    with pytest.raises(RuntimeError, match="must be captured on a non-default stream"):
        accelerator.Graph().capture_begin()
