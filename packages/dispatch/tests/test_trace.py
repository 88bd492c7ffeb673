"""A trace: the tree of events of calls, per thread, and the forms it is read in."""

from __future__ import annotations

import json
import threading

import pytest
from mindtorch_dispatch import (
    DispatchKey,
    Pipeline,
    call_kernel,
    dispatch,
    exclude_keys,
    include_keys,
    redispatch,
    registry,
    tls,
)
from mindtorch_dispatch.trace import Trace, current_trace, tracing, untraced
from mindtorch_dispatch.trace_events import Argument, Event


class Value:
    """What a call takes: a device and whether it needs a gradient."""

    def __init__(self, device="cpu", requires_grad=False):
        self.device = device
        self.requires_grad = requires_grad


@pytest.fixture
def twice():
    """``toy::twice``: autograd hands on to cpu, whose kernel calls ``toy::once``."""

    def autograd(keys, x):
        return redispatch("toy::twice", keys.remove(DispatchKey.AutogradCPU), x)

    def cpu(x):
        return dispatch("toy::once", None, x) + dispatch("toy::once", None, x)

    handles = [
        registry.register_kernel("toy::twice", DispatchKey.AutogradCPU, autograd, with_keyset=True),
        registry.register_kernel("toy::twice", DispatchKey.CPU, cpu),
        registry.register_kernel("toy::once", DispatchKey.CPU, lambda x: 1),
    ]
    yield "toy::twice"
    registry.remove(handles)


def outline(events):
    """kind and name (or key) of events, nested."""
    return [
        (e.kind, e.hop.key.name if e.kind == "kernel" else e.name, outline(e.children))
        for e in events
    ]


def test_redispatch_and_inner_calls_nest(twice):
    """A kernel lies in the one that handed on to it, inner calls in the kernel that made them."""
    trace = Trace()
    with tracing(trace):
        assert dispatch(twice, None, Value(requires_grad=True)) == 2
    once = ("call", "toy::once", [("kernel", "CPU", [])])
    kernels = [("kernel", "AutogradCPU", [("kernel", "CPU", [once, once])])]
    # The inner calls' own argument needs a gradient too: their autograd key falls through.
    assert outline(trace.events) == [("call", twice, kernels)]
    assert len(trace) == 7 and len(trace.calls()) == 3


def test_times_lie_inside_each_other(twice):
    """An event begins after and ends before the one around it."""
    trace = Trace()
    with tracing(trace):
        dispatch(twice, None, Value())
    for event in trace.walk():
        assert event.start < event.end
        assert event.own >= 0
        for inner in event.children:
            assert event.start <= inner.start and inner.end <= event.end


def test_call_says_keys_and_masks(twice):
    """Merged keys after the masks; the masks themselves; the arguments as described."""
    trace = Trace(lambda value: Argument("value", int(DispatchKey.CPU)))
    guards = include_keys(DispatchKey.Tracer), exclude_keys(DispatchKey.AutogradCPU)
    handle = registry.register_fallthrough("toy::once", DispatchKey.Tracer)
    with tracing(trace), guards[0], guards[1]:
        dispatch("toy::once", None, Value(requires_grad=True))
    handle.remove()
    call = trace.events[0]
    assert call.arguments == (Argument("value", int(DispatchKey.CPU)),)
    assert call.included & DispatchKey.Tracer and call.excluded & DispatchKey.AutogradCPU
    assert call.keys & DispatchKey.Tracer and not call.keys & DispatchKey.AutogradCPU
    assert call.chosen is not None and call.chosen.hop.key == DispatchKey.CPU


def test_off_means_the_default_state(twice):
    """Before and after, the state word is 0: call tables are looked up as ever."""
    assert tls.state.get() == 0
    with tracing(Trace()):
        assert tls.extra(tls.state.get()) & tls.TRACED
    assert tls.state.get() == 0 and current_trace() is None


def test_calls_that_no_trace_is_told_of(twice):
    with tracing(Trace()) as trace:
        with untraced():
            assert current_trace() is None
            dispatch(twice, None, Value())
        assert current_trace() is trace
        dispatch(twice, None, Value())
    with tracing(Trace()) as other:
        dispatch(twice, None, Value())
    assert outline(trace.events) == outline(other.events)


