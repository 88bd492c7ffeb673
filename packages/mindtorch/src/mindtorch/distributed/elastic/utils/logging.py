"""Loggers of agents."""

from __future__ import annotations

import inspect
import logging
import os

from .log_level import get_log_level


def get_logger(name: str | None = None) -> logging.Logger:
    """The logger *name*, of the caller's module where None, at the level that LOGLEVEL says."""
    if name is None:
        caller = inspect.currentframe()
        name = caller.f_back.f_globals["__name__"] if caller and caller.f_back else __name__
    logger = logging.getLogger(name)
    logger.setLevel(os.environ.get("LOGLEVEL", get_log_level()))
    return logger
