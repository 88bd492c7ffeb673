"""``mindtorch dispatch trace``: every call that a script dispatches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import mindtorch as torch
import typer
from mindtorch_dispatch import key_name
from mindtorch_dispatch.trace import Trace
from mindtorch_dispatch.trace_events import CALL, KERNEL, Event
from mindtorch_dispatch.trace_output import duration, folded, names, reason, remarks, title
from rich.console import Console, RenderableType
from rich.text import Text

from ..calls import place
from ..lazy_group import command
from ..render import ASIDE, BAD, KEY, Json, console, emit, examples, facts, plain
from ..script import Arguments, CudaAsNpu, Module, Script, TorchNpu, reported, writable
from ..suggestions import CallError, key_named
from ..trace_page import save_page

app = command()

#: More events than anybody reads; a trace of a training run still ends.
LIMIT = 100_000
#: In a wide terminal the times stay near what they belong to.
WIDTH = 110
#: Lines that are printed at once: a line at a time takes twice as long.
BATCH = 100


@app.command(
    epilog=examples(
        "dispatch trace train.py",
        "dispatch trace train.py --op mm --depth 3 -- --epochs 1",
        "dispatch trace train.py --key Pipeline",
        "dispatch trace train.py --output trace.json   (open it in ui.perfetto.dev)",
        "dispatch trace train.py --output trace.html",
        "dispatch trace train.py --json",
    )
)
def trace(
    script: Script,
    arguments: Arguments = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    op: Annotated[
        str | None,
        typer.Option(metavar="OP", help="Only calls of this op (add, aten::mul*), and all around."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Only calls that run a kernel at this key."),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, help="Levels of the tree; 1 shows the outermost calls.")
    ] = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="Show key sets and where kernels are defined.")
    ] = False,
    limit: Annotated[
        int, typer.Option(min=1, help="Keep this many events, count the others.")
    ] = LIMIT,
    output: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            callback=writable,
            help="Write a file: .json in Chrome's format for Perfetto, .html, .txt.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Run a script and show every call that it dispatches.

    Calls of ops with what runs inside them: the kernel at each key, the calls
    of composite ops, a backward with its nodes, a pipeline's flush. Times
    include what tracing costs. If the script fails, the trace is shown first.
    """
    if output is not None and output.suffix not in (".json", ".html", ".txt"):
        raise typer.BadParameter(
            f"{output.name} ends neither in .json nor in .html nor in .txt", param_hint="--output"
        )
    try:
        wanted = None if key is None else key_named(key)
    except CallError as error:
        raise typer.BadParameter(str(error), param_hint="--key") from None
    place_of_output = None if output is None else output.absolute()  # the script may go elsewhere
    with torch.dispatch_trace(limit=limit) as whole:

        def tell(code: int) -> int:
            chosen = whole.select(op=op, key=wanted, depth=depth)
            if place_of_output is not None:
                if place_of_output.suffix == ".html":
                    save_page(chosen, place_of_output, f"{script.name}")
                else:
                    chosen.save(place_of_output)
                Console(stderr=True, highlight=False).print(
                    f"{len(chosen)} events written to {output}", markup=False
                )
            if json or output is None:
                shown = min(console().width, WIDTH)
                emit(chosen.to_dict() if json else chosen, json, lambda t: tree(t, keys, shown))
            return code

        reported(script, arguments or [], json, tell, module=module, error_last=True)


def tree(trace: Trace, keys: bool, width: int) -> Iterator[RenderableType]:
    """The events as a tree, equal neighbours as one; then how many there were.

    Lines are put together here: rich's trees take half a millisecond each, and there are many.
    """
    if not trace.events:
        yield plain("no calls", ASIDE)
    lines = tree_lines(trace, keys, width)
    while batch := list(islice(lines, BATCH)):
        yield Text("\n").join(batch)
    calls = trace.calls()
    outer = sum(e.duration for e in trace.events)
    yield facts([("calls", len(calls)), ("events", len(trace)), ("time", duration(outer))])
    if trace.dropped:
        yield plain(f"{trace.dropped} more events are not kept; --limit keeps more", BAD)


def tree_lines(trace: Trace, keys: bool, width: int) -> Iterator[Text]:
    """The tree line by line."""
    stack = [(part, "", "") for part in reversed([*folded(trace.events)])]
    while stack:
        (event, times, ns), lead, indent = stack.pop()
        inner = [*folded(event.children)]
        below = indent + ("│   " if inner else "    ")
        yield from line(words(event, times, keys), lead, below, duration(ns), width)
        last, more = ("└── ", "    "), ("├── ", "│   ")
        for part in reversed(inner):
            stack.append((part, indent + last[0], indent + last[1]))
            last = more


def line(what: Text, lead: str, below: str, time: str, width: int) -> Iterator[Text]:
    """One event: what it is on the left, folded where it must be, its time at the right edge.

    :param lead: the branch that leads to it.
    :param below: what stands in front of further lines.
    """
    room = max(width - len(lead) - 10, 20)
    rows = [r for part in what.split("\n") for r in pieces(part, room)]
    for number, row in enumerate(rows):
        made = plain(below if number else lead, ASIDE).append_text(row)
        if not number:
            gap = width - made.cell_len - len(time)
            made.append(" " * max(gap, 1) + time, ASIDE)
        yield made


def pieces(text: Text, room: int) -> list[Text]:
    """*text* in lines of at most *room* characters, between words where there are any."""
    cuts, start, plain_text = [], 0, text.plain
    while len(plain_text) - start > room:
        space = plain_text.rfind(" ", start + 1, start + room + 1)
        start = start + room if space < 0 else space + 1
        cuts.append(start)
    return list(text.divide(cuts)) if cuts else [text]


def words(event: Event, times: int, keys: bool) -> Text:
    """The left side."""
    made = Text()
    if times > 1:
        made.append(f"{times} × ", "magenta")
    if event.kind == KERNEL and event.hop is not None:
        made.append(key_name(event.hop.key), KEY)
        made.append(f" {event.kernel}")
    else:
        made.append(title(event), "bold" if event.kind == CALL else "magenta")
    for remark in remarks(event):
        made.append(f"  {remark}", BAD if remark.startswith("raised ") else ASIDE)
    if keys:
        for detail in details(event):
            made.append(f"\n{detail}", ASIDE)
    return made


def details(event: Event) -> Iterator[str]:
    """Key sets of a call; of a kernel where it is defined and why it stands there."""
    if event.kind == CALL:
        for a in event.arguments:
            if a.keys is not None:
                yield f"{a.text}: {' '.join(names(a.keys))}"
        yield f"dispatched by {' '.join(names(event.keys))}"
    elif event.kind == KERNEL and event.hop is not None:
        yield f"{reason(event.hop)}, {place(event.where)}"
