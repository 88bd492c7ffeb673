"""``mindtorch npu top``: the memory of running processes, live."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from typing import Annotated, Any

import typer
from mindtorch.compat.import_alias import environment
from mindtorch_npu.monitor import ENVIRONMENT, processes
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from ..broken_pipe import has_gone
from ..child_processes import child, ended_with, pass_on, passed_on
from ..lazy_group import command
from ..render import Json, console, emit, examples, plain, table
from ..script import Arguments, CudaAsNpu, Module, OptionalScript, TorchNpu
from .sizes import size

app = command()


@app.command(
    epilog=examples(
        "npu top train.py -- --epochs 3",
        "npu top  # of processes that run with MINDTORCH_NPU_MONITOR=1",
    )
)
def top(
    script: OptionalScript = None,
    arguments: Arguments = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    interval: Annotated[
        float, typer.Option(min=0.1, metavar="N", help="Seconds between two looks.")
    ] = 0.5,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
    json: Json = False,
) -> None:
    """Watch the memory of running processes, or of a script that is started.

    Processes show themselves while MINDTORCH_NPU_MONITOR=1 is set for them. What the script prints
    is passed on as it comes. Where stdout is no terminal, a table is printed whenever it changes.
    """
    if script is None:
        if once or json:
            emit({"processes": processes()}, json, report)
        else:
            watch(None, interval)
        return
    words = [sys.executable, "-u", *(["-m"] if module else []), str(script), *(arguments or [])]
    variables = os.environ | environment() | {ENVIRONMENT: "1"}
    with child(words, env=variables, stdout=subprocess.PIPE) as process:
        last, shown = watch(process, interval, quiet=json)
    if not shown and (last or json):
        emit({"processes": last}, json, report)
    elif not last:
        console().print(plain("the script used no NPU for long enough to be seen", "dim"))
    if process.returncode:
        raise typer.Exit(ended_with(process.returncode))


def watch(
    process: subprocess.Popen[bytes] | None, interval: float, quiet: bool = False
) -> tuple[list[dict[str, Any]], bool]:
    """Show them until the child ends, or Ctrl-C; the last that was seen of it, if it still shows.

    The child's own output is passed on as it comes.
    """
    last: list[dict[str, Any]] = []
    with ExitStack() as open_ones:
        out = console()
        picture = not quiet and out.is_terminal
        if picture:
            live = open_ones.enter_context(
                Live(console=out, auto_refresh=False, transient=process is not None)
            )
        if process is not None:
            to = sys.stderr if quiet else sys.stdout
            lines = Lines(partial(above, out) if picture else partial(pass_on, to=to))
            open_ones.callback(lines.end)
            open_ones.enter_context(passed_on(process.stdout, lines))
        before = None
        while True:
            found = processes()
            if process is not None:
                found = [each for each in found if each["pid"] == process.pid]
            last = found or last
            if picture and process is not None and not last:
                live.update(plain("the script has used no NPU yet", "dim"), refresh=True)
            elif picture:
                seen_now = found if process is None else last
                live.update(Group(*report({"processes": seen_now})), refresh=True)
            elif not quiet:
                if has_gone(1):
                    raise BrokenPipeError
                before, seen = [each | {"time": 0} for each in found], before
                if before != seen and (found or process is None):
                    emit({"processes": found}, False, report)
            try:
                if process is None:
                    time.sleep(interval)
                else:
                    process.wait(interval)
                    break
            except subprocess.TimeoutExpired:
                continue
            except KeyboardInterrupt:
                break
    return last, not (picture or quiet)


class Lines:
    """Passes on whole lines of what comes in pieces."""

    def __init__(self, tell: Callable[[bytes], object]) -> None:
        self._tell = tell
        self._rest = b""

    def __call__(self, piece: bytes) -> None:
        whole, end, rest = (self._rest + piece).rpartition(b"\n")
        self._rest = rest
        if end:
            self._tell(whole + end)

    def end(self) -> None:
        """Nothing comes any more."""
        if self._rest:
            self(b"\n")


def above(out: Console, said: bytes) -> None:
    """Print it above the picture."""
    text = said.decode(errors="backslashreplace").removesuffix("\n")
    out.print(Text.from_ansi(text), soft_wrap=True)


#: Heading -> what it shows of a device, and how.
_COLUMNS: dict[str, tuple[str, Callable[[int], str]]] = {
    "used": ("allocated", size),
    "peak": ("peak", size),
    "reserved": ("reserved", size),
    "total": ("total", size),
    "waiting": ("queued", str),
}
#: What fits a narrow terminal, and the width that all of it takes.
_FEW = {name: _COLUMNS[name] for name in ("used", "peak")}
_ROOM = 72


def report(found: dict[str, Any]) -> Iterable[RenderableType]:
    """A table for each process, with a row for each device."""
    columns = _COLUMNS if console().width >= _ROOM else _FEW
    for process in found["processes"]:
        made = table("device", *columns, title=f"{process['program']} ({process['pid']})")
        for device in process["devices"]:
            cells = (show(device[key]) for key, show in columns.values())
            made.add_row(f"npu:{device['index']}", *cells)
        yield made
    if not found["processes"]:
        yield plain("no process shows itself (set MINDTORCH_NPU_MONITOR=1 for it)", "dim")
