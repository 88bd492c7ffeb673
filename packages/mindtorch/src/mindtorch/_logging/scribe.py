"""``torch._logging.scribe``: events for a log of torch's authors, which go nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["make_scribe_logger", "open_source_signpost"]


def make_scribe_logger(name: str, thrift_src: str) -> Callable[..., None]:
    """A function that takes the fields of an event by name, and tells nobody."""

    def log(**kwargs: Any) -> None:
        """Tell nobody."""

    return log


def open_source_signpost(subsystem: Any, name: Any, parameters: Any, env: Any = None) -> None:
    """Tell nobody."""
