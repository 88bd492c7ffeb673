"""The table of a profile: its columns, its numbers, its layout."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import Any

from .._C._profiler_events import DeviceType

__all__ = ["build_table", "format_memory", "format_time", "format_time_share"]

_WIDTH = 12
_STACK_ENTRIES = 5
_UNITS = {"s": 1_000_000.0, "ms": 1000.0, "us": 1.0}
#: The kinds of devices whose times have names of their own, ``self_cuda_time_total`` for one.
KINDS_OF_TIMES = tuple(
    kind.name.lower() for kind in (DeviceType.CUDA, DeviceType.XPU, DeviceType.PrivateUse1)
)


def of_any_device(metric: str) -> str:
    """The name of a time on a kind of device, as that of a time on any device."""
    for kind in KINDS_OF_TIMES:
        metric = metric.replace(kind, "device")
    return metric


def format_time(time_us: float, unit: str | None = None) -> str:
    """Microseconds in the largest unit that fits, or in *unit*."""
    if unit not in _UNITS:
        unit = next((u for u in ("s", "ms") if time_us >= _UNITS[u]), "us")
    return f"{time_us / _UNITS[unit]:.3f}{unit}"


def format_time_share(time_us: float, total_time_us: float) -> str:
    """The share of a total in per cent."""
    if total_time_us == 0:
        if time_us != 0:
            raise AssertionError(f"Expected time_us == 0 but got {time_us}")
        return "NaN"
    return f"{time_us * 100.0 / total_time_us:.2f}%"


def format_memory(nbytes: int) -> str:
    """Bytes in the largest unit that fits."""
    for unit, power in (("GB", 30), ("MB", 20), ("KB", 10)):
        if abs(nbytes) >= 1 << power:
            return f"{nbytes / (1 << power):.2f} {unit}"
    return f"{nbytes} B"


def _cut_end(text: str, width: int) -> str:
    return text if len(text) < width - 3 else text[: width - 3] + "..."


def _cut_begin(path: str, width: int) -> str:
    if len(path) > width:
        path = path[len(path) - width :]
        if len(path) > 3:
            path = "..." + path[3:]
    return path


def _limited(width: int, limit: int | None) -> int:
    return width if limit is None else min(width, limit)


@dataclass(frozen=True)
class _Column:
    """A title, what stands below it of an event, how wide, and on which side."""

    title: str
    cell: Callable[[Any], Any]
    width: int = _WIDTH
    side: str = ">"


class _Layout:
    """The columns side by side."""

    def __init__(self, columns: list[_Column]) -> None:
        self.columns = columns

    def line(self, cells: list[Any]) -> str:
        both = zip(cells, self.columns, strict=True)
        return "".join([f"{cell!s:{c.side}{c.width}}  " for cell, c in both])

    def titles(self) -> str:
        return self.line([column.title for column in self.columns])

    def of_event(self, event: Any) -> str:
        return self.line([column.cell(event) for column in self.columns])

    def below(self, text: str) -> str:
        """A line with *text* in the last column alone."""
        return self.line([*[""] * (len(self.columns) - 1), text])

    def rule(self) -> str:
        return "".join(["-" * column.width + "  " for column in self.columns])

    @property
    def length(self) -> int:
        return sum(column.width for column in self.columns) + 2 * (len(self.columns) - 1)


def _time(source: str, unit: str | None) -> Callable[[Any], str]:
    return lambda event: format_time(getattr(event, source), unit)


def _memory(source: str) -> Callable[[Any], str]:
    return lambda event: format_memory(getattr(event, source))


def _share(source: str, total: float, percent: str) -> Callable[[Any], Any]:
    """The share of an event's *source* in *total*, which the event keeps as *percent*."""

    def cell(event: Any) -> Any:
        overlaps = percent == "total_cpu_percent" and event.is_async
        share = 0 if overlaps else format_time_share(getattr(event, source), total)
        setattr(event, percent, share)
        return share

    return cell


def _name_columns(events: Any, most: int | None) -> list[_Column]:
    """Names, and those of overloads where an event has one."""

    def cell(source: str) -> Callable[[Any], Any]:
        return lambda e: getattr(e, source) if most is None else _cut_end(getattr(e, source), most)

    width = _limited(max(len(e.key) for e in events) + 4, most)
    found = [_Column("Name", cell("key"), width)]
    if any(e.overload_name is not None and len(e.overload_name) > 0 for e in events):
        found.append(_Column("Overload Name", cell("overload_name"), width))
    return found


def _cpu_columns(total: float, unit: str | None) -> list[_Column]:
    return [
        _Column("Self CPU %", _share("self_cpu_time_total", total, "self_cpu_percent")),
        _Column("Self CPU", _time("self_cpu_time_total", unit)),
        _Column("CPU total %", _share("cpu_time_total", total, "total_cpu_percent")),
        _Column("CPU total", _time("cpu_time_total", unit)),
        _Column("CPU time avg", _time("cpu_time", unit)),
    ]


def _device_columns(device: str, total: float, unit: str | None) -> list[_Column]:
    share = _share("self_device_time_total", total, "total_device_percent")
    return [
        _Column(f"Self {device}", _time("self_device_time_total", unit)),
        _Column(f"Self {device} %", share),
        _Column(f"{device} total", _time("device_time_total", unit)),
        _Column(f"{device} time avg", _time("device_time", unit)),
    ]


