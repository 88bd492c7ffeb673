"""What was worked out from several ops at once, kept until what ops do changes.

A plan that has other ops built in (see ``functionality.call_tape``) is right as long as none of
them gets another kernel and no switch turns that calls have built in. Each such change begins a new
generation: the tables that hold plans are emptied, and a plan that was begun before is not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

__all__ = ["begin", "generation", "keep"]

_number = 0
#: The tables that hold anything, by address.
_tables: dict[int, dict[Any, Any]] = {}
#: Held where something is kept and where a generation begins.
_lock = Lock()


def generation() -> int:
    """The number of the generation; ask for it before a plan is made."""
    return _number


def keep(table: dict[Any, Any], key: Any, plan: Callable[..., Any], begun: int) -> None:
    """Store *plan*, unless it was *begun* in another generation."""
    with _lock:
        if begun == _number:
            table[key] = plan
            _tables[id(table)] = table


def begin(operator: Any = None) -> None:
    """Begin a generation: something may do other things from now on."""
    global _number
    with _lock:
        _number += 1
        for table in _tables.values():
            table.clear()
        _tables.clear()
