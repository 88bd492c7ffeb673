"""Events of agents: what happened, when and where."""

from __future__ import annotations

import inspect
import logging
import os
import socket
import traceback

from .api import Event, EventMetadataValue, EventSource, NodeState, RdzvEvent
from .handlers import get_logging_handler

__all__ = [
    "Event",
    "EventMetadataValue",
    "EventSource",
    "NodeState",
    "RdzvEvent",
    "construct_and_record_rdzv_event",
    "get_logging_handler",
    "record",
    "record_rdzv_event",
]

_loggers: dict[str, logging.Logger] = {}


def _logger(destination: str) -> logging.Logger:
    if destination not in _loggers:
        logger = logging.getLogger(f"torchelastic-event-{destination}")
        logger.setLevel(os.environ.get("LOGLEVEL", "INFO"))
        logger.propagate = False
        logger.addHandler(get_logging_handler(destination))
        _loggers[destination] = logger
    return _loggers[destination]


def record(event: Event, destination: str = "null") -> None:
    """Log an event."""
    _logger(destination).info(event.serialize())


def record_rdzv_event(event: RdzvEvent) -> None:
    """Log an event of a rendezvous."""
    _logger("dynamic_rendezvous").info(event.serialize())


def construct_and_record_rdzv_event(
    run_id: str,
    message: str,
    node_state: NodeState,
    name: str = "",
    hostname: str = "",
    pid: int | None = None,
    master_endpoint: str = "",
    local_id: int | None = None,
    rank: int | None = None,
) -> None:
    """Make an event of a rendezvous, named by the caller where *name* is empty, and log it."""
    if isinstance(get_logging_handler("dynamic_rendezvous"), logging.NullHandler):
        return
    if not name:
        caller = inspect.stack()[1]
        name = f"{os.path.basename(caller.filename)}:{caller.function}"
    failed = traceback.format_exc() if node_state == NodeState.FAILED else ""
    record_rdzv_event(
        RdzvEvent(
            name=name,
            run_id=run_id,
            message=message,
            hostname=hostname or socket.getfqdn(),
            pid=pid or os.getpid(),
            node_state=node_state,
            master_endpoint=master_endpoint,
            rank=rank,
            local_id=local_id,
            error_trace=failed,
        )
    )
