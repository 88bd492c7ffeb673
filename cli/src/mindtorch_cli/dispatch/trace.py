"""``mindtorch dispatch trace``: every call that a script dispatches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import mindtorch as torch
import typer
from mindtorch_dispatch import key_name
from mindtorch_dispatch.trace import CALL, KERNEL, Event, Trace
from mindtorch_dispatch.trace_output import duration, folded, names, reason, remarks, title
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from ..calls import place
from ..lazy import command
from ..render import ASIDE, BAD, KEY, Json, emit, examples, facts, plain
from ..script import Arguments, own_output, run
from ..suggestions import CallError, key_named
from ..trace_page import save_page

app = command()

#: More events than anybody reads; a trace of a training run still ends.
LIMIT = 100_000
WIDTH = 110


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
    script: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, readable=True, help="Run in this process."),
    ],
    arguments: Arguments = None,
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
            help="Write a file: .json in Chrome's format for Perfetto, .html, .txt.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Run a script and show every call that it dispatches.

    Calls of ops with what runs inside them: the kernel at each key, the calls
    of composite ops, a backward with its nodes, a pipeline's flush. Times
    include what tracing costs.
    """
    if output is not None and output.suffix not in (".json", ".html", ".txt"):
        raise typer.BadParameter(
            f"{output.name} ends neither in .json nor in .html nor in .txt", param_hint="--output"
        )
    try:
        wanted = None if key is None else key_named(key)
    except CallError as error:
        raise typer.BadParameter(str(error), param_hint="--key") from None
    with own_output(json), torch.dispatch_trace(limit=limit) as whole:
        code = run(script, arguments or [])
    chosen = whole.select(op=op, key=wanted, depth=depth)
    if output is not None:
        if output.suffix == ".html":
            save_page(chosen, output, f"{script.name}")
        else:
            chosen.save(output)
        Console(stderr=True, highlight=False).print(
            f"{len(chosen)} events written to {output}", markup=False
        )
    if json or output is None:
        emit(chosen, False, lambda t: tree(t, keys)) if not json else emit(
            chosen.to_dict(), True, list
        )
    if code:
        raise typer.Exit(code)


def tree(trace: Trace, keys: bool) -> Iterator[RenderableType]:
    """The events as a tree, equal neighbours as one; then how many there were."""
    if not trace.events:
        yield plain("no calls", ASIDE)
    for event, times, ns in folded(trace.events):
        root = Tree(line(event, times, ns, keys), guide_style=ASIDE)
        stack = [(root, event)]
        while stack:
            branch, e = stack.pop()
            for inner, n, inner_ns in folded(e.children):
                stack.append((branch.add(line(inner, n, inner_ns, keys)), inner))
        # In a wide terminal the times stay near what they belong to.
        yield Constrain(root, WIDTH)
    calls = trace.calls()
    outer = sum(e.duration for e in trace.events)
    yield facts([("calls", len(calls)), ("events", len(trace)), ("time", duration(outer))])
    if trace.dropped:
        yield plain(f"{trace.dropped} more events are not kept; --limit keeps more", BAD)


def line(event: Event, times: int, ns: int, keys: bool) -> Table:
    """One event: what it is on the left, its time at the right edge."""
    made = Table.grid(expand=True, padding=(0, 1))
    made.add_column(ratio=1, overflow="fold")
    made.add_column(justify="right", no_wrap=True)
    made.add_row(words(event, times, keys), plain(duration(ns), ASIDE))
    return made


def words(event: Event, times: int, keys: bool) -> Text:
    """The left side."""
    made = Text()
    if times > 1:
        made.append(f"{times} × ", "yellow")
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
