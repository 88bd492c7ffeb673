"""``torch._logging``: what torch says of its inside, which says nothing here."""

from __future__ import annotations

import functools
import logging
from typing import Any

__all__ = ["getArtifactLogger", "set_logs", "warning_once"]


def set_logs(*, all: int | None = None, **kwargs: Any) -> None:
    """Set the levels of loggers by name, as ``logging`` knows them under ``torch``.

    Switches of artifacts of compilation are bools, and say nothing: nothing is compiled.
    """
    if all is not None:
        logging.getLogger("torch").setLevel(all)
    for name, level in kwargs.items():
        if isinstance(level, int) and not isinstance(level, bool):
            logging.getLogger(f"torch.{name}").setLevel(level)


def getArtifactLogger(module_qname: str, artifact_name: str) -> logging.Logger:
    """The logger of one kind of artifact of a module."""
    return logging.getLogger(f"{module_qname}.__{artifact_name}")


@functools.cache
def warning_once(logger_obj: logging.Logger, *args: Any, **kwargs: Any) -> None:
    """Warn the first time that this is said."""
    logger_obj.warning(*args, **kwargs)


def trace_structured(name: str, *args: Any, **kwargs: Any) -> None:
    """Tell nobody."""


def dtrace_structured(name: str, *args: Any, **kwargs: Any) -> None:
    """Tell nobody."""


class LazyString:
    """A text that is made when it is needed."""

    def __init__(self, func: Any, *args: Any, **kwargs: Any) -> None:
        self.func = functools.partial(func, *args, **kwargs)

    def __str__(self) -> str:
        return str(self.func())
