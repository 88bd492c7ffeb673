"""Sizes and lists of memory holders, as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table

from ..render import plain, shown_place, table

_BARS = " ▁▂▃▄▅▆▇█"


def size(nbytes: float) -> str:
    """``1.50 GiB``."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(nbytes) < 1024:
            return f"{nbytes:.0f} {unit}" if unit == "B" else f"{nbytes:.2f} {unit}"
        nbytes /= 1024
    return f"{nbytes:.2f} TiB"


def bars(values: Sequence[float]) -> str:
    """*values* as a line of bars, the highest of them full."""
    top = max(values, default=0) or 1
    return "".join(_BARS[round(value / top * (len(_BARS) - 1))] for value in values)


def holders(found: Iterable[Mapping[str, Any]], title: str, limit: int = 10) -> Table:
    """Lines of the program with the memory that they hold, most first."""
    made = table("bytes", "blocks", "line", title=title, fold=("line",))
    rows = list(found)
    if len(rows) == limit + 1:  # that nothing is left out takes no more room
        limit += 1
    for row in rows[:limit]:
        made.add_row(size(row["bytes"]), str(row["blocks"]), plain(shown_place(row["line"])))
    if len(rows) > limit:
        rest = sum(row["bytes"] for row in rows[limit:])
        made.add_row(size(rest), "", plain(f"… {len(rows) - limit} more lines"))
    return made
