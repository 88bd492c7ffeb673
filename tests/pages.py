"""Pages that show commands and what they print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Shown(NamedTuple):
    """A block of commands, and the lines of the block of output below it, if there is one."""

    commands: list[str]
    output: list[str]


def shown_in(page: str) -> list[Shown]:
    """The ``sh`` blocks of a page, each with the ``text`` block that follows it at once."""
    blocks = re.findall(r"^```sh\n(.*?)^```(?:\s*^```text\n(.*?)^```)?", page, re.S | re.M)
    return [Shown(commands.splitlines(), output.splitlines()) for commands, output in blocks]


def write_scripts(page: str, folder: Path) -> None:
    """The Python blocks that begin with ``# name.py``, as files in *folder*."""
    for code in re.findall(r"^```python\n(.*?)^```", page, re.S | re.M):
        named = re.match(r"# (\w+\.py)\n", code)
        if named:
            (folder / named[1]).write_text(code, "utf-8")


def lines_missing(output: list[str], printed: str) -> list[str]:
    """What of *output* is no part of a printed line; ``…`` stands for anything."""
    lines = [re.sub(r"\s+", " ", line) for line in printed.splitlines()]

    def is_printed(line: str) -> bool:
        words = re.sub(r"\s+", " ", line.rstrip())
        pattern = re.compile(re.escape(words).replace("…", ".*"))
        return any(pattern.search(each) for each in lines)

    return [line for line in output if not is_printed(line)]
