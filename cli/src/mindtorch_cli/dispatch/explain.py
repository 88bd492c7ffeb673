"""``mindtorch dispatch explain``: the path of a call, or an op's table of kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..argument_specs import SpecError, parse
from ..calls import NO_KERNEL, CallError, explain_call, explain_op
from ..lazy_group import command
from ..render import ASIDE, BAD, KEY, Json, emit, examples, plain, table

#: Heading of what runs at a key.
STEP = "kernel, why, defined at"
#: Narrow enough that most places fit beside it in 80 columns, to be copied.
KEY_WIDTH = 24

app = command()


@app.command(
    epilog=examples(
        "dispatch explain aten::add",
        'dispatch explain add "f32[2,3]@npu,grad" 2 alpha=3',
        'dispatch explain mul "f32[2,3],grad" "f32[]" --no-grad',
        'dispatch explain cat "[f32[2],f32[3]]" dim=0 --pipeline',
        'dispatch explain relu "bf16[4]@meta" --exclude AutogradMeta',
        'dispatch explain ones "[2,3]" device=npu --json',
    )
)
def explain(
    op: Annotated[str, typer.Argument(help="aten::add, aten::add.Tensor, or add.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ARGUMENT",
            help="What the op is called with: tensors as f32[2,3]@npu,grad; numbers, lists and "
            "name=value. Then the path that the call takes is shown.",
        ),
    ] = None,
    pipeline: Annotated[
        bool, typer.Option("--pipeline", help="The call is made inside torch.pipeline().")
    ] = False,
    no_grad: Annotated[
        bool, typer.Option("--no-grad", help="The call is made inside torch.no_grad().")
    ] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="The thread adds this key to every call."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="The thread takes this key out of every call."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="The table too, one row per key, also without a kernel.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the path that a call takes, or an op's table of kernels.

    With arguments: the keys that each brings, what the thread adds and takes
    out, and kernel by kernel what runs, where it is defined and why.
    Without: the kernel of every key.
    """
    if not arguments and (pipeline or no_grad or include or exclude):
        option = "--pipeline" if pipeline else "--no-grad" if no_grad else "--include/--exclude"
        raise typer.BadParameter("give the call's arguments too", param_hint=option)
    try:
        args, kwargs = parse(arguments or [])
        if not arguments:
            emit(explain_op(op), json, lambda data: op_tables(data, every))
            return
        call = explain_call(
            op,
            args,
            kwargs,
            pipeline=pipeline,
            grad=not no_grad,
            include=include or (),
            exclude=exclude or (),
        )
        data = explain_op(call["operator"])
    except SpecError as error:
        raise typer.BadParameter(str(error), param_hint="ARGUMENT") from None
    except CallError as error:
        hint = "KEY" if "dispatch key is called" in str(error) else "OP"
        raise typer.BadParameter(str(error), param_hint=hint) from None
    tables = [*call_tables(call), *(op_tables(data, every)[1:] if every else ())]
    emit(data | {"call": call}, json, lambda data: tables)


# A call -------------------------------------------------------------------------------------------


def call_tables(call: dict[str, Any]) -> Iterator[RenderableType]:
    """One call: its schema, where its keys come from, its path."""
    yield plain(call["schema"] or f"{call['operator']} (no schema)", "bold")
    yield keys_table(call)
    for note in call["first"]:
        yield plain(f"first: {note}\n")
    yield path_table(call)


def key_list(names: list[str] | None, empty: str = "-") -> Text:
    """Keys, highest first."""
    return plain(" ".join(names), KEY) if names else plain(empty, ASIDE)


def keys_table(call: dict[str, Any]) -> Table:
    """The key set of each argument, joined, and as the thread's masks leave it."""
    made = table("argument", "keys, highest first", fold=("keys, highest first",))
    made.columns[0].no_wrap = False
    made.columns[0].overflow = "fold"
    made.columns[0].max_width = 32
    for a in call["arguments"]:
        made.add_row(plain(f"{a['name']} = {a['text']}"), key_list(a["keys"], "no tensor"))
    made.add_section()
    made.add_row("together", key_list(call["merged"]))
    for which, label, sign in (
        ("included", "thread includes", "+"),
        ("excluded", "thread excludes", "-"),
    ):
        more = call["masks"][which]
        usual = [k for k in call[which] if k not in more and show_usual(k, which)]
        cell = plain("").append(" ".join(f"{sign}{k}" for k in more), KEY)
        if usual:
            cell.append(f"{' ' if more else ''}(always: {' '.join(usual)})", ASIDE)
        made.add_row(label, cell or plain("-", ASIDE))
    made.add_row(plain("dispatched by", "bold"), key_list(call["keys"]))
    return made


def show_usual(key: str, which: str) -> bool:
    """Whether a key of the default masks says anything: sixteen Autocast keys do not."""
    return which == "included" or key in ("AutocastCPU", "AutocastNPU")


def path_table(call: dict[str, Any]) -> Table:
    """The path of one call, as a table; keys that fall through have no number."""
    made = table("", "key", STEP, fold=(STEP,))
    number = 0
    for s in call["path"]:
        runs = bool(s["kernel"])
        number += runs
        style = "" if runs else BAD if s["why"] == NO_KERNEL else ASIDE
        cell = step_cell(s, style)
        if s["note"]:
            cell.append(f"\n{s['note']}", "magenta" if s["deferred"] else ASIDE)
        made.add_row(str(number) if runs else "", plain(s["key"], style or KEY), cell)
    return made


def step_cell(step: dict[str, Any], style: str = "") -> Text:
    """What runs at a key, why, and on the next line where it is defined."""
    if not step["kernel"]:
        return plain(step["why"], style or ASIDE)
    cell = plain(f"{step['kernel']}, ").append(step["why"], style or ASIDE)
    return cell.append(f"\n{step['where']}", ASIDE)


# A table ------------------------------------------------------------------------------------------


def grouped(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Neighbours that run the same kernel for the same reason as one row: ``first … last``."""
    for _, same in groupby(rows, lambda row: (row["kernel"], row["where"], row["why"])):
        group = list(same)
        name = group[0]["key"]
        if len(group) > 1:
            name = f"{name} … {group[-1]['key']} ({len(group)})"
        yield group[0] | {"key": name, "count": len(group)}


def op_tables(data: dict[str, Any], every: bool) -> list[RenderableType]:
    """The tables of one op."""
    found: list[RenderableType] = [
        plain(data["schema"] or f"{data['operator']} (no schema)", "bold")
    ]
    if data["overloads"]:
        found.append(plain(f"other overloads: {', '.join(data['overloads'])}"))
    made = table("key", STEP, fold=("key", STEP))
    made.columns[0].max_width = KEY_WIDTH
    hidden = 0
    rows: Iterable[dict[str, Any]] = data["table"] if every else grouped(data["table"])
    for row in rows:
        if row["why"] == NO_KERNEL and not every:
            hidden += row.get("count", 1)
        else:
            style = "" if row["kernel"] else ASIDE
            made.add_row(plain(row["key"], style or KEY), step_cell(row))
    found.append(made)
    if hidden:
        found.append(plain(f"{hidden} keys without a kernel are not shown; --all shows them"))
    return found
