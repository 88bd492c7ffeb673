"""Events as profiles show them, of what the profiler underneath tells."""

from __future__ import annotations

from collections import defaultdict
from time import perf_counter_ns
from typing import Any

from .._C._autograd import DeviceType  # type: ignore[attr-defined]  # a lazy name
from ..core.warning import warn
from .profiler_events import FunctionEvent
from .profiler_util import (
    MEMORY_EVENT_NAME,
    MemRecordsAcc,
    _filter_name,
    _filter_stack_entry,
    _rewrite_name,
)

__all__ = ["event_of_call", "event_of_memory", "events_of_result"]

# What an event calls as its teller does.
_ALIKE = (
    *("overload_name", "concrete_inputs", "kwinputs", "scope", "is_async", "sequence_nr"),
    *("device_type", "device_index", "device_resource_id", "flops", "is_user_annotation"),
    *("is_python_function", "activity_type", "metadata_json", "flow_id", "flow_type"),
    *("flow_start", "external_id", "linked_correlation_id", "extra_meta", "python_id"),
    *("structured_input_shapes", "structured_input_strides", "python_parent_id"),
    "python_module_id",
)
# And what it calls otherwise.
_TOLD_AS = {
    "id": "correlation_id",
    "thread": "start_thread_id",
    "fwd_thread": "fwd_thread_id",
    "input_shapes": "shapes",
    "input_dtypes": "dtypes",
} | {name: name for name in _ALIKE}


def event_of_call(told: Any, begin: int, **known: Any) -> FunctionEvent:
    """The event of a call or a kernel, with what is *known* of it besides."""
    name = told.name()
    facts = {own: getattr(told, theirs)() for own, theirs in _TOLD_AS.items()}
    return FunctionEvent(
        name=_rewrite_name(name=name, with_wildcard=True),
        trace_name=_rewrite_name(name=name, with_wildcard=False),
        start_us=(told.start_ns() - begin) / 1000.0,
        end_us=(told.end_ns() - begin) / 1000.0,
        stack=[entry for entry in told.stack() if _filter_stack_entry(entry)],
        **facts,
        **known,
    )


def event_of_memory(told: Any, begin: int, use_device: str | None) -> FunctionEvent:
    """Memory that was taken or given back outside of all other events."""
    on_host = told.device_type() == DeviceType.CPU
    size, when = told.nbytes(), (told.start_ns() - begin) / 1000.0
    return FunctionEvent(
        id=0,
        name=told.name(),
        overload_name="",
        thread=told.start_thread_id(),
        fwd_thread=told.start_thread_id(),
        start_us=when,
        end_us=when,
        input_shapes=[],
        stack=[],
        use_device=use_device,
        cpu_memory_usage=size if on_host else 0,
        device_memory_usage=0 if on_host else size,
        flops=0,
        activity_type=told.activity_type(),
    )


def events_of_result(
    result: Any, use_device: str | None = None, timeout_s: float | None = None
) -> list[FunctionEvent]:
    """The events that a profiler found, with the memory and the kernels of each.

    :param timeout_s: after how many seconds the rest is left out, with a warning.
    """
    begin = result.trace_start_ns()
    deadline = None if timeout_s is None else perf_counter_ns() + timeout_s * 1e9
    found = result.events()
    memory = [[e, False] for e in found if e.name() == MEMORY_EVENT_NAME]
    of_memory = MemRecordsAcc(memory)
    events: list[FunctionEvent] = []
    of_device: dict[int, list[FunctionEvent]] = defaultdict(list)
    for told in found:
        if deadline is not None and perf_counter_ns() > deadline:
            warn("Profiler post-processing timed out")
            break
        if _filter_name(told.name()) or told.is_hidden_event():
            continue
        on_host = told.device_type() == DeviceType.CPU
        host_memory = device_memory = 0
        if on_host and not told.is_async():
            for record in of_memory.in_interval(told.start_ns(), told.end_ns()):
                if record[0].device_type() == DeviceType.CPU:
                    host_memory += record[0].nbytes()
                else:
                    device_memory += record[0].nbytes()
                record[1] = True
        event = event_of_call(
            told,
            begin,
            use_device=use_device,
            cpu_memory_usage=host_memory,
            device_memory_usage=device_memory,
        )
        if not on_host and told.linked_correlation_id() > 0:
            of_device[told.linked_correlation_id()].append(event)
        events.append(event)
    for event in events:
        if event.device_type == DeviceType.CPU and not event.is_async:
            for kernel in of_device.get(event.id, ()):
                took = kernel.time_range.elapsed_us()
                event.append_kernel(kernel.name, kernel.device_index, took)
    outside = [record for record, within in memory if not within]
    events += [event_of_memory(record, begin, use_device) for record in outside]
    events.sort(key=lambda e: (e.time_range.start, -e.time_range.end))
    return events
