"""Ranges of a program that have names, for whoever shows what ran: profilers.

While nobody does, :data:`active` is None, and that is all a caller has to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

__all__ = ["active", "begun"]

#: ``active(name, values, keywords)`` gives a ``with`` block around the range; None where the thread
#: is not followed.
active: Callable[[str, Any, Any], AbstractContextManager[Any] | None] | None = None
#: ``begun(name, values)`` begins a range that lasts until the function is called that it gives, in
#: whichever thread; None where the thread is not followed.
begun: Callable[[str, Any], Callable[[], None] | None] | None = None
