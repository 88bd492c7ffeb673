"""``torch._logging._internal``: the log of a compiler, always empty."""

from __future__ import annotations

import logging

from . import set_logs, warning_once

__all__ = ["set_logs", "trace_log", "warning_once"]

log = logging.getLogger(__name__)
#: The records of compilations, for whoever puts a handler to it; none is made.
trace_log = logging.getLogger("torch.__trace")
trace_log.propagate = False
