"""Metrics of agents: numbers in groups, given to handlers."""

from __future__ import annotations

import abc
import time
from collections import namedtuple
from collections.abc import Callable
from functools import wraps
from typing import Any

__all__ = [
    "ConsoleMetricHandler",
    "MetricData",
    "MetricHandler",
    "MetricsConfig",
    "NullMetricHandler",
    "configure",
    "getStream",
    "get_elapsed_time_ms",
    "prof",
    "profile",
    "publish_metric",
    "put_metric",
]

MetricData = namedtuple("MetricData", ["timestamp", "group_name", "name", "value"])


class MetricsConfig:
    """Parameters of metrics."""

    __slots__ = ["params"]

    def __init__(self, params: dict[str, str] | None = None) -> None:
        self.params = params or {}


class MetricHandler(abc.ABC):
    """Takes metrics."""

    @abc.abstractmethod
    def emit(self, metric_data: MetricData) -> None:
        """Take one."""


class ConsoleMetricHandler(MetricHandler):
    """Prints metrics."""

    def emit(self, metric_data: MetricData) -> None:
        """Print one."""
        when, group, name, value = metric_data
        print(f"[{when}][{group}]: {name}={value}")


class NullMetricHandler(MetricHandler):
    """Forgets metrics."""

    def emit(self, metric_data: MetricData) -> None:
        """Forget one."""


_handlers: dict[str | None, MetricHandler] = {None: NullMetricHandler()}


class MetricStream:
    """The metrics of a group."""

    def __init__(self, group_name: str, handler: MetricHandler) -> None:
        self.group_name, self.handler = group_name, handler

    def add_value(self, metric_name: str, metric_value: int) -> None:
        """Give a number to the handler."""
        self.handler.emit(MetricData(time.time(), self.group_name, metric_name, metric_value))


def configure(handler: MetricHandler, group: str | None = None) -> None:
    """Let *handler* take the metrics of *group*, or of all others."""
    _handlers[group] = handler


def getStream(group: str) -> MetricStream:
    """The metrics of *group*."""
    return MetricStream(group, _handlers.get(group, _handlers[None]))


def put_metric(metric_name: str, metric_value: int, metric_group: str = "torchelastic") -> None:
    """Give a number to the handler of a group."""
    getStream(metric_group).add_value(metric_name, metric_value)


def prof(fn: Any = None, group: str = "torchelastic") -> Any:
    """Count calls of a function, and how long they take."""

    def decorate(f: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            name = f.__qualname__
            began = time.time()
            ended = "failure"
            try:
                result = f(*args, **kwargs)
                ended = "success"
                return result
            finally:
                put_metric(f"{name}.{ended}", 1, group)
                took = int((time.time() - began) * 1000)
                put_metric(f"{name}.duration.ms", took, group)

        return wrapper

    return decorate(fn) if fn else decorate


def publish_metric(metric_group: str, metric_name: str, metric_value: int) -> None:
    """Give a number to the handler of a group; the older name of :func:`put_metric`."""
    put_metric(metric_name, metric_value, metric_group)


def get_elapsed_time_ms(start_time_in_seconds: float) -> int:
    """How many milliseconds have passed since *start_time_in_seconds*."""
    return int((time.time() - start_time_in_seconds) * 1000)


def profile(group: str | None = None) -> Any:
    """Count calls of a function, and how long they take; the older name of :func:`prof`."""

    def wrap(func: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            began = time.time()
            name, place = func.__name__, group or "torchelastic"
            try:
                result = func(*args, **kwargs)
                publish_metric(place, f"{name}.success", 1)
            except Exception:
                publish_metric(place, f"{name}.failure", 1)
                raise
            finally:
                publish_metric(place, f"{name}.duration.ms", get_elapsed_time_ms(began))
            return result

        return wrapper

    return wrap
