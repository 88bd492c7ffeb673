"""Where events go."""

from __future__ import annotations

import logging

_log_handlers: dict[str, logging.Handler] = {
    "console": logging.StreamHandler(),
    "dynamic_rendezvous": logging.NullHandler(),
    "null": logging.NullHandler(),
}


def get_logging_handler(destination: str = "null") -> logging.Handler:
    """Where events of *destination* go. Raises KeyError for a destination that is unknown."""
    return _log_handlers[destination]