def test_an_exception_restores_and_is_noted(twice):
    """The guard restores; the event says what was raised, and is closed."""
    trace = Trace()
    handle = registry.register_kernel("toy::once", DispatchKey.CPU, lambda x: 1 / 0)
    with pytest.raises(ZeroDivisionError), tracing(trace):
        dispatch(twice, None, Value())
    handle.remove()
    assert tls.state.get() == 0 and current_trace() is None
    assert all(e.end for e in trace.walk())
    assert trace.events[0].error == "ZeroDivisionError: division by zero"
    # In text it is said once, where it happened.
    assert trace.text().count("raised ZeroDivisionError") == 1


def test_a_missing_kernel_is_an_event_too(twice):
    """A call that nothing serves stands in the trace with its error."""
    trace = Trace()
    with pytest.raises(NotImplementedError), tracing(trace):
        dispatch(twice, None, Value("npu"))
    (call,) = trace.events
    assert call.error.startswith("NotImplementedError") and call.chosen is None


def test_other_threads_are_not_traced(twice):
    """The flag is the thread's own."""
    trace = Trace()
    seen = []

    def body():
        seen.append(tls.state.get())
        dispatch(twice, None, Value())

    with tracing(trace):
        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
    assert seen == [0] and not trace.events


def test_inner_trace_and_outer_trace_share_events(twice):
    """Both have what happens in the inner block; the outer goes on afterwards."""
    outer, inner = Trace(), Trace()
    with tracing(outer):
        with tracing(inner):
            dispatch("toy::once", None, Value())
        dispatch("toy::once", None, Value())
    assert len(outer.events) == 2 and inner.events == outer.events[:1]


def test_guards_left_out_of_order_restore(twice):
    """A generator that is left inside the block does not leave the flag behind."""

    def traced():
        with tracing(Trace()):
            yield

    generator = traced()
    next(generator)
    with include_keys(DispatchKey.Tracer):
        generator.close()
        assert not tls.extra(tls.state.get()) & tls.TRACED
    assert tls.state.get() == 0


def test_limit_counts_what_it_does_not_keep(twice):
    """A trace of a long program stays small, and says so."""
    trace = Trace(limit=3)
    with tracing(trace):
        dispatch(twice, None, Value())
    assert len(trace) == 3 and trace.dropped == 3
    assert trace.text().endswith("3 more events are not kept (limit)")
    with pytest.raises(ValueError, match="at least 1"):
        Trace(limit=0)


def test_select_by_op_key_and_depth(twice):
    """What is asked for, with what is around it."""
    trace = Trace()
    with tracing(trace):
        dispatch(twice, None, Value(requires_grad=True))
        dispatch("toy::once", None, Value())
    assert [e.name for e in trace.select(op="toy::once").events] == [twice, "toy::once"]
    assert len(trace.select(op="toy::once").calls()) == 4
    assert [e.name for e in trace.select(op="tw*").events] == [twice]
    only = trace.select(key="AutogradCPU")
    assert outline(only.events) == [
        ("call", twice, [("kernel", "AutogradCPU", [("kernel", "CPU", [])])])
    ]
    assert outline(trace.select(depth=1).events) == [
        ("call", twice, []),
        ("call", "toy::once", []),
    ]
    assert not trace.select(op="nothing").events
    assert len(trace) == 9, "the trace itself is as it was"


def test_text_folds_equal_neighbours(twice):
    """A loop is shown once, with its number and its whole time."""
    trace = Trace(lambda value: Argument("x"))
    with tracing(trace):
        dispatch(twice, None, Value())
    lines = trace.text().splitlines()
    assert lines[0].startswith("toy::twice(x)  ")
    assert lines[1].startswith("└─ CPU: cpu  ")
    assert lines[2].startswith("   └─ 2 × toy::once(x)  ")
    assert lines[3].startswith("      └─ CPU: <lambda>  ")
    assert len(lines) == 4


def test_deep_trees_need_no_recursion():
    """A trace may be deeper than the interpreter's limit of frames."""
    trace = Trace()
    spans = [trace.span("node", f"n{i}") for i in range(3000)]
    for span in spans:
        span.__enter__()
    for span in reversed(spans):
        span.__exit__(None, None, None)
    assert len(trace.text().splitlines()) == 3000
    assert len(trace.chrome_trace()["traceEvents"]) == 3002
    assert trace.to_dict()["count"] == 3000


