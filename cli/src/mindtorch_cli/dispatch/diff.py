"""``mindtorch dispatch diff``: our tables of kernels beside torch's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from mindtorch_dispatch import registry
from rich.console import Console, RenderableType

from .. import oracle
from ..differences import compare, order, summary
from ..documented_differences import DOCUMENTED
from ..lazy_group import command
from ..operators import select
from ..render import ASIDE, BAD, GOOD, KEY, Json, emit, examples, facts, plain, table
from ..suggestions import CallError

app = command()
#: Differences that say nothing of how calls run here: of one op they are counted.
ELSEWHERE = (
    "kernels of other layouts",
    "keys of torch 2.4",
    "autocast of other devices",
    "nested tensors",
    "composites of other backends",
)


@app.command(epilog=examples("dispatch diff add.Tensor", "dispatch diff", "dispatch diff --json"))
def diff(
    op: Annotated[
        str | None, typer.Argument(help="aten::add, aten::add.Tensor, or add; without it: all ops.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Of one op also the slots that are the same.")
    ] = False,
    json: Json = False,
) -> None:
    """Compare the tables of kernels with torch's.

    Needs torch, which is run in a process of its own. Ends with code 0 if
    all differences are documented, 1 if not, 2 if torch is not there.
    """
    if every and op is None:
        raise typer.BadParameter("goes with one OP", param_hint="--all")
    try:
        chosen = [select(op)] if op else [o for o in registry if o.namespace == "aten"]
        with Console(stderr=True).status(f"asking torch about {op or 'all ops'}"):
            answer = oracle.tables([o.name for o in chosen])
    except CallError as error:
        raise typer.BadParameter(str(error), param_hint="OP") from None
    except oracle.OracleError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    dumps = answer["tables"]
    if op and dumps[chosen[0].name] is None:
        raise typer.BadParameter(
            f"torch {answer['version']} has no operator {chosen[0].name}", param_hint="OP"
        )
    composites = answer["composites"]
    found = {
        o.name: compare(o, dumps[o.name], composites[o.name])
        for o in chosen
        if dumps[o.name] is not None
    }
    data = summary(found) | {"torch": answer["version"], "order": order(answer["order"])}
    data["not_in_torch"] = [n for n, dump in dumps.items() if dump is None]
    if op:
        data["table"] = found[chosen[0].name]
        emit(data, json, lambda d: op_tables(chosen[0].name, d, every))
    else:
        emit(data, json, all_tables)
    if findings(data):
        raise typer.Exit(1)


def findings(data: dict[str, Any]) -> int:
    """How many differences nothing documents."""
    slots = sum(len(row["ops"]) for row in data["undocumented"])
    return slots + sum(row["documented"] is None for row in data["order"])


def op_tables(name: str, data: dict[str, Any], every: bool) -> Iterator[RenderableType]:
    """One op, slot by slot."""
    yield plain(f"{name}: mindtorch beside torch {data['torch']}", "bold")
    made = table("key", "mindtorch", "torch", "difference", fold=("mindtorch", "torch"))
    made.columns[0].no_wrap, made.columns[0].overflow = False, "fold"
    hidden = {"same": 0, "other": 0}
    for row in data["table"]:
        name = row["documented"]
        if not every and (row["same"] or name in ELSEWHERE):
            hidden["same" if row["same"] else "other"] += 1
            continue
        style = ASIDE if row["same"] or name else BAD
        made.add_row(
            plain(row["key"], KEY if not row["same"] else ASIDE),
            plain(row["ours"], style),
            plain(row["torch"], style),
            plain("" if row["same"] else name or "NOT DOCUMENTED", style),
        )
    yield made
    if not every:
        yield plain(
            f"{hidden['same']} slots are the same, {hidden['other']} differ by backends and "
            "layouts that mindtorch does not have; --all shows them",
            ASIDE,
        )
    yield verdict(data)


def all_tables(data: dict[str, Any]) -> Iterator[RenderableType]:
    """All ops, in numbers."""
    yield plain(f"{data['ops']} ops of mindtorch beside torch {data['torch']}", "bold")
    why = {d.name: d.why for d in DOCUMENTED}
    made = table("documented difference", "slots", "why", fold=("why",))
    made.columns[1].justify = "right"
    for name, count in data["documented"].items():
        made.add_row(plain(name, KEY), str(count), plain(why[name], ASIDE))
    yield made
    moved = [r["key"] for r in data["order"] if r["documented"] == "BackendSelect order"]
    stray = [r["key"] for r in data["order"] if r["documented"] is None]
    aliases = sum(r["documented"] == "alias bits" for r in data["order"])
    yield facts(
        [
            ("BackendSelect order", f"{', '.join(moved)}: {why['BackendSelect order']}"),
            ("alias bits", f"{aliases} keys: {why['alias bits']}"),
            *([("NOT DOCUMENTED", f"order of {', '.join(stray)}")] if stray else ()),
        ],
        title="Order of keys",
    )
    if data["undocumented"]:
        others = table("key", "mindtorch", "torch", "ops", "for example", fold=("for example",))
        for column in others.columns[:3]:
            column.no_wrap, column.overflow = False, "fold"
        others.columns[3].justify = "right"
        for row in data["undocumented"]:
            others.add_row(
                plain(row["key"], KEY),
                plain(row["ours"], BAD),
                plain(row["torch"], BAD),
                str(len(row["ops"])),
                plain(row["ops"][0].removeprefix("aten::")),
            )
        yield others
    if data["not_in_torch"]:
        yield facts([("not in torch", ", ".join(data["not_in_torch"]))])
    yield verdict(data)


def verdict(data: dict[str, Any]) -> RenderableType:
    """The last line, which the exit code repeats."""
    count = findings(data)
    if count:
        word = "slot differs" if count == 1 else "slots differ"
        return plain(f"{count} {word} in a way that is not documented", BAD)
    return plain("every difference is documented", GOOD)
