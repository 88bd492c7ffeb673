"""Events of agents: what happened, when and where."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, field
from enum import Enum

__all__ = ["Event", "EventMetadataValue", "EventSource", "get_logging_handler", "record"]

EventMetadataValue = str | int | float | bool | None
_loggers: dict[str, logging.Logger] = {}


class EventSource(str, Enum):  # noqa: UP042  (torch's bases)
    """Where an event is from."""

    AGENT = "AGENT"
    WORKER = "WORKER"


@dataclass
class Event:
    """What happened."""

    name: str
    source: EventSource
    timestamp: int = 0
    metadata: dict[str, EventMetadataValue] = field(default_factory=dict)

    def serialize(self) -> str:
        """The event as JSON."""
        return json.dumps(asdict(self))

    def __str__(self) -> str:
        return self.serialize()


def get_logging_handler(destination: str = "null") -> logging.Handler:
    """Where events of *destination* go."""
    return logging.StreamHandler() if destination == "console" else logging.NullHandler()


def record(event: Event, destination: str = "null") -> None:
    """Log an event."""
    if destination not in _loggers:
        logger = logging.getLogger(f"torchelastic-event-{destination}")
        logger.setLevel("INFO")
        logger.propagate = False
        logger.addHandler(get_logging_handler(destination))
        _loggers[destination] = logger
    _loggers[destination].info(event.serialize())