def check_chrome_format(data):
    """The rules of Google's "Trace Event Format" for the phases used: X and M."""
    assert set(data) <= {"traceEvents", "displayTimeUnit", "otherData"}
    assert data["displayTimeUnit"] in ("ms", "ns")
    open_until = {}
    complete = [e for e in data["traceEvents"] if e["ph"] == "X"]
    for event in data["traceEvents"]:
        assert event["ph"] in ("X", "M") and isinstance(event["name"], str)
        assert type(event["pid"]) is int and type(event["tid"]) is int
        assert isinstance(event.get("args", {}), dict)
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name")
            assert isinstance(event["args"]["name"], str)
        else:
            assert isinstance(event["cat"], str)
            assert event["ts"] >= 0 and event["dur"] >= 0
    for event in sorted(complete, key=lambda e: (e["tid"], e["ts"], -e["dur"])):
        stack = open_until.setdefault(event["tid"], [])
        end = event["ts"] + event["dur"]
        while stack and stack[-1] <= event["ts"]:
            stack.pop()
        # Events of a track must nest; viewers drop those that overlap in part.
        assert not stack or end <= stack[-1] + 1e-6
        stack.append(end)
    named = {e["tid"] for e in data["traceEvents"] if e["name"] == "thread_name"}
    assert {e["tid"] for e in complete} <= named


def test_chrome_trace_is_valid(twice, tmp_path):
    """What is written loads in Perfetto: the format's rules hold, also after a JSON round trip."""
    trace = Trace(lambda value: Argument("x", int(DispatchKey.CPU)))
    with tracing(trace):
        dispatch(twice, None, Value(requires_grad=True))
    trace.save(tmp_path / "trace.json")
    data = json.loads((tmp_path / "trace.json").read_text("utf-8"))
    check_chrome_format(data)
    spans = [e for e in data["traceEvents"] if e["ph"] == "X"]
    assert len(spans) == len(trace)
    assert spans[0]["name"] == "toy::twice(x)" and spans[0]["args"]["arguments"] == "x: CPU"


def test_save_knows_two_endings(twice, tmp_path):
    """Text too; anything else is refused."""
    trace = Trace()
    trace.save(tmp_path / "empty.txt")
    with pytest.raises(ValueError, match="as .json or .txt"):
        trace.save(tmp_path / "trace.xml")


def test_dict_has_what_a_reader_needs(twice):
    """Keys by name, where and why of each kernel; JSON takes it."""
    trace = Trace()
    with tracing(trace):
        dispatch(twice, None, Value(requires_grad=True))
    data = json.loads(json.dumps(trace.to_dict()))
    (call,) = data["events"]
    assert call["chosen"] == "AutogradCPU" and "CPU" in call["keys"]
    (kernel,) = call["children"]
    assert kernel["why"] == "registered at this key" and "test_trace.py:" in kernel["where"]


def test_call_kernel_is_traced(twice):
    """A kernel that is called by its key has an event, without a call around it."""
    trace = Trace()
    with tracing(trace):
        call_kernel("toy::once", DispatchKey.CPU, Value())
    assert outline(trace.events) == [("kernel", "CPU", [])]


def test_flush_shows_its_entries():
    """Recorded entries run inside the flush, each with the line that recorded it."""
    pipe = Pipeline()
    trace = Trace()
    with tracing(trace):
        pipe.record("toy::once", lambda: dispatch_nothing(), ())
        pipe.flush()
        pipe.flush()  # nothing waits: no event
    (flush,) = trace.events
    assert outline([flush]) == [
        ("flush", "pipeline", [("entry", "toy::once", [("node", "inside", [])])])
    ]
    assert flush.notes == ("1 recorded",)
    assert "test_trace.py:" in flush.children[0].notes[0]


def dispatch_nothing():
    with current_trace().span("node", "inside"):
        pass


def test_flush_of_a_failing_entry_closes_its_events():
    """The error passes on as it does without a trace."""
    pipe = Pipeline()
    trace = Trace()
    with tracing(trace):
        pipe.record("toy::bad", lambda: 1 / 0, ())
        with pytest.raises(ZeroDivisionError):
            pipe.flush()
    assert all(e.end and e.error for e in trace.walk())


def test_events_of_another_thread_stand_at_the_top():
    """A context that is copied into a thread takes the trace along, not the open events."""
    from contextvars import copy_context

    trace = Trace()
    with tracing(trace), trace.span("node", "main"):
        context = copy_context()

        def body():
            with current_trace().span("node", "other"):
                pass

        thread = threading.Thread(target=context.run, args=(body,))
        thread.start()
        thread.join()
    assert sorted(e.name for e in trace.events) == ["main", "other"]
    check_chrome_format(trace.chrome_trace())


def test_event_is_shown_by_kind_and_name():
    """For debuggers."""
    assert repr(Event("call", "aten::add")) == "<call aten::add>"