def _memory_columns(device: str | None) -> list[_Column]:
    """Bytes of the host, and of *device* unless it is None."""
    kinds = [("CPU", "cpu"), *([] if device is None else [(device, "device")])]
    return [
        _Column(f"{own}{name} Mem", _memory(f"{own.lower().replace(' ', '_')}{kind}_memory_usage"))
        for name, kind in kinds
        for own in ("", "Self ")
    ]


def _shape_columns(events: Any, most: int | None) -> list[_Column]:
    """The shapes of inputs, where they are known."""
    if not any(e.input_shapes is not None and len(e.input_shapes) > 0 for e in events):
        return []
    width = _limited(max(len(str(e.input_shapes)) for e in events) + 4, most)
    return [_Column("Input Shapes", lambda e: str(e.input_shapes)[:width], width)]


def _source_columns(events: Any, most: int | None) -> list[_Column]:
    """Where the calls stand, where that is known: the first entry of the stack."""
    stacks = [e.stack for e in events if e.stack is not None and len(e.stack) > 0]
    if not stacks:
        return []
    width = _limited(max(max(len(entry) for entry in stack) for stack in stacks) + 4, most)

    def cell(event: Any) -> str:
        return _cut_begin(event.stack[0], width) if len(event.stack) > 0 else ""

    return [_Column("Source Location", cell, width, "<")]


def _flops_scale(events: Any) -> tuple[str, float]:
    """The title of the column, and what counts are multiplied with."""
    raw = [e.flops for e in events if e.flops > 0]
    words = ["FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"]
    step = max(0, min(math.log10(min(raw)) / 3, float(len(words) - 1)))
    return words[int(step)], math.pow(10, math.floor(step) * -3.0)


def _flops_columns(events: Any) -> list[_Column]:
    """Counts of operations, unless all are zero."""
    if not any(e.flops > 0 for e in events):
        return []
    title, scale = _flops_scale(events)

    def cell(event: Any) -> str:
        return "--" if event.flops <= 0 else f"{event.flops * scale:8.3f}"

    return [_Column(f"Total {title}", cell)]


def build_table(
    events: Any,
    sort_by: str | None = None,
    header: str | None = None,
    row_limit: int = 100,
    max_src_column_width: int | None = 75,
    max_name_column_width: int | None = 55,
    max_shapes_column_width: int | None = 80,
    with_flops: bool = False,
    profile_memory: bool = False,
    top_level_events_only: bool = False,
    time_unit: str | None = None,
) -> str:
    """The table of *events* as text; "" where there are none."""
    if not events:
        return ""
    on_device = any(e.self_device_time_total > 0 for e in events)
    memory_on_device = any(e.self_device_memory_usage > 0 for e in events)
    use_device = events[0].use_device
    if not use_device and (on_device or memory_on_device):
        raise RuntimeError("use_device is None, but there is device performance data.")
    device = use_device.upper() if use_device is not None else "None"
    if sort_by is not None:
        events = sorted(events, key=lambda e: getattr(e, of_any_device(sort_by)), reverse=True)
    cpu_total = sum(e.self_cpu_time_total for e in events)
    device_total = sum(e.self_device_time_total for e in events if _runs_on_device(e))

    columns = _name_columns(events, max_name_column_width) + _cpu_columns(cpu_total, time_unit)
    if on_device:
        columns += _device_columns(device, device_total, time_unit)
    if profile_memory:
        columns += _memory_columns(device if use_device and memory_on_device else None)
    columns.append(_Column("# of Calls", attrgetter("count")))
    if any(e.node_id != -1 for e in events):
        columns.append(_Column("Node ID", attrgetter("node_id")))
    columns += _shape_columns(events, max_shapes_column_width)
    source = _source_columns(events, max_src_column_width)
    columns += _last(source, _flops_columns(events) if with_flops else [])
    layout = _Layout(columns)

    lines: list[str] = []
    if header is not None:
        lines += ["=" * layout.length, header]
    if top_level_events_only:
        lines += ["=" * layout.length, "This report only display top-level ops statistics"]
    lines += [layout.rule(), layout.titles(), layout.rule()]
    shown = (e for e in events if not (top_level_events_only and e.cpu_parent is not None))
    for event in islice(shown, row_limit if row_limit in range(len(events)) else None):
        lines.append(layout.of_event(event))
        if source:
            rest = event.stack[1:_STACK_ENTRIES]
            lines += [layout.below(_cut_begin(entry, source[0].width)) for entry in rest]
            lines.append(layout.below(""))
    lines.append(layout.rule())
    lines.append(f"Self CPU time total: {format_time(cpu_total, time_unit)}")
    if on_device:
        lines.append(f"Self {device} time total: {format_time(device_total, time_unit)}")
    return "\n".join(lines) + "\n"


def _last(source: list[_Column], flops: list[_Column]) -> list[_Column]:
    """The columns at the end; of two each has what belongs below the other's title, as in torch."""
    if not source or not flops:
        return source + flops
    return [replace(source[0], cell=flops[0].cell), replace(flops[0], cell=source[0].cell)]


def _runs_on_device(event: Any) -> bool:
    """Whether its own time on the device is part of the whole."""
    if event.device_type.name == "CPU":
        return bool(event.is_legacy)
    return event.device_type.name in ("CUDA", "PrivateUse1", "MTIA", "XPU", "HPU") and not (
        event.is_user_annotation
    )
