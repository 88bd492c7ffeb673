"""Data to terminal: JSON as it is, or tables that fit 80 columns.

rich drops colours where output is no terminal or ``NO_COLOR`` is set. The styles are names of the
terminal's own colours, so light and dark ones both show them as they should.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

#: The option that every command has.
Json = Annotated[bool, typer.Option("--json", help="Print the same data as JSON.")]

#: Characters that a terminal obeys, which a file's names may have.
_STEERING = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}

Renderer = Callable[[Any], Iterable[RenderableType]]

#: Of keys, of what is said beside, of trouble.
KEY, ASIDE, BAD, GOOD = "cyan", "dim", "red", "green"


def examples(*lines: str) -> str:
    """An epilog with one example a line, each without the leading ``mindtorch``."""
    return "\n\n".join(("Examples:", *(f"  mindtorch {line}" for line in lines)))


def console() -> Console:
    """Standard output; wide lines are folded, never cut."""
    return Console(highlight=False, emoji=False)


#: For terminals that have letters and digits only.
_DRAWN = str.maketrans("│─└├▁▂▃▄▅▆▇█×·µ", "|-`|.:-=+*#@x.u", "")


def spelt(error: UnicodeError) -> tuple[str, int]:
    """What the terminal has no character for: drawn with those it has, or as Python writes it."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end].translate(_DRAWN)
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error("mindtorch.spelt", spelt)


def document(data: Any) -> str:
    """*data* as JSON that standard output has the characters for."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, indent=2)
    return text


def emit(data: Any, as_json: bool, render: Renderer) -> None:
    """Print *data*: as JSON, or as what *render* makes of it."""
    if as_json:
        print(document(data), flush=True)
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="mindtorch.spelt")
    out = console()
    for item in render(data):
        # What must not be folded is not cut either: the terminal shows it in lines as it can.
        out.print(item, soft_wrap=isinstance(item, Text) and bool(item.no_wrap))


def table(*columns: str, title: str = "", fold: Iterable[str] = ()) -> Table:
    """An empty table without vertical lines; columns in *fold* may break inside a word."""
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


def plain(text: str, style: str = "") -> Text:
    """*text* without markup: brackets are brackets, and what steers terminals is spelt out."""
    return Text(text.translate(_STEERING), style)


def shown_place(place: str) -> str:
    """``file:line in function``; of installed packages without what is before their name."""
    return place.rpartition(f"{os.sep}site-packages{os.sep}")[2]


def facts(pairs: Iterable[tuple[str, Any]], title: str = "") -> Table:
    """Names and values, without a heading."""
    made = table("name", "value", title=title, fold=("name", "value"))
    made.show_header = False
    made.box = None
    for name, value in pairs:
        made.add_row(plain(f"  {name}"), plain(str(value)))
    return made
