"""``mindtorch dispatch ops``: the ops, and the keys at which they lack a kernel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from ..coverage import coverage, list_ops
from ..lazy_group import command
from ..render import ASIDE, BAD, GOOD, KEY, Json, emit, examples, facts, plain, table
from ..suggestions import CallError

app = command()


@app.command(
    epilog=examples(
        "dispatch ops",
        "dispatch ops add",
        'dispatch ops "aten::*_" --json',
        "dispatch ops --missing npu",
        'dispatch ops "aten::*pool*" --missing AutogradCPU',
    )
)
def ops(
    pattern: Annotated[str, typer.Argument(help="Part of a name, or a pattern with * and ?.")] = "",
    missing: Annotated[
        str | None,
        typer.Option(
            metavar="KEY", help="Show families of ops by key, and the ops without a kernel at KEY."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the ops, or what lacks a kernel at a key."""
    try:
        if missing is None:
            emit(list_ops(pattern), json, ops_tables)
        else:
            emit(coverage(missing, pattern), json, coverage_tables)
    except CallError as error:
        hint = "--missing" if "dispatch key is called" in str(error) else "PATTERN"
        raise typer.BadParameter(str(error), param_hint=hint) from None


def ops_tables(rows: list[dict[str, Any]]) -> Iterable[RenderableType]:
    """The ops by name."""
    made = table("operator", "kernels at", fold=("operator", "kernels at"))
    for row in rows:
        made.add_row(plain(row["operator"]), plain(", ".join(row["kernels"]), KEY))
    yield made
    yield facts([("overloads", len(rows))])


def coverage_tables(data: dict[str, Any]) -> Iterable[RenderableType]:
    """Families by key: how many of their ops have a kernel; then the ops that lack one."""
    asked = data["key"]
    made = table("family", "ops", *data["keys"], fold=("family",))
    for column in made.columns[1:]:
        column.justify = "right"
    for family in data["families"]:
        cells = []
        for key in data["keys"]:
            have, total = family["kernels"][key], family["ops"]
            style = GOOD if have == total else BAD if key == asked and not have else ""
            cells.append(plain("all" if have == total else str(have), style))
        made.add_row(plain(family["family"]), str(family["ops"]), *cells)
    yield made
    if not data["missing"]:
        yield plain(f"every op has a kernel at {asked}", GOOD)
        return
    listed = table("operator", f"at {asked}", fold=("operator", f"at {asked}"))
    for row in data["missing"]:
        listed.add_row(plain(row["operator"]), plain(row["why"], ASIDE))
    yield listed
    yield facts([("without a kernel", len(data["missing"])), ("of", data["ops"])])
