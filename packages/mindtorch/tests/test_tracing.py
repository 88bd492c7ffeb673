"""``torch.dispatch_trace()``: what it says of real calls, and that it changes nothing."""

from __future__ import annotations

import subprocess
import sys
import threading

import mindtorch as torch
import pytest
from mindtorch_dispatch import DispatchKey, registry, tls


def line(event):
    """The keys at which kernels of a call ran, first to last."""
    keys = []
    while event is not None:
        event = event.chosen if event.kind == "call" else next(iter(event.children), None)
        if event is None or event.kind != "kernel":
            break
        keys.append(event.hop.key.name.replace("PrivateUse1", "NPU"))
    return keys


def test_a_call_runs_through_autograd_to_the_backend():
    """Arguments with their key sets, and the kernel at each key."""
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3)
    with torch.dispatch_trace() as t:
        x * y
    (call,) = t.events
    assert call.name == "aten::mul.Tensor" and line(call) == ["AutogradCPU", "CPU"]
    assert [a.text for a in call.arguments] == ["f32[2,3],grad", "f32[3]"]
    own = torch._C._dispatch_keys(y).mask
    assert [a.keys for a in call.arguments] == [own, own]
    needed = DispatchKey.CPU | DispatchKey.AutogradCPU | DispatchKey.ADInplaceOrView
    assert own & needed == needed and call.keys & needed == needed


def test_arguments_that_are_defaults_are_left_out():
    """Keyword-only ones carry their name."""
    x = torch.ones(2)
    with torch.dispatch_trace() as t:
        torch.add(x, x)
        torch.add(x, 2, alpha=3)
        torch.zeros(2, dtype=torch.int64)
        torch.cat([x, x])
    texts = [[a.text for a in e.arguments] for e in t.events]
    assert texts[0] == ["f32[2]", "f32[2]"] and texts[1] == ["f32[2]", "2", "alpha=3"]
    assert texts[2][:2] == ["[2]", "dtype=torch.int64"] and texts[3] == ["[f32[2],f32[2]]"]


def test_inner_calls_of_a_composite_op_are_inside():
    """``linear`` calls ``t`` and ``matmul``, and that calls ``mm``."""
    with torch.dispatch_trace() as t:
        torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3))
    linear = t.events[-1]
    assert linear.chosen.hop.rule == "CompositeImplicitAutograd"
    inner = [e.name for e in linear.walk() if e.kind == "call"]
    assert inner == ["aten::linear", "aten::t", "aten::matmul", "aten::mm"]


def test_a_backward_shows_its_nodes_and_their_calls():
    """Also of a graph that was recorded before the trace."""
    x = torch.ones(3, requires_grad=True)
    loss = (x * 2).exp().sum()
    with torch.dispatch_trace() as t:
        loss.backward()
    run = t.events[-1]
    assert run.kind == "backward"
    nodes = [e.name for e in run.children]
    assert nodes[:3] == ["SumBackward0", "ExpBackward0", "MulBackward0"]
    assert nodes[3].endswith("AccumulateGrad")
    assert [e.name for e in run.children[1].children] == ["aten::mul.Tensor"]
    assert x.grad is not None


def test_a_pipeline_is_recorded_and_flushed():
    """The backend's kernel says that it only records; the flush shows what runs."""
    a = torch.ones(200, 200)
    with torch.dispatch_trace() as t, torch.pipeline():
        b = a @ a
        b.sum().item()
    mm = next(e for e in t.calls() if e.name == "aten::mm")
    assert line(mm) == ["Pipeline", "AutogradCPU", "CPU"]
    *_, last = mm.walk()
    assert last.notes == ("recorded for the flush",)
    flush = next(e for e in t.walk() if e.kind == "flush")
    assert "aten::mm" in [e.name for e in flush.children]
    assert all("test_tracing.py" in e.notes[0] for e in flush.children)


