"""``torch.profiler._utils``: walks over the events of a profile, and where time is lost in it."""

from __future__ import annotations

import functools
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..aten import torch
from ..autograd.profiler import profile
from ..autograd.profiler_util import DeviceType
from ._graph_markers import map_recorded_events_to_aten_ops_with_stack_trace

__all__ = [
    "BasicEvaluation",
    "EventKey",
    "EventMetrics",
    "Interval",
    "map_recorded_events_to_aten_ops_with_stack_trace",
]

#: What starts a kernel of CUDA.
_LAUNCHES = ("cudaLaunchKernel", "__cudaLaunchKernel", "cudaLaunchCooperativeKernel")
#: In the names of what CUDA does that is no kernel.
_OF_MEMORY = ("mem", "cpy", "alloc", "free")
#: A queue that is this deep was full, for those who look where it runs empty.
_FULL = 4


# -- walks -----------------------------------------------------------------------------------------


def _children(event: Any) -> Any:
    return event.children


def _traverse(
    tree: Sequence[Any],
    next_fn: Callable[[deque[Any]], Any],
    children_fn: Callable[[Any], Sequence[Any]] = _children,
    reverse: bool = False,
) -> Iterator[Any]:
    order: Callable[[Sequence[Any]], Iterable[Any]] = reversed if reverse else iter
    remaining = deque(order(tree))
    while remaining:
        event = next_fn(remaining)
        yield event
        remaining.extend(order(children_fn(event)))


traverse_dfs = functools.partial(_traverse, next_fn=lambda x: x.pop(), reverse=True)
traverse_bfs = functools.partial(_traverse, next_fn=lambda x: x.popleft(), reverse=False)


def index_of_first_match(
    seq: Sequence[Any], predicate: Callable[[Any], Any], start: int = 0, end: int | None = None
) -> int | None:
    """The place of the first entry for which *predicate* holds, in a part of *seq*."""
    stop = len(seq) if end is None else min(end, len(seq))
    return next((i for i in range(start, stop) if predicate(seq[i])), None)


def argmax(
    seq: Sequence[Any],
    key: Callable[[Any], Any] = lambda x: x,
    start: int = 0,
    end: int | None = None,
) -> int | None:
    """The place of the greatest entry in a part of *seq*; None where that is empty."""
    part = seq[start:end]
    return part.index(max(part, key=key)) + start if part else None


def source_code_location(event: Any) -> str:
    """The innermost Python function around an event."""
    while event is not None:
        if re.search(r"\.py\(.*\)", event.name):
            return str(event.name)
        event = event.parent
    return "No source code location found"


def _init_for_cuda_graphs() -> None:
    """Start and stop a profiler once: some versions of CUDA want it before graphs."""
    with profile():
        pass


# -- measures --------------------------------------------------------------------------------------


@dataclass
class EventMetrics:
    """What an evaluation found of one event."""

    duration_time_ns: int = 0
    self_time_ns: int = 0
    idle_time_ns: int = 0
    queue_depth: int = 0

    @property
    def fraction_idle_time(self) -> float:
        """The part of its time in which the device had nothing to do."""
        return self.idle_time_ns / self.duration_time_ns if self.duration_time_ns else 0.0


@dataclass
class Interval:
    """A span of time, and how many kernels waited at its beginning."""

    start: int
    end: int
    queue_depth: int = 0


class EventKey:
    """An event as a key: the same if its number is."""

    def __init__(self, event: Any) -> None:
        self.event = event

    def __hash__(self) -> int:
        return hash(self.event.id)

    def __eq__(self, other: object) -> bool:
        return bool(self.event.id == other.event.id)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"{self.event.name}"

    def intervals_overlap(self, intervals: list[Interval]) -> int:
        """How much of the event's time lies in *intervals*, none counted twice.

        torch leaves out intervals that come after two that overlap.
        """
        total = reached = 0
        for i, interval in enumerate(sorted(intervals, key=lambda x: x.start)):
            start = interval.start if i == 0 else max(interval.start, reached)
            reached = max(reached, interval.end)
            total += max(
                0, min(self.event.end_time_ns, interval.end) - max(self.event.start_time_ns, start)
            )
        return total


