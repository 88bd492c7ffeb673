"""``mindtorch dispatch``: what the dispatcher does with an op, with a call, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .calls import NO_KERNEL, CallError, explain_call, explain_op, list_keys, list_ops
from .render import Json, emit, examples, facts, plain, table
from .specs import SpecError, parse

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

#: Heading of the column that holds both.
KERNEL = "kernel, defined at"
#: Narrow enough that most places fit beside them in 80 columns, to be copied.
KEY_WIDTH, WHY_WIDTH = 22, 18

app = typer.Typer(
    help="Which kernel runs for which key, and why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.command(
    epilog=examples(
        "dispatch explain aten::add",
        'dispatch explain add "f32[2,3]@npu,grad" 2 alpha=3',
        'dispatch explain cat "[f32[2],f32[3]]" dim=0 --pipeline',
        'dispatch explain ones "[2,3]" device=npu --json',
    )
)
def explain(
    op: Annotated[str, typer.Argument(help="aten::add, aten::add.Tensor, or add.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ARGUMENT]...",
            help="What the op is called with: tensors as f32[2,3]@npu,grad; numbers, lists and "
            "name=value. Then the path that the call takes is shown.",
        ),
    ] = None,
    pipeline: Annotated[
        bool, typer.Option("--pipeline", help="The call is made inside torch.pipeline().")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="One row per key, also for keys without a kernel.")
    ] = False,
    json: Json = False,
) -> None:
    """Show an op's schema, its table of kernels and, given arguments, the path a call takes."""
    if pipeline and not arguments:
        raise typer.BadParameter("give the call's arguments too", param_hint="--pipeline")
    try:
        args, kwargs = parse(arguments or [])
        if not arguments:
            emit(explain_op(op), json, lambda data: op_tables(data, every))
            return
        call = explain_call(op, args, kwargs, pipeline=pipeline)
        data = explain_op(call["operator"])
    except SpecError as error:
        raise typer.BadParameter(str(error), param_hint="ARGUMENT") from None
    except CallError as error:
        raise typer.BadParameter(str(error), param_hint="OP") from None
    emit(data | {"call": call}, json, lambda data: [*op_tables(data, every), path_table(call)])


@app.command(epilog=examples("dispatch keys", "dispatch keys --json"))
def keys(json: Json = False) -> None:
    """Show the order of the dispatch keys, highest first, and what differs from torch."""
    emit(list_keys(), json, key_tables)


@app.command(epilog=examples("dispatch ops", "dispatch ops add", 'dispatch ops "aten::*_" --json'))
def ops(
    pattern: Annotated[str, typer.Argument(help="Part of a name, or a pattern with * and ?.")] = "",
    json: Json = False,
) -> None:
    """List the ops, and the keys that they have kernels at."""
    try:
        found = list_ops(pattern)
    except CallError as error:
        raise typer.BadParameter(str(error), param_hint="PATTERN") from None
    emit(found, json, ops_tables)


def grouped(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Neighbours that run the same kernel for the same reason as one row: ``first … last``."""
    for _, same in groupby(rows, lambda row: (row["kernel"], row["where"], row["why"])):
        group = list(same)
        name = group[0]["key"]
        if len(group) > 1:
            name = f"{name} … {group[-1]['key']} ({len(group)})"
        yield group[0] | {"key": name, "count": len(group)}


def op_tables(data: dict[str, Any], every: bool) -> Iterable[RenderableType]:
    """The tables of one op."""
    yield plain(data["schema"] or f"{data['operator']} (no schema)")
    if data["overloads"]:
        yield plain(f"other overloads: {', '.join(data['overloads'])}")
    made = table("key", "why", KERNEL, fold=("key", "why", KERNEL))
    made.columns[0].max_width, made.columns[1].max_width = KEY_WIDTH, WHY_WIDTH
    hidden = 0
    for row in data["table"] if every else grouped(data["table"]):
        if row["why"] == NO_KERNEL and not every:
            hidden += row.get("count", 1)
        else:
            made.add_row(plain(row["key"]), plain(row["why"]), kernel_cell(row))
    yield made
    if hidden:
        yield plain(f"{hidden} keys without a kernel are not shown; --all shows them")


def path_table(call: dict[str, Any]) -> Table:
    """The path of one call, as a table."""
    title = f"{call['operator']}({', '.join(call['arguments'])})"
    made = table("", "key", "why", KERNEL, title=title, fold=("why", KERNEL))
    made.columns[2].max_width = WHY_WIDTH
    steps = [s for s in call["path"] if s["kernel"] or s["why"] == NO_KERNEL]
    for number, s in enumerate(steps, 1):
        why = s["why"] + ("; runs at the flush" if s["deferred"] else "")
        made.add_row(str(number), s["key"], plain(why), kernel_cell(s))
    return made


def kernel_cell(row: dict[str, Any]) -> Any:
    """The kernel, and on the next line where it is defined."""
    return plain("-" if row["kernel"] is None else f"{row['kernel']}\n{row['where']}")


def key_tables(rows: list[dict[str, Any]]) -> Iterable[RenderableType]:
    """The keys in order."""
    made = table("bit", "key", "differs from torch", fold=("differs from torch",))
    for row in rows:
        made.add_row(str(row["bit"]), row["key"], row["note"])
    yield made


def ops_tables(rows: list[dict[str, Any]]) -> Iterable[RenderableType]:
    """The ops by name."""
    made = table("operator", "kernels at", fold=("operator", "kernels at"))
    for row in rows:
        made.add_row(plain(row["operator"]), ", ".join(row["kernels"]))
    yield made
    yield facts([("overloads", len(rows))])