def test_preparing_a_call_does_not_show_it_twice():
    """Views with a new history, pending arguments and devices are put right inside the call."""
    base = torch.ones(4, requires_grad=True) * 1
    view = base[:2]
    base.mul_(2)
    with torch.pipeline():
        pending = torch.ones(2) + 1
    npu = torch.ones(2, device="npu")
    with torch.dispatch_trace() as t:
        view * 2
        pending * 2
        npu * torch.tensor(2.0)
    names = [e.name for e in t.events]
    assert names == ["aten::mul.Tensor"] * 3
    assert line(t.events[1]) == ["AutogradCPU", "CPU"]


def test_a_library_op_is_traced():
    """Ops that are no rows have calls and kernels too, and their inner calls."""
    lib = torch.library.Library("traced_toy", "DEF")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", lambda x: x + x, "CPU")
    x = torch.ones(2)
    with torch.dispatch_trace() as t:
        torch.ops.traced_toy.double(x)
    (call,) = t.events
    assert call.name == "traced_toy::double"
    assert [e.name for e in t.calls()] == ["traced_toy::double", "aten::add.Tensor"]


def test_a_users_kernel_and_its_redispatch_are_traced():
    """A kernel over a row: what it hands on to lies inside its event."""
    seen = []

    def wrapper(keys, self):
        seen.append(1)
        return torch.ops.aten.neg.default.redispatch(keys.without(DispatchKey.AutogradCPU), self)

    handle = registry.register_kernel(
        "aten::neg", DispatchKey.AutogradCPU, wrapper, with_keyset=True
    )
    try:
        with torch.dispatch_trace() as t:
            torch.neg(torch.ones(2))
    finally:
        registry.remove(handle)
    assert seen and line(t.events[-1]) == ["AutogradCPU", "CPU"]


def test_errors_stand_at_the_call():
    """The exception passes, the event keeps its text, the thread is as it was."""
    with pytest.raises(RuntimeError, match="must match"), torch.dispatch_trace() as t:
        torch.ones(2) + torch.ones(3)
    assert t.events[-1].error.startswith("RuntimeError: The size of tensor a (2)")
    assert tls.state.get() == 0


def test_results_are_the_same_and_off_is_off():
    """Values, dtypes and strides; after the block the plain calls are used again."""

    def work():
        torch.manual_seed(0)
        x = torch.randn(5, 4, requires_grad=True)
        y = torch.nn.functional.softmax(x.t().contiguous() @ x, 1).sum(0)
        y.square().sum().backward()
        return [y.detach(), x.grad]

    before = work()
    with torch.dispatch_trace() as t:
        inside = work()
    after = work()
    for a, b, c in zip(before, inside, after):
        assert a.tolist() == b.tolist() == c.tolist()
        assert a.stride() == b.stride() == c.stride()
    n = len(t)
    work()
    assert len(t) == n


def test_other_threads_are_not_traced():
    """A thread that starts inside the block is not traced."""
    x = torch.ones(2)
    with torch.dispatch_trace() as t:
        thread = threading.Thread(target=lambda: x + x)
        thread.start()
        thread.join()
    assert not t.events


def test_off_costs_no_frame_and_no_lookup():
    """What a plain call runs is what it ran before a trace was ever on."""
    x = torch.ones(3)

    def frames():
        seen = []
        sys.setprofile(lambda frame, event, _: seen.append((event, frame.f_code.co_name)))
        try:
            x + x
        finally:
            sys.setprofile(None)
        return seen

    for _ in range(6):  # then the call is known
        frames()
    before = frames()
    with torch.dispatch_trace():
        x + x
    assert frames() == before


def test_choice_at_the_start():
    """op, key and depth are applied when the block ends; bad ones are said when it begins."""
    x = torch.ones(3, requires_grad=True)
    with torch.dispatch_trace(op="exp", depth=1) as t:
        (x * 2).exp()
    assert [e.name for e in t.events] == ["aten::exp"] and len(t) == 1
    with torch.dispatch_trace(key="Pipeline") as t:
        x * 2
    assert not t.events
    with pytest.raises(RuntimeError, match="could not parse"):
        torch.dispatch_trace(key="Nonsense")
    with pytest.raises(ValueError, match="depth must be at least 1"):
        torch.dispatch_trace(depth=0)


