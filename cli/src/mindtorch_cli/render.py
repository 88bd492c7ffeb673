"""Data to terminal: JSON as it is, or tables that fit 80 columns.

rich drops colours where output is no terminal or ``NO_COLOR`` is set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

#: The option that every command has.
Json = Annotated[bool, typer.Option("--json", help="Print the same data as JSON.")]


def examples(*lines: str) -> str:
    """An epilog with one example a line, each without the leading ``mindtorch``."""
    return "\n\n".join(("Examples:", *(f"  mindtorch {line}" for line in lines)))


Renderer = Callable[[Any], Iterable["RenderableType"]]


def console() -> Console:
    """Standard output; wide lines are folded, never cut."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def emit(data: Any, as_json: bool, render: Renderer) -> None:
    """Print *data*: as JSON, or as what *render* makes of it."""
    if as_json:
        import json

        json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    out = console()
    for item in render(data):
        out.print(item)


def table(*columns: str, title: str = "", fold: Iterable[str] = ()) -> Table:
    """An empty table without vertical lines; columns in *fold* may break inside a word."""
    from rich import box
    from rich.table import Table

    made = Table(
        box=box.SIMPLE_HEAD,
        title=plain(title) if title else None,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        padding=(0, 1),
    )
    for name in columns:
        if name in fold:
            made.add_column(name, overflow="fold")
        else:
            made.add_column(name, no_wrap=True)
    return made


def plain(text: str) -> Any:
    """*text* without markup: brackets in it are brackets."""
    from rich.text import Text

    return Text(text)


def facts(pairs: Iterable[tuple[str, Any]], title: str = "") -> Table:
    """Names and values, without a heading."""
    made = table("name", "value", title=title, fold=("value",))
    made.show_header = False
    made.box = None
    for name, value in pairs:
        made.add_row(plain(f"  {name}"), plain(str(value)))
    return made


def did_you_mean(names: Iterable[str]) -> str:
    """``; did you mean a or b?``, empty without names."""
    found = list(names)
    return f"; did you mean {' or '.join(found)}?" if found else ""
