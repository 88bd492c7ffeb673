"""``mindtorch npu replay``: a recorded history under another capacity or other settings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from mindtorch_npu.device_profiles import SIMULATOR, Profile, profile
from mindtorch_npu.replay import UNLIMITED_MEMORY, Trace
from mindtorch_npu.replay import replay as run_again
from mindtorch_npu.simulator import parse_size
from mindtorch_npu.snapshot_files import load_snapshot
from rich.console import RenderableType

from ..lazy_group import command
from ..render import ASIDE, BAD, Json, emit, examples, plain, table
from ..script import refused_by
from .sizes import holders, size

app = command()

#: The pickle of ``_dump_snapshot``.
Snapshot = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, help="A pickle of _dump_snapshot().")
]
Device = Annotated[int, typer.Option(help="Index of the device in the snapshot.")]
Kind = Annotated[
    str, typer.Option(help="Kind of device whose context and padding count, as A100-80GB.")
]


def trace_of(snapshot: Path, device: int) -> Trace:
    """The history of a device. Raises BadParameter for what is none."""
    try:
        return Trace(load_snapshot(snapshot), device)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def kind_of(name: str) -> Profile:
    """The row of a device's name; the simulator's for no name."""
    with refused_by("--kind"):
        return profile(name) if name else SIMULATOR


@app.command(
    epilog=examples(
        "npu replay snap.pickle --memory 24GiB",
        'npu replay snap.pickle --settings "max_split_size_mb:128" --kind A100-40GB',
    )
)
def replay(
    snapshot: Snapshot,
    memory: Annotated[
        str,
        typer.Option(
            help="Memory of the device, as 24GiB, of which the context is never free: 512 MiB, or "
            "the kind's. Default the kind's, or no limit."
        ),
    ] = "",
    settings: Annotated[
        str, typer.Option(help="Allocator settings, as in PYTORCH_ALLOC_CONF.")
    ] = "",
    device: Device = 0,
    kind: Kind = "",
    json: Json = False,
) -> None:
    """Run a recorded memory history under another capacity or other settings.

    The history comes from torch.cuda.memory._record_memory_history on real hardware, or from the
    simulator. Shown beside it: the same with torch's default settings and no limit. What is unused
    when most was reserved is fragmentation: the part of the reserved memory that no block had.
    The exit code is 1 where a request is refused.
    """
    trace = trace_of(snapshot, device)
    row = kind_of(kind)
    with refused_by("--memory"):
        room = parse_size(memory) if memory else row.total << 20 if kind else UNLIMITED_MEMORY
    with refused_by("--settings"):
        asked = run_again(trace, settings, room, row)
    plain_run = run_again(trace, kind=row)
    for each in (asked, plain_run):
        del each["stats"]  # the figures below say it
    found = {
        "replay": asked,
        "unlimited": plain_run,
        "requests": len(trace.steps),
        "blocks_before": len(trace.before),
        "recorded_settings": trace.recorded,
        "expandable": trace.expandable,
    }
    emit(found, json, report)
    if asked["refused"]:
        raise typer.Exit(1)


_ROWS = (
    ("peak requested", "peak_requested", size),
    ("peak allocated", "peak_allocated", size),
    ("peak reserved", "peak_reserved", size),
    ("unused when most was reserved", "fragmentation", lambda x: f"{x:.1%}"),
    ("segments asked of the driver", "segments", str),
    ("times the cache was flushed", "retries", str),
    ("requests refused", "refused", str),
    ("refused when recorded, served now", "rescued", str),
)


def report(found: dict[str, Any]) -> Iterable[RenderableType]:
    """Both runs side by side, and who held memory when it ran out."""
    asked, unlimited = found["replay"], found["unlimited"]
    title = f"{found['requests']} requests and frees"
    made = table("", "as asked", "no limit", title=title, fold=("",))
    for name, key, shown in _ROWS:
        made.add_row(name, shown(asked[key]), shown(unlimited[key]))
    yield made
    if found["blocks_before"]:
        yield plain(f"blocks held before the history begins: {found['blocks_before']}", ASIDE)
    if found["recorded_settings"]:
        yield plain(f'recorded with PYTORCH_ALLOC_CONF="{found["recorded_settings"]}"', ASIDE)
    if found["expandable"]:
        yield plain("recorded with expandable segments; here segments do not grow", ASIDE)
    first = asked["first_refused"]
    if first is not None:
        text = f"out of memory: {size(first['asked_bytes'])} at {first['line']}"
        yield plain(text, BAD)
        yield holders(first["holders"], "Who held memory then")
