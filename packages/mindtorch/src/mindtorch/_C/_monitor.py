"""``torch._C._monitor``: events, and statistics that are told as events."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

from ._choices import Choice

__all__ = [
    "Aggregation",
    "Event",
    "EventHandlerHandle",
    "Stat",
    "_WaitCounter",
    "_WaitCounterTracker",
    "data_value_t",
    "log_event",
    "register_event_handler",
    "unregister_event_handler",
]


class Aggregation(Choice):
    """What is told of the values of a window."""

    VALUE = 0
    MEAN = 2
    COUNT = 3
    SUM = 4
    MAX = 5
    MIN = 6


VALUE, MEAN, COUNT = Aggregation.VALUE, Aggregation.MEAN, Aggregation.COUNT
SUM, MAX, MIN = Aggregation.SUM, Aggregation.MAX, Aggregation.MIN


class data_value_t:
    """A value of an event: a text, a float, an int or a bool."""


class Event:
    """Something that happened: a name, when, and values with names."""

    def __init__(self, name: str, timestamp: datetime, data: dict[str, Any]) -> None:
        known = (str, bool, int, float)
        right = isinstance(name, str) and isinstance(timestamp, datetime)
        if not right or not all(isinstance(v, known) for v in data.values()):
            raise TypeError(
                "__init__(): incompatible constructor arguments. The following argument types are "
                "supported:\n    1. torch._C._monitor.Event(name: str, timestamp: "
                "datetime.datetime, data: collections.abc.Mapping[str, data_value_t])\n\n"
                f"Invoked with: {name!r}, {timestamp!r}, {data!r}"
            )
        self.name = name
        self.timestamp = timestamp
        self.data = dict(data)


class EventHandlerHandle:
    """What :func:`unregister_event_handler` takes."""

    def __init__(self, callback: Callable[[Event], object]) -> None:
        self._callback = callback


_handlers: list[EventHandlerHandle] = []
_lock = threading.Lock()


def register_event_handler(callback: Callable[[Event], object], /) -> EventHandlerHandle:
    """Call *callback* with every event from now on."""
    if not callable(callback):
        raise TypeError(
            "register_event_handler(): incompatible function arguments. The following argument "
            "types are supported:\n    1. (callback: collections.abc.Callable[["
            "torch._C._monitor.Event], None]) -> torch._C._monitor.EventHandlerHandle\n\n"
            f"Invoked with: {callback!r}"
        )
    handle = EventHandlerHandle(callback)
    with _lock:
        _handlers.append(handle)
    return handle


def unregister_event_handler(handler: EventHandlerHandle, /) -> None:
    """Call it no more."""
    with _lock:
        if handler in _handlers:
            _handlers.remove(handler)


def log_event(event: Event, /) -> None:
    """Tell *event* to all who are registered."""
    if not isinstance(event, Event):
        raise TypeError(
            "log_event(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (event: torch._C._monitor.Event) -> None\n\n"
            f"Invoked with: {event!r}"
        )
    for handle in tuple(_handlers):
        handle._callback(event)


class Stat:
    """Collects values, and tells them as an event when a window of time is over.

    :param aggregations: what is told of the values.
    :param window_size: how long a window is.
    :param max_samples: a window that has so many values is told at once.
    """

    def __init__(
        self,
        name: str,
        aggregations: Iterable[Aggregation],
        window_size: timedelta,
        max_samples: int | None = None,
    ) -> None:
        self._name = name
        self._aggregations = [a for a in Aggregation if a in set(aggregations)]
        self._window = window_size.total_seconds()
        self._max_samples = max_samples
        self._values: list[float] = []
        self._told: list[float] = []
        self._full = False
        self._lock = threading.Lock()
        self._id = self._window_id()

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def count(self) -> int:
        """How many values the window has."""
        with self._lock:
            return len(self._values)

    def add(self, v: float, /) -> None:
        """Add a value; tells the window before if it is over, and this one when it is full."""
        due = []
        with self._lock:
            now = self._window_id()
            if now != self._id:
                due.append(self._close())
                self._id, self._full = now, False
            if not self._full:
                self._values.append(float(v))
                if len(self._values) == self._max_samples:
                    due.append(self._close())
                    self._full = True
        for values in due:
            self._tell(values)

    def get(self) -> dict[Aggregation, float]:
        """What was told of the last window."""
        with self._lock:
            return self._summed(self._told)

    def _window_id(self) -> int:
        return int(time.time() // self._window) if self._window > 0 else 0

    def _close(self) -> list[float]:
        values, self._values = self._values, []
        if values:
            self._told = values
        return values

    def _tell(self, values: list[float]) -> None:
        if not values:
            return
        data = {
            f"{self._name}.{aggregation.name.lower()}": value
            for aggregation, value in self._summed(values).items()
        }
        log_event(Event("torch.monitor.Stat", datetime.now(), data))

    def _summed(self, values: list[float]) -> dict[Aggregation, float]:
        total = float(sum(values))
        every: dict[Aggregation, Callable[[], float]] = {
            MEAN: lambda: total / len(values) if values else 0.0,
            COUNT: lambda: float(len(values)),
            SUM: lambda: total,
            MAX: lambda: max(values, default=0.0),
            MIN: lambda: min(values, default=0.0),
        }
        # The last value is not told, which torch does not do either.
        return {each: every[each]() for each in self._aggregations if each in every}

    def __del__(self) -> None:
        self._tell(getattr(self, "_values", []))


class _WaitCounterTracker:
    """The time that one wait takes."""

    def __enter__(self) -> None: ...

    def __exit__(self, *exc_info: object) -> None: ...


class _WaitCounter:
    """Counts waits for whoever collects them; nobody does."""

    def __init__(self, key: str) -> None:
        self._key = key

    def guard(self) -> AbstractContextManager[Any]:
        """A ``with`` block of a wait."""
        return _WaitCounterTracker()
