"""``mindtorch npu tune``: the allocator settings that need least memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from mindtorch_npu.tune import Progress
from mindtorch_npu.tune import tune as search
from rich.console import Console, RenderableType
from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar

from ..lazy_group import command
from ..render import GOOD, Json, emit, examples, plain, table
from ..script import INTERRUPTED
from .replay import Device, Kind, Snapshot, kind_of, trace_of
from .sizes import size

app = command()


@app.command(
    epilog=examples(
        "npu tune snap.pickle",
        "npu tune snap.pickle --seconds 60",
        "npu tune snap.pickle --kind 910B-64GB --json",
    )
)
def tune(
    snapshot: Snapshot,
    device: Device = 0,
    kind: Kind = "",
    seconds: Annotated[
        float | None,
        typer.Option(min=0, metavar="N", help="End after so many seconds with the best so far."),
    ] = None,
    json: Json = False,
) -> None:
    """Search the allocator settings under which a recorded history needs least memory.

    What is compared is the smallest capacity, the context included, in which the whole history runs
    through. Settings are tried one by one and two by two, as torch 2.13 takes them; older versions
    take per_process_memory_fraction by torch.cuda.set_per_process_memory_fraction(). What torch's
    defaults need comes first and is then made more exact; whatever is better is told on stderr as
    soon as it is found. Ctrl-C ends the search with the best so far, and code 130.
    """
    trace = trace_of(snapshot, device)
    row = kind_of(kind)
    errors = Console(stderr=True, highlight=False, emoji=False)
    try:
        with told_on(errors) as progress:
            found = search(trace, row, progress=progress, seconds=seconds)
    except KeyboardInterrupt:
        errors.print("interrupted before the need of torch's defaults was known")
        raise typer.Exit(INTERRUPTED) from None
    emit(found, json, report)
    if found["ended"] == "interrupted":
        raise typer.Exit(INTERRUPTED)


@contextmanager
def told_on(errors: Console) -> Iterator[Callable[[Progress], None]]:
    """What tells *errors* where a search is: a bar; in a file, a line for each setting's figure."""
    if not errors.is_terminal:
        told = ""

        def tell(at: Progress) -> None:
            nonlocal told
            text = f"{at.best or 'defaults'}: {size(at.capacity)}"
            if at.capacity and text != told:
                told = text
                errors.print(plain(text), soft_wrap=True)

        yield tell
        return
    columns = (
        SpinnerColumn(),
        BarColumn(12),
        TaskProgressColumn(),
        TextColumn("{task.fields[at]}"),
    )
    with Bar(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("", total=None, at=plain("what torch's defaults need"))

        def draw(at: Progress) -> None:
            text = f"{size(at.capacity)} so far" if at.capacity else ""
            text += f"; trying {at.settings}" if at.settings else " for torch's defaults"
            line = plain(text)
            line.truncate(max(errors.width - 22, 10), overflow="ellipsis")  # beside the bar
            bar.update(task, completed=at.done, total=at.round or None, at=line.plain)

        yield draw


#: How a search that was not complete ended.
_ENDS = {"time": "; there was no time for more", "interrupted": ", then interrupted"}


def report(found: dict[str, Any]) -> Iterable[RenderableType]:
    """The settings, the gain and the way there."""
    gain = found["gain"]
    default = found["default_capacity"]
    if not gain:
        best = "best" if found["ended"] == "complete" else "best so far"
        enough = "needed" if found["default_exact"] else "are enough"
        yield plain(f"torch's defaults are {best}: {size(default)} {enough}")
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
    count = found["tried"]
    tried = "1 setting" if count == 1 else f"{count} settings"
    yield plain(f"{tried} tried{_ENDS.get(found['ended'], '')}", "dim")
