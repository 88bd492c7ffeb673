"""``mindtorch npu timeline``: a memory snapshot as one HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from mindtorch_npu.snapshot_files import load_snapshot
from rich.console import RenderableType

from ..lazy_group import command
from ..render import ASIDE, Json, emit, examples, plain
from ..script import writable
from .memory_page import save_page
from .replay import Snapshot

app = command()


@app.command(epilog=examples("npu timeline snap.pickle -o memory.html"))
def timeline(
    snapshot: Snapshot,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", dir_okay=False, callback=writable, help="Where to write the page."
        ),
    ] = Path("memory.html"),
    json: Json = False,
) -> None:
    """Draw a memory snapshot as one page: allocations by line, segments, streams.

    The snapshot may come from npu snapshot or from torch.cuda.memory._dump_snapshot.
    """
    try:
        found = load_snapshot(snapshot)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    save_page(found, output, snapshot.name)
    held = len(found["segments"])
    events = sum(len(trace) for trace in found["device_traces"])
    size = output.stat().st_size
    shown = {"file": str(output), "bytes": size, "segments": held, "events": events}
    emit(shown, json, report)


def report(data: dict[str, Any]) -> Iterable[RenderableType]:
    """Where it is."""
    yield plain(f"wrote {data['file']} ({data['bytes']} bytes)")
    if not data["events"]:
        what = "no history" if data["segments"] else "no memory and no history"
        yield plain(f"the snapshot has {what}: _record_memory_history() makes one", ASIDE)