class BasicEvaluation:
    """Where a program lets a device of CUDA wait.

    :param prof: a profile that has stopped.
    """

    def __init__(self, prof: Any) -> None:
        self.profile = prof
        self.metrics: dict[EventKey, EventMetrics] = {}
        self.compute_self_time()
        self.event_keys = sorted(self.metrics, key=lambda x: x.event.start_time_ns)
        self.events = [key.event for key in self.event_keys]
        self.cuda_events: list[Any] = []
        self.queue_depth_list = self.compute_queue_depth()
        self.compute_idle_time()

    def _results(self) -> Any:
        if self.profile.kineto_results is None:
            raise AssertionError("kineto_results must not be None")
        return self.profile.kineto_results

    def compute_self_time(self) -> None:
        """Work out the time of each event without that of those inside it."""
        # The last ones first: of events that are worth the same, the later ones rank first.
        for event in _traverse(self._results().experimental_event_tree(), lambda x: x.pop()):
            if EventKey(event) in self.metrics:
                raise AssertionError(f"Duplicate id: {event.id}, {event.name}")
            inside = sum(child.duration_time_ns for child in event.children)
            self.metrics[EventKey(event)] = EventMetrics(
                duration_time_ns=event.duration_time_ns,
                self_time_ns=event.duration_time_ns - inside,
            )

    def compute_queue_depth(self) -> list[Interval]:
        """Work out how many kernels wait when an event begins.

        Returns the spans of launches and kernels.
        """
        told = self._results().events()
        launches = sorted(filter(_is_launch, told), key=lambda e: e.start_ns())
        kernels = sorted(filter(_is_kernel, told), key=lambda e: e.start_ns())
        self.cuda_events = sorted(launches + kernels, key=lambda e: e.start_ns())
        launched: dict[Any, int | None] = {}
        last = 0
        for launch in launches:
            number = launch.linked_correlation_id()
            found = index_of_first_match(
                kernels, lambda k, n=number: k.linked_correlation_id() == n, start=last
            )
            launched[launch] = found
            last = last if found is None else found
        spans: list[Interval] = []
        begun, spawned = 0, -1
        for event in sorted(launches + kernels + self.events, key=_start):
            start = _start(event)
            newest = launched.get(event) if hasattr(event, "start_ns") else None
            spawned = spawned if newest is None else newest
            while begun < len(kernels) and kernels[begun].start_ns() <= start:
                begun += 1
            depth = max(spawned - begun + 1, 0)
            if hasattr(event, "start_ns"):
                spans.append(Interval(start, start + event.duration_ns(), depth))
            else:
                self.metrics[EventKey(event)].queue_depth = depth
        return spans

    def compute_idle_time(self) -> None:
        """Work out how long, in each event, the device has nothing to do."""
        idle: list[Interval] = []
        spans = self.queue_depth_list
        if spans and self.events:
            idle += [
                Interval(self.events[0].start_time_ns, spans[0].start),
                Interval(spans[-1].end, self.events[-1].end_time_ns),
            ]
        since: int | None = None
        for span in spans:
            if span.queue_depth == 0 and since is None:
                since = span.end
            elif span.queue_depth > 0 and since is not None:
                idle.append(Interval(since, span.start))
                since = None
        for key, metrics in self.metrics.items():
            metrics.idle_time_ns = key.intervals_overlap(idle)

    def _draining(self) -> list[Interval]:
        """The spans in which a full queue runs empty, the last one first."""
        spans = self.queue_depth_list[::-1]
        depths = [span.queue_depth for span in spans]
        found: list[Interval] = []
        i = 0
        while i < len(depths):
            if depths[i] > 0:
                i += 1
                continue
            for j in range(i + 1, len(depths)):
                empty = index_of_first_match(depths, lambda depth: depth <= 0, start=j)
                peak = argmax(depths, start=j, end=empty)
                if peak is not None and depths[peak] >= _FULL:
                    found.append(Interval(spans[peak].start, spans[i].start))
                    i = i if empty is None else empty
                    break
            i += 1
        return found

    def rank_events(self, length: int) -> list[EventKey]:
        """The events that are most worth a look: much idle time, while the queue runs empty."""
        draining = self._draining()
        chosen = [key for key in self.metrics if key.intervals_overlap(draining)]
        if not chosen:
            return chosen
        own, idle = (
            torch.tensor([getattr(self.metrics[key], name) for key in chosen], dtype=torch.float32)
            for name in ("self_time_ns", "fraction_idle_time")
        )
        scores = (idle - idle.mean()) / idle.std() + 0.6 * (own - own.mean()) / own.std()
        ranked = sorted(zip(scores, chosen, strict=True), key=lambda x: x[0], reverse=True)
        return [key for _, key in ranked][:length]

    def get_optimizable_events(self, length: int = 1, print_enable: bool = True) -> list[EventKey]:
        """The *length* first of those, which are printed as well unless *print_enable* is False."""
        found = self.rank_events(length)
        if print_enable:
            line = "-" * 80
            parts = [
                f"{line}\nEvent:                {key}\n"
                f"Source code location: {source_code_location(key.event)}\n"
                f"Percentage idle time: {self.metrics[key].fraction_idle_time * 100:.2f}%\n{line}"
                for key in found
            ]
            title = "Optimizable events:\n" if found else "No events to optimize\n"
            print(title + "\n".join(parts))
        return found


def _name(event: Any) -> str:
    return str(getattr(event, "name", event))


def _is_launch(event: Any) -> bool:
    return _name(event).startswith(_LAUNCHES)


def _is_kernel(event: Any) -> bool:
    if event.device_type() != DeviceType.CUDA:
        return False
    name = _name(event).lower()
    return not any(word in name for word in _OF_MEMORY)


def _start(event: Any) -> int:
    """When an event of either kind began."""
    for name in ("start_ns", "start_time_ns"):
        if hasattr(event, name):
            found = getattr(event, name)
            return int(found() if callable(found) else found)
    raise Exception("Unknown Event Type")  # torch's type
