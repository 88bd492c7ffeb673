"""The table of a profile: its columns, its numbers, its layout."""

from __future__ import annotations

import math
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


class _Layout:
    """The columns: titles, widths, and on which side their text stands."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.widths: list[int] = []
        self.sides: list[str] = []

    def add(self, *titles: str, width: int | None = _WIDTH, side: str = ">") -> None:
        for title in titles:
            self.titles.append(title)
            self.widths.append(_WIDTH if width is None else width)
            self.sides.append(side)

    def line(self, cells: list[Any]) -> str:
        parts = [f"{c!s:{s}{w}}" for c, s, w in zip(cells, self.sides, self.widths, strict=True)]
        return "".join([part + "  " for part in parts])

    def rule(self) -> str:
        return "".join(["-" * width + "  " for width in self.widths])

    @property
    def length(self) -> int:
        return sum(self.widths) + 2 * (len(self.widths) - 1)


def _flops_scale(events: Any) -> tuple[str, float]:
    """The title of the column, and what counts are multiplied with."""
    raw = [e.flops for e in events if e.flops > 0]
    words = ["FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"]
    step = max(0, min(math.log10(min(raw)) / 3, float(len(words) - 1)))
    return words[int(step)], math.pow(10, math.floor(step) * -3.0)


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
    shapes = [str(e.input_shapes) for e in events]
    has_shapes = any(e.input_shapes is not None and len(e.input_shapes) > 0 for e in events)
    overloads = [e.overload_name for e in events]
    has_overloads = any(name is not None and len(name) > 0 for name in overloads)
    if sort_by is not None:
        events = sorted(events, key=lambda e: getattr(e, of_any_device(sort_by)), reverse=True)
    stacks = [e.stack for e in events if e.stack is not None and len(e.stack) > 0]

    names = max(len(e.key) for e in events) + 4
    layout = _Layout()
    layout.add("Name", width=_limited(names, max_name_column_width))
    if has_overloads:
        layout.add("Overload Name", width=layout.widths[0])
    layout.add("Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg")
    device = use_device.upper() if use_device is not None else "None"
    if on_device:
        layout.add(f"Self {device}", f"Self {device} %", f"{device} total", f"{device} time avg")
    if profile_memory:
        layout.add("CPU Mem", "Self CPU Mem")
        if use_device and memory_on_device:
            layout.add(f"{device} Mem", f"Self {device} Mem")
    layout.add("# of Calls")
    has_nodes = any(e.node_id != -1 for e in events)
    if has_nodes:
        layout.add("Node ID")
    shapes_width = _limited(max(len(s) for s in shapes) + 4, max_shapes_column_width)
    if has_shapes:
        layout.add("Input Shapes", width=shapes_width)
    if stacks:
        longest = max(max(len(entry) for entry in stack) for stack in stacks) + 4
        layout.add(
            "Source Location", width=_limited(longest, max_src_column_width), side="<"
        )  # fmt: skip
        src_width = layout.widths[-1]
    scale = 1.0
    if with_flops:
        if any(e.flops > 0 for e in events):
            title, scale = _flops_scale(events)
            layout.add(f"Total {title}")
        else:
            with_flops = False  # a column of nothing

    cpu_total = sum(e.self_cpu_time_total for e in events)
    device_total = sum(e.self_device_time_total for e in events if _runs_on_device(e))
    lines: list[str] = []
    if header is not None:
        lines += ["=" * layout.length, header]
    if top_level_events_only:
        lines += ["=" * layout.length, "This report only display top-level ops statistics"]
    lines += [layout.rule(), layout.line(list(layout.titles)), layout.rule()]

    shown = 0
    for event in events:
        if shown == row_limit:
            break
        if top_level_events_only and event.cpu_parent is not None:
            continue
        shown += 1
        name = event.key
        if max_name_column_width is not None:
            name = _cut_end(name, max_name_column_width)
        event.self_cpu_percent = format_time_share(event.self_cpu_time_total, cpu_total)
        event.total_cpu_percent = (
            format_time_share(event.cpu_time_total, cpu_total) if not event.is_async else 0
        )
        cells: list[Any] = [name]
        if has_overloads:
            overload = event.overload_name
            if max_name_column_width is not None:
                overload = _cut_end(overload, max_name_column_width)
            cells.append(overload)
        cells += [
            event.self_cpu_percent,
            format_time(event.self_cpu_time_total, time_unit),
            event.total_cpu_percent,
            format_time(event.cpu_time_total, time_unit),
            format_time(event.cpu_time, time_unit),
        ]
        if on_device:
            event.total_device_percent = format_time_share(
                event.self_device_time_total, device_total
            )
            cells += [
                format_time(event.self_device_time_total, time_unit),
                event.total_device_percent,
                format_time(event.device_time_total, time_unit),
                format_time(event.device_time, time_unit),
            ]
        if profile_memory:
            cells += [
                format_memory(event.cpu_memory_usage),
                format_memory(event.self_cpu_memory_usage),
            ]
            if use_device and memory_on_device:
                cells += [
                    format_memory(event.device_memory_usage),
                    format_memory(event.self_device_memory_usage),
                ]
        cells.append(event.count)
        if has_nodes:
            cells.append(event.node_id)
        if has_shapes:
            cells.append(str(event.input_shapes)[:shapes_width])
        if with_flops:
            cells.append("--" if event.flops <= 0 else f"{event.flops * scale:8.3f}")
        if stacks:
            first = event.stack[0] if len(event.stack) > 0 else ""
            cells.append(_cut_begin(first, src_width))
        lines.append(layout.line(cells))
        if stacks:
            empty = [""] * (len(layout.titles) - 1)
            for entry in event.stack[1:_STACK_ENTRIES]:
                lines.append(layout.line([*empty, _cut_begin(entry, src_width)]))
            lines.append(layout.line([*empty, ""]))

    lines.append(layout.rule())
    lines.append(f"Self CPU time total: {format_time(cpu_total, time_unit)}")
    if on_device:
        lines.append(f"Self {device} time total: {format_time(device_total, time_unit)}")
    return "\n".join(lines) + "\n"


def _runs_on_device(event: Any) -> bool:
    """Whether its own time on the device is part of the whole."""
    if event.device_type.name == "CPU":
        return bool(event.is_legacy)
    return event.device_type.name in ("CUDA", "PrivateUse1", "MTIA", "XPU", "HPU") and not (
        event.is_user_annotation
    )
