"""``torch.npu._gpu_trace`` tells what happens, and ``torch.npu._sanitizer`` stops at a race."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from unittest import TestCase

import mindtorch as torch
import pytest
from mindtorch.npu import _gpu_trace, _sanitizer
from mindtorch_npu import backend, observer

npu = torch.npu
pytestmark = pytest.mark.skipif(backend.HARDWARE, reason="hardware's allocator tells nothing")

#: What is told, and the code that makes it be: the last value is what is told of.
TOLD: dict[str, tuple[str, str]] = {
    "event_creation": ("e = npu.Event(); e.record()", "e.npu_event"),
    "event_creation, by its handle": (
        "e = npu.Event(interprocess=True); e.ipc_handle()", "e.npu_event",
    ),
    "event_deletion": ("e = npu.Event(); e.record(); seen = e.npu_event; del e", "seen"),
    "event_record": ("e = npu.Event(); e.record(side)", "e.npu_event, side.npu_stream"),
    "event_wait": ("e = npu.Event(); e.record(); e.wait(side)", "e.npu_event, side.npu_stream"),
    "event_synchronization": ("e = npu.Event(); e.record(); e.synchronize()", "e.npu_event"),
    "memory_allocation": ("x = torch.empty(10, 4, device='npu')", "x.data_ptr()"),
    "memory_deallocation": (
        "x = torch.empty(3, 8, device='npu'); seen = x.data_ptr(); del x", "seen",
    ),
    "stream_synchronization": ("side.synchronize()", "side.npu_stream"),
    "stream_synchronization, of a read": ("held.nonzero()", "0"),
    "stream_synchronization, of an item": ("held[0].item()", "0"),
    "stream_synchronization, of a storage's bytes": ("held.untyped_storage()[0]", "0"),
    "device_synchronization": ("npu.synchronize()", ""),
}  # fmt: skip
#: What tells nothing of these.
SILENT = {
    "event_creation": "e = npu.Event()",
    "event_synchronization": "e = npu.Event(); e.record(); npu.synchronize(); e.query()",
    "stream_synchronization": "side.query(); held + 1; npu.current_stream().query()",
    "memory_allocation": "torch.ones(3).pin_memory()",
    "event_record": "npu.Event().query()",
}


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Traces, to functions of this test alone; nobody else watches."""
    monkeypatch.setattr(observer, "_watching", [])
    monkeypatch.setattr(_gpu_trace, "_active", [])
    registries = [
        v for v in vars(_gpu_trace).values() if isinstance(v, _gpu_trace.CallbackRegistry)
    ]
    for registry in registries:
        monkeypatch.setattr(registry, "callback_list", [])
    torch._C._activate_gpu_trace()
    torch._C._activate_gpu_trace()  # a second time changes nothing
    yield
    observer.unwatch(_gpu_trace._active[0])


def _told(what: str, code: str) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
    scope: dict[str, Any] = {"torch": torch, "npu": npu, "side": npu.Stream()}
    scope["held"] = torch.ones(3, device="npu")
    npu.synchronize()
    told: list[tuple[Any, ...]] = []
    getattr(_gpu_trace, f"register_callback_for_{what}")(lambda *facts: told.append(facts))
    exec(code, scope)
    return list(told), scope


@pytest.mark.parametrize("what", TOLD)
def test_what_happens_is_told_once(traced: None, what: str) -> None:
    code, facts = TOLD[what]
    told, scope = _told(what.partition(",")[0], code)
    assert told == [eval(f"({facts},)" if facts else "()", scope)]


@pytest.mark.parametrize("what", SILENT)
def test_what_does_not_happen_is_not_told(traced: None, what: str) -> None:
    assert _told(what, SILENT[what])[0] == []