def test_text_names_kernels():
    """For reading: the op, its arguments, what runs at each key."""
    x = torch.ones(3, dtype=torch.float64, device="npu:1")
    with torch.dispatch_trace() as t:
        x * x
        x > 0
    text = str(t)
    assert "aten::mul.Tensor(f64[3]@npu:1, f64[3]@npu:1)" in text
    assert "NPU: npu (numpy.multiply)" in text


def test_a_dispatch_mode_stands_where_it_is_asked():
    """Autograd first, then the Python key, and inside it what the handler calls."""
    from mindtorch.utils._python_dispatch import TorchDispatchMode

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    x = torch.ones(3, requires_grad=True)
    with torch.dispatch_trace() as t, Mode():
        x * 2
    (call,) = t.events
    assert line(call)[-2:] == ["AutogradCPU", "Python"]
    inner = [e for e in call.walk() if e.kind == "call"][1]
    assert inner.name == "aten::mul.Tensor" and line(inner) == ["CPU"]
    assert "excluded 3" in t.text() and "keys from PreDispatch to" in t.text()


def test_autocast_casts_inside_its_kernel():
    """The casts and the call in the lower precision lie inside the event of the key."""
    x = torch.ones(2, 2)
    with torch.dispatch_trace() as t, torch.autocast("cpu"):
        torch.mm(x, x)
    (call,) = t.events
    assert line(call) == ["AutocastCPU"]
    assert "aten::_to_copy" in [e.name for e in call.walk()]


def test_registering_while_a_traced_thread_calls():
    """Every call sees one registration or the other, never a mixture, and the trace says which."""
    x = torch.ones(2)
    started, stop = threading.Event(), threading.Event()
    failures, traces = [], []

    def body():
        try:
            with torch.dispatch_trace() as t:
                while not stop.is_set():
                    value = torch.sinh(x).tolist()
                    started.set()
                    label = list(t.events[-1].walk())[-1].kernel
                    assert (value == [7.0, 7.0]) == (label == "seven"), (value, label)
            traces.append(t)
        except BaseException as error:
            failures.append(error)
            started.set()

    sevens = torch.full((2,), 7.0)

    def seven(self):
        return sevens

    thread = threading.Thread(target=body)
    thread.start()
    assert started.wait(30)
    for _ in range(20):
        handle = registry.register_kernel("aten::sinh", DispatchKey.CPU, seven)
        torch.sinh(x)
        handle.remove()
    stop.set()
    thread.join()
    assert not failures, failures
    assert len(traces[0]) and tls.state.get() == 0


_OFF = """
import sys
import mindtorch as torch

a, b, w = torch.ones(2, 2), torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
calls = [lambda: a.add(b), lambda: a + b, lambda: a.relu(), lambda: a.view(4)]
calls.append(lambda: (w * b).sum())


def cost(call):
    # What a warm call runs: bytecodes, and every function it enters, Python's and C's.
    call(), call()
    entered, codes = [], 0

    def enters(frame, event, argument):
        if event in ("call", "c_call"):
            entered.append(argument if event == "c_call" else frame.f_code)

    def steps(frame, event, argument):
        nonlocal codes
        frame.f_trace_opcodes = True
        codes += event == "opcode"
        return steps

    sys.setprofile(enters)
    call()
    sys.setprofile(None)
    sys.settrace(steps)
    call()
    sys.settrace(None)
    return codes, [getattr(e, "co_qualname", None) or getattr(e, "__name__", e) for e in entered]


[cost(call) for call in calls]  # 3.12 counts otherwise where code is traced for the first time
before = [cost(call) for call in calls]
assert "mindtorch.functionality.tracing" not in sys.modules and all(codes for codes, _ in before)
import mindtorch.functionality.tracing
imported = [cost(call) for call in calls]
with torch.dispatch_trace() as t:
    [call() for call in calls]
assert len(t.calls()) >= len(calls)
del t
assert before == imported == [cost(call) for call in calls]
"""


def test_tracing_that_is_off_costs_nothing():
    """Not one bytecode more, and no other function entered: before, imported, and after a trace."""
    subprocess.run([sys.executable, "-c", _OFF], check=True)
