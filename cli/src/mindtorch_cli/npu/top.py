"""``mindtorch npu top``: the memory of running processes, live."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from mindtorch_npu.monitor import ENVIRONMENT, processes
from rich.console import Group, RenderableType
from rich.live import Live

from ..lazy import command
from ..render import Json, console, emit, examples, plain, table
from ..script import Arguments, OptionalScript, child, ended_with, pass_on
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
    interval: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks.")] = 0.5,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
    json: Json = False,
) -> None:
    """Watch the memory of running processes, or of a script that is started.

    Processes show themselves while MINDTORCH_NPU_MONITOR=1 is set for them.
    """
    if script is None:
        if once or json:
            emit({"processes": processes()}, json, report)
        else:
            watch(None, interval)
        return
    words = [sys.executable, str(script), *(arguments or [])]
    environment = os.environ | {ENVIRONMENT: "1"}
    with tempfile.TemporaryFile() as said:
        # Its output would tear the picture: it comes after it.
        with child(words, env=environment, stdout=said) as process:
            last = watch(process, interval, quiet=json)
        said.seek(0)
        pass_on(said.read(), sys.stderr if json else sys.stdout)
    if last or json:
        emit({"processes": last}, json, report)
    else:
        console().print(plain("the script used no NPU for long enough to be seen", "dim"))
    if process.returncode:
        raise typer.Exit(ended_with(process.returncode))


def watch(
    process: subprocess.Popen[bytes] | None, interval: float, quiet: bool = False
) -> list[dict[str, Any]]:
    """Draw until the child ends, or Ctrl-C; the last that was seen of it."""
    last: list[dict[str, Any]] = []
    with Live(console=console(), auto_refresh=False, transient=process is not None) as live:
        while True:
            found = processes()
            if process is not None:
                found = [each for each in found if each["pid"] == process.pid]
            last = found or last
            if not quiet:
                live.update(Group(*report({"processes": found})), refresh=True)
            try:
                if process is None:
                    time.sleep(interval)
                else:
                    process.wait(interval)
                    return last
            except subprocess.TimeoutExpired:
                continue
            except KeyboardInterrupt:
                return last


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
