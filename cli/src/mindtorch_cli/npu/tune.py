"""``mindtorch npu tune``: the allocator settings that need least memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer
from mindtorch_npu.tune import tune as search
from rich.console import Console, RenderableType

from ..lazy import command
from ..render import GOOD, Json, emit, examples, plain, table
from ..script import INTERRUPTED
from .replay import Device, Kind, Snapshot, kind_of, trace_of
from .sizes import size

app = command()


@app.command(
    epilog=examples("npu tune snap.pickle", "npu tune snap.pickle --kind 910B-64GB --json")
)
def tune(snapshot: Snapshot, device: Device = 0, kind: Kind = "", json: Json = False) -> None:
    """Search the allocator settings under which a recorded history needs least memory.

    What is compared is the smallest capacity, the context included, in which the whole history runs
    through. Settings are tried one by one and two by two, as torch 2.13 takes them; older versions
    take per_process_memory_fraction by torch.cuda.set_per_process_memory_fraction(). Ctrl-C ends
    the search with the best found so far, and code 130.
    """
    trace = trace_of(snapshot, device)
    errors = Console(stderr=True)
    with errors.status("what torch's defaults need") as status:

        def progress(text: str, capacity: int) -> None:
            line = plain(f"{size(capacity)} so far; trying {text}")
            line.truncate(errors.width - 3, overflow="ellipsis")  # beside the spinner
            status.update(line)

        try:
            found = search(trace, kind_of(kind), progress=progress)
        except KeyboardInterrupt:
            errors.print("interrupted before the need of torch's defaults was known")
            raise typer.Exit(INTERRUPTED) from None
    emit(found, json, report)
    if found["interrupted"]:
        raise typer.Exit(INTERRUPTED)


def report(found: dict[str, Any]) -> Iterable[RenderableType]:
    """The settings, the gain and the way there."""
    gain = found["gain"]
    default = found["default_capacity"]
    if not gain:
        best = "best so far" if found["interrupted"] else "best"
        yield plain(f"torch's defaults are {best}: {size(default)} needed")
    else:
        settings = plain(f'PYTORCH_ALLOC_CONF="{found["settings"]}"', GOOD)
        settings.no_wrap = True  # to be copied
        yield settings
        yield plain(
            f"needs {size(found['capacity'])} in place of {size(default)}: "
            f"{size(gain)} ({gain / default:.1%}) less"
        )
        made = table("needs", "gain", "settings", fold=("settings",))
        for step in found["steps"]:
            made.add_row(size(step["capacity"]), size(step["gain"]), plain(step["settings"]))
        yield made
    until = ", then interrupted" if found["interrupted"] else ""
    yield plain(f"{found['tried']} settings tried{until}", "dim")
