"""Which backward a thread runs."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["running"]


class Running(threading.local):
    """Per thread: the backward that runs. It never waits for another task of an event loop.

    :ivar task: a ``GraphTask``, or None.
    """

    task: Any = None


running = Running()
