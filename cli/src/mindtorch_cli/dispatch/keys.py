"""``mindtorch dispatch keys``: the order of the keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import RenderableType

from ..coverage import list_keys
from ..lazy_group import command
from ..render import ASIDE, KEY, Json, emit, examples, plain, table

app = command()


@app.command(epilog=examples("dispatch keys", "dispatch keys --json"))
def keys(json: Json = False) -> None:
    """Show the order of the dispatch keys, highest first.

    The last column says what differs from torch.
    """
    emit(list_keys(), json, key_tables)


def key_tables(rows: list[dict[str, Any]]) -> Iterable[RenderableType]:
    """The keys in order."""
    made = table("bit", "key", "differs from torch", fold=("differs from torch",))
    for row in rows:
        made.add_row(str(row["bit"]), plain(row["key"], KEY), plain(row["note"], ASIDE))
    yield made