def test_a_stream_is_created_when_it_is_first_handed_out(
    traced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindtorch_npu.generic_streams._handed_out", {})
    made: list[int] = []
    _gpu_trace.register_callback_for_stream_creation(made.append)
    streams = [npu.Stream() for _ in range(33)]
    assert made == [each.npu_stream for each in streams[:32]]


def test_an_address_belongs_to_one_device() -> None:
    first, second = (torch.ones(1, device=f"npu:{i}").data_ptr() for i in (0, 1))
    assert abs(first - second) >= 1 << 40


def test_all_functions_are_called_whatever_one_raises(traced: None) -> None:
    told: list[int] = []
    _gpu_trace.register_callback_for_device_synchronization(lambda: 1 // 0)
    _gpu_trace.register_callback_for_device_synchronization(lambda: told.append(1))
    with TestCase().assertLogs(_gpu_trace.logger) as logged:
        npu.synchronize()
    assert told == [1]
    what = "Exception in callback for NPU device synchronization registered with gpu trace"
    assert [record.getMessage() for record in logged.records] == [what]


#: Name -> code, where ``x`` was made on the stream ``here`` and ``side`` is current; the second
#: kernel of its race and the first.
STOPPED = {
    "written": ("x.mul_(2)", "mul_", "ones"),
    "read": ("x + 1", "add", "ones"),
    "through a view": ("x[1:].sum()", "sum", "ones"),
    "out": ("torch.mul(x, 5, out=x)", "mul.out", "ones"),
    "listed": ("x.tolist()", "_to_copy", "ones"),
    "a gradient": (
        "with here: (x.requires_grad_() * 2).sum().backward()\nx.grad + 1",
        "add",
        "mul",
    ),
}
PASSED = {
    "waited": "side.wait_stream(here)\nwith side: x.mul_(2)\nhere.wait_stream(side)\nx + 1",
    "two readers": "npu.synchronize()\nwith side: x + 1\nx + 2",
    "sizes only": "with side: torch.zeros_like(x); x.new_ones(2)",
    "between devices": "y = x.to('npu:1')\ny += 1\nx = y.to('npu:0')\n(x + 1).cpu()",
    "trained": "m = torch.nn.Linear(4, 2).npu()\nm(x).sum().backward()\nm.weight.grad.cpu()",
    "subclass": "class T(torch.Tensor): pass\nx.as_subclass(T) + 1\ntorch.rand(2).as_subclass(T)",
    "record_stream": "with side: x.record_stream(side)\ndel x",
    "copied deeply": "import copy\ncopy.deepcopy(x)",
    "pickled": "import pickle\npickle.loads(pickle.dumps(x))",
}


@pytest.fixture
def sanitizer() -> Any:
    torch.npu.init()
    _sanitizer.enable_npu_sanitizer()
    yield _sanitizer.npu_sanitizer
    _sanitizer.npu_sanitizer.disable()


def _scope() -> dict[str, Any]:
    scope: dict[str, Any] = {"torch": torch, "npu": npu, "side": npu.Stream()}
    exec("here = npu.current_stream(); x = torch.ones(3, 4, device='npu')", scope)
    return scope


@pytest.mark.parametrize("name", STOPPED)
def test_a_race_stops_the_program(sanitizer: Any, capsys: Any, name: str) -> None:
    code, second, first = STOPPED[name]
    scope = _scope()
    with pytest.raises(_sanitizer.NPUSanitizerErrors, match="^detected 1 errors$"), scope["side"]:
        exec(code, scope)
    text = capsys.readouterr().err
    assert f"by stream {scope['side'].npu_stream} during kernel:\naten::{second}" in text
    assert f"Previous access by stream 0 during kernel:\naten::{first}" in text
    assert "Tensor was allocated with stack trace:" in text
    assert f", in {test_a_race_stops_the_program.__name__}\n" in text
    assert "mindtorch/ops" not in text


@pytest.mark.parametrize("name", PASSED)
def test_what_is_ordered_goes_on(sanitizer: Any, name: str) -> None:
    exec(PASSED[name], _scope())


#: Arguments of an operator -> what is read, written, put out, and the names of what is written.
HANDLED = {
    "aten.add.Tensor": ("(a, b)", {}, "a + b", "ab", "r", "r", []),
    "aten.cat.default": ("([a, b], 0)", {}, "torch.cat([a, b])", "ab", "r", "r", []),
    "aten.add_.Tensor": ("(a, 5)", {}, "a.add_(5)", "", "a", "a", ["self"]),
    "aten.mul.out": ("(a, 3)", {"out": "b"}, "torch.mul(a, 3, out=b)", "a", "b", "b", ["out"]),
    "aten.mm.out": ("(a, a)", {"out": "b"}, "torch.mm(a, a, out=b)", "a", "b", "b", ["out"]),
    "aten.nonzero.default": ("(a,)", {}, "a.nonzero(as_tuple=True)[1]", "a", "r", "r", []),
    "aten.t.default": ("(a,)", {}, "a.t()", "", "", "r", []),
}


@pytest.mark.parametrize("name", HANDLED)
def test_what_an_operator_reads_and_writes(name: str) -> None:
    given, keywords, call, read, written, put_out, names = HANDLED[name]
    scope = {
        "torch": torch,
        "a": torch.ones(2, 2, device="npu"),
        "b": torch.ones(2, 2, device="npu"),
    }
    schema = eval(f"torch.ops.{name}._schema", scope)
    handler = _sanitizer.ArgumentHandler()
    kwargs = {key: eval(value, scope) for key, value in keywords.items()}
    handler.parse_inputs(schema, eval(given, scope), kwargs, is_factory=False)
    scope["r"] = eval(call, scope)
    handler.parse_outputs(schema, scope["r"], is_factory=False)
    pointers = [{scope[each].data_ptr() for each in some} for some in (read, written, put_out)]
    assert [handler.dataptrs_read, handler.dataptrs_written, handler.outputs] == pointers
    assert [handler.tensor_aliases[p] for p in handler.dataptrs_written] == [names] * len(written)


def test_a_program_of_its_own() -> None:
    """Contexts are where something was done; the environment switches the sanitizer on."""
    code = (
        "import mindtorch as torch; has = torch._C._npu_hasPrimaryContext\n"
        "print(has(0), has(1)); x = torch.ones(1, device='npu:1')\n"
        "str(x); torch.empty(1).copy_(x); torch.zeros(3).pin_memory(); print(has(0), has(1))\n"
        "side = torch.npu.Stream(); print(has(0))\n"
        "try: has(2)\n"
        "except RuntimeError as error: print(error)\n"
        "x = torch.ones(3, device='npu')\n"
        "with side: x + 1"
    )
    child = subprocess.run(
        [sys.executable, "-c", code],
        env={"TORCH_NPU_SANITIZER": "1", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    refused = "hasPrimaryContext expects a valid device index, but got device_index=2"
    assert child.stdout.splitlines() == ["False False", "False True", "True", refused]
    assert child.stderr.endswith("torch.npu._sanitizer.NPUSanitizerErrors: detected 1 errors\n")
