"""What a profiler found: a list of events, a tree of them, a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_storage import ACCELERATOR
from mindtorch_storage import Device as _device

from ._chrome_trace import save
from ._profiler import (
    RecordScope,
    _EventType,
    _ExtraFields_Allocation,
    _ExtraFields_PyCall,
    _ExtraFields_PyCCall,
    _ExtraFields_TorchOp,
    _ProfilerEvent,
    _PyFrameState,
    _TensorMetadata,
)
from ._profiler_events import DeviceType, _KinetoEvent

__all__ = ["_ProfilerResult"]


class _ProfilerResult:
    """What one run found."""

    def __init__(
        self, events: list[_KinetoEvent], start: int, end: int, facts: dict[str, Any]
    ) -> None:
        self._events = events
        self._start = start
        self._end = end
        self._facts = facts

    def trace_start_ns(self) -> int:
        """When it began."""
        return self._start

    def events(self) -> list[_KinetoEvent]:
        """The events, in the order of their beginnings."""
        return list(self._events)

    def trace_activities(self) -> list[Any]:
        """What devices told: their kernels."""
        return [e for e in self._events if e.device_type() is not DeviceType.CPU]

    def experimental_event_tree(self) -> list[_ProfilerEvent]:
        """The outermost events, each with those inside it."""
        return tree_of(self._events)

    def save(self, path: str) -> None:
        """Write the trace for Perfetto or Chrome to *path*."""
        save(path, self._events, self._start, self._end, self._facts)


def tree_of(events: Iterable[_KinetoEvent]) -> list[_ProfilerEvent]:
    """The events of the host in each other."""
    roots: list[_ProfilerEvent] = []
    open_: dict[int, list[_ProfilerEvent]] = {}
    chosen = [e for e in events if e.device_type() is DeviceType.CPU or e.nbytes() != 0]
    for event in sorted(chosen, key=lambda e: (e.start_ns(), -e.end_ns())):
        node = _node_of(event)
        stack = open_.setdefault(node.start_tid, [])
        while stack and stack[-1].end_time_ns < node.end_time_ns:
            stack.pop()
        if stack:
            node.parent = stack[-1]
            stack[-1].children.append(node)
        else:
            roots.append(node)
        if node.tag is not _EventType.Allocation:
            stack.append(node)
    return roots


def _node_of(event: _KinetoEvent) -> _ProfilerEvent:
    name = event.name()
    facts = event._facts
    tag = _EventType.TorchOp
    fields: Any
    if event.nbytes():
        tag = _EventType.Allocation
        kind = "cpu" if event.device_type() is DeviceType.CPU else ACCELERATOR
        fields = _ExtraFields_Allocation(
            ptr=facts["address"],
            id=facts["address"],
            allocation_id=facts["address"],
            alloc_size=event.nbytes(),
            total_allocated=facts["total"],
            total_reserved=0,
            device=_device(kind) if kind == "cpu" else _device(kind, event.device_index()),
        )
    elif event.is_python_function():
        place, _, function = name.partition(": ")
        path, _, line = place.partition("(")
        number = line.rstrip(")")
        frame = _PyFrameState(
            line_number=int(number) if number.isdigit() else 0,
            file_name=path,
            function_name=function,
        )
        if name.startswith("<built-in"):
            tag, fields = _EventType.PyCCall, _ExtraFields_PyCCall(caller=frame)
        else:
            tag = _EventType.PyCall
            fields = _ExtraFields_PyCall(callsite=frame, caller=frame, module=None, optimizer=None)
    else:
        tensors, values = facts.get("tensors", ()), facts.get("values", ())
        fields = _ExtraFields_TorchOp(
            name=name,
            inputs=[_input_of(t, v) for t, v in zip(tensors, values)],
            scope=RecordScope(event.scope()),
            sequence_number=event.sequence_nr(),
            allow_tf32_cublas=False,
        )
    return _ProfilerEvent(
        name=name,
        overload_name=event.overload_name(),
        tag=tag,
        fields=fields,
        start=event.start_ns(),
        end=event.end_ns(),
        thread=event.start_thread_id(),
        id=event.correlation_id(),
    )


def _input_of(tensor: Any, value: Any) -> Any:
    if tensor is None:
        return value
    if isinstance(tensor, list):
        return [_TensorMetadata(**each) for each in tensor]
    return _TensorMetadata(**tensor)


_ProfilerResult.__module__ = "mindtorch._C._autograd"
