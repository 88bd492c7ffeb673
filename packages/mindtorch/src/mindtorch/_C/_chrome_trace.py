"""The file of a profile in Chrome's trace-event format, which Perfetto opens."""

from __future__ import annotations

import gzip
import json
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mindtorch_npu.naming import CHIP

from ._profiler_events import DeviceType, _KinetoEvent
from ._profiler_records import switches

__all__ = ["save"]


def _us(nanoseconds: int) -> float:
    return nanoseconds / 1000


def save(path: str, events: list[_KinetoEvent], start: int, end: int, facts: Any) -> None:
    """Write *events* to *path*; compressed where it ends in ``.gz``."""
    whole = {
        "schemaVersion": 1,
        "deviceProperties": [],
        **facts,
        "host_name": platform.node(),
        "displayTimeUnit": "ms",
        "baseTimeNanoseconds": 0,
        "traceEvents": list(_lines(events, start, end)),
        "traceName": str(path),
    }
    text = json.dumps(whole, indent=1, default=str)
    if str(path).endswith(".gz"):
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.write(text)
    else:
        Path(path).write_text(text, "utf-8")


def _lines(events: list[_KinetoEvent], start: int, end: int) -> Iterator[dict[str, Any]]:
    process, begin = os.getpid(), _us(start)
    program = os.path.basename(sys.executable) or "python"
    yield from _names(process, program, "CPU", process, begin)
    threads = {e.device_resource_id() for e in events if e.device_type() is DeviceType.CPU}
    for thread in sorted(threads):
        yield from _thread(process, thread, f"thread {thread} ({program})", begin)
    devices = {
        (e.device_index(), e.device_resource_id()) for e in events if e.activity_type() == "kernel"
    }
    for device in sorted({d for d, _ in devices}):
        yield from _names(device, program, f"{CHIP} {device}", 5_000_000 + device, begin)
    for device, stream in sorted(devices):
        yield from _thread(device, stream, f"stream {stream}", begin)
    for number, event in enumerate(events):
        if event.nbytes():
            yield _memory(event, number, process)
        else:
            yield _event(event, number, process)
    yield from _arrows_of_backward(events, process)
    yield from _arrows_to_kernels(events, process)
    yield {
        "ph": "X", "cat": "Trace", "ts": begin, "dur": _us(end - start), "pid": "Spans",
        "tid": "PyTorch Profiler", "name": "PyTorch Profiler (0)", "args": {"Op count": 0},
    }  # fmt: skip
    yield {
        "ph": "i", "s": "g", "name": "Iteration Start: PyTorch Profiler", "pid": "Traces",
        "tid": "Trace PyTorch Profiler", "ts": begin,
    }  # fmt: skip
    yield {
        "ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": _us(end),
    }  # fmt: skip


def _names(process: int, name: str, label: str, order: int, ts: float) -> Iterator[dict[str, Any]]:
    common = {"ph": "M", "ts": ts, "pid": process, "tid": 0}
    yield {"name": "process_name", **common, "args": {"name": name}}
    yield {"name": "process_labels", **common, "args": {"labels": label}}
    yield {"name": "process_sort_index", **common, "args": {"sort_index": order}}


def _thread(process: int, thread: int, name: str, ts: float) -> Iterator[dict[str, Any]]:
    common = {"ph": "M", "ts": ts, "pid": process, "tid": thread}
    yield {"name": "thread_name", **common, "args": {"name": name}}
    yield {"name": "thread_sort_index", **common, "args": {"sort_index": thread}}


def _event(event: _KinetoEvent, number: int, process: int) -> dict[str, Any]:
    facts, kind = event._facts, event.activity_type()
    args: dict[str, Any] = {}
    if kind == "python_function":
        parent = event.python_parent_id()
        args["Python parent id"] = None if parent < 0 else parent
        args["Python id"] = event.python_id()
        if event.python_module_id() >= 0:
            args["Python module id"] = event.python_module_id()
    elif kind == "kernel":
        args |= {
            "External id": event.linked_correlation_id(),
            "device": event.device_index(),
            "stream": event.device_resource_id(),
            "correlation": event.linked_correlation_id(),
        }
    else:
        args["External id"] = event.external_id()
        if event.sequence_nr() >= 0:
            args["Sequence number"] = event.sequence_nr()
            args["Fwd thread id"] = event.fwd_thread_id()
        args["Record function id"] = 0
        if facts.get("types"):
            args["Concrete Inputs"] = ["" if v is None else str(v) for v in event.concrete_inputs()]
            args["Input type"] = event.dtypes()
            args["Input Strides"] = event.structured_input_strides()
            args["Input Dims"] = event.structured_input_shapes()
        args |= event.kwinputs()
        if event.flops():
            args["flops"] = event.flops()
        if event.stack():
            args["Call stack"] = ";".join(event.stack())
    args["Ev Idx"] = number
    return {
        "ph": "X",
        "cat": kind,
        "name": event.name(),
        "pid": event.device_index() if kind == "kernel" else process,
        "tid": event.device_resource_id(),
        "ts": _us(event.start_ns()),
        "dur": _us(event.duration_ns()),
        "args": args,
    }


def _memory(event: _KinetoEvent, number: int, process: int) -> dict[str, Any]:
    facts = event._facts
    args = {
        "Total Reserved": 0,
        "Total Allocated": facts["total"],
        "Bytes": event.nbytes(),
        "Device Id": event.device_index(),
        "Device Type": event.device_type().value,
        "Addr": facts["address"],
        "Ev Idx": number,
    }
    return {
        "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": process,
        "tid": event.device_resource_id(), "ts": _us(event.start_ns()), "args": args,
    }  # fmt: skip


def _arrow(
    ph: str, number: int, event: _KinetoEvent, pid: int, cat: str, ts: float
) -> dict[str, Any]:
    end = {"bp": "e"} if ph == "f" else {}
    return {
        "ph": ph, "id": number, "pid": pid, "tid": event.device_resource_id(), "ts": ts,
        "cat": cat, "name": cat, **end,
    }  # fmt: skip


def _arrows_of_backward(events: list[_KinetoEvent], process: int) -> Iterator[dict[str, Any]]:
    """From the call that made a node to the node."""
    if not switches.links_backward:
        return
    forward: dict[int, _KinetoEvent] = {}
    for event in events:
        if event.activity_type() == "cpu_op" and event.sequence_nr() >= 0:
            if not event.fwd_thread_id():
                forward[event.sequence_nr()] = event  # the innermost call comes last
    number = 0
    for event in events:
        source = forward.get(event.sequence_nr())
        if source is not None and event.fwd_thread_id() and event.scope() == 1:
            number += 1
            ends = (("s", source), ("f", event))
            for ph, each in ends:
                yield _arrow(ph, number, each, process, "fwdbwd", _us(each.start_ns()))


def _arrows_to_kernels(events: list[_KinetoEvent], process: int) -> Iterator[dict[str, Any]]:
    """From the call that launched a kernel to the kernel."""
    calls = {e.external_id(): e for e in events if e.activity_type() in ("cpu_op",)}
    for number, event in enumerate(events):
        call = calls.get(event.linked_correlation_id())
        if call is not None and event.activity_type() == "kernel":
            launched = min(max(event._facts["launched"], call.start_ns()), call.end_ns())
            flow = number + 1_000_000
            yield _arrow("s", flow, call, process, "ac2g", _us(launched))
            start = _us(event.start_ns())
            yield _arrow("f", flow, event, event.device_index(), "ac2g", start)
