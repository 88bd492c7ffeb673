"""``mindtorch dispatch why-not``: why nothing runs for a key, and what would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from ..lazy_group import command
from ..missing_kernels import why_not
from ..render import ASIDE, GOOD, Json, emit, examples, plain, table
from ..suggestions import CallError

app = command()


@app.command(
    epilog=examples(
        "dispatch why-not relu SparseCPU",
        "dispatch why-not aten::add.Tensor CUDA",
        "dispatch why-not linear AutogradNPU --json",
    )
)
def why(
    op: Annotated[str, typer.Argument(help="aten::add, aten::add.Tensor, or add.")],
    key: Annotated[str, typer.Argument(help="A dispatch key, such as SparseCPU or npu.")],
    json: Json = False,
) -> None:
    """Say why no kernel would run for a key, and the line that would add one."""
    try:
        data = why_not(op, key)
    except CallError as error:
        hint = "OP" if "operator" in str(error) else "KEY"
        raise typer.BadParameter(str(error), param_hint=hint) from None
    emit(data, json, tables)


def tables(data: dict[str, Any]) -> Iterator[RenderableType]:
    """The verdict, the rules that led to it, the line."""
    yield plain(data["schema"] or f"{data['operator']} (no schema)", "bold")
    slot = data["slot"]
    if data["runs"]:
        yield plain(f"{data['key']} runs {slot['kernel']} ({slot['why']})", GOOD)
        yield plain(str(slot["where"]), ASIDE)
        return
    yield plain(f"nothing runs at {data['key']}: {slot['why']}")
    made = table("the table looks for", "and finds", fold=("the table looks for", "and finds"))
    for rule in data["rules"]:
        style = "" if rule["found"] != "none" else ASIDE
        made.add_row(plain(rule["rule"]), plain(rule["found"], style))
    yield made
    have = ", ".join(data["has_kernels_at"]) or "no key"
    yield plain(f"kernels are registered at {have}\n")
    yield plain("This line adds one; put its work in place of the three dots:")
    # Not folded here: the terminal does it, so that the line can be copied as one.
    code = plain(data["line"], "bold")
    code.no_wrap, code.overflow = True, "ignore"
    yield code
