"""Every race of a program is told by both of its lines, and nothing that is ordered is a race."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from mindtorch.utils.memory_sanitizer import sanitized

HEAD = """import io, threading
import mindtorch as torch
from mindtorch.utils.checkpoint import checkpoint
npu = torch.npu
side, other = npu.Stream(), npu.Stream()
here = npu.current_stream()
x = torch.ones(1000, device="npu")
npu.synchronize()
"""


def programs(file: str) -> dict[str, str]:
    """Name -> code, of a file where ``=== name`` stands before each."""
    text = Path(__file__).with_name(file).read_text("utf-8")
    parts = text.split("=== ")[1:]
    return {name: code for name, _, code in (part.partition("\n") for part in parts)}


RACY, ORDERED = programs("npu_racy.txt"), programs("npu_ordered.txt")


def found(program: str) -> list[tuple[int, int]]:
    """The numbers of the lines of each race."""
    code = compile(f"{HEAD}{program}npu.synchronize()\n", "program.py", "exec")
    scope = {"__name__": "__main__"}  # what dies with it is no race
    with contextlib.redirect_stdout(io.StringIO()), sanitized() as races:
        exec(code, scope)
    scope.clear()  # its functions hold it
    shown = [race.shown() for race in races.found]
    return [(number(race["first"]["line"]), number(race["second"]["line"])) for race in shown]


def number(line: str) -> int:
    """Of ``program.py:12 in <module>``."""
    return int(line.removeprefix("program.py:").split()[0])


def marked(program: str, mark: str) -> int:
    """The number of the line with that mark."""
    lines = f"{HEAD}{program}".splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(mark))


@pytest.mark.parametrize("name", RACY)
def test_a_race_is_told_by_both_lines(name: str) -> None:
    """`#1` and `#2` end its lines."""
    program = RACY[name]
    assert (marked(program, "#1"), marked(program, "#2")) in found(program)


@pytest.mark.parametrize("name", ORDERED)
def test_what_is_ordered_raises_no_alarm(name: str) -> None:
    assert found(ORDERED[name]) == []
