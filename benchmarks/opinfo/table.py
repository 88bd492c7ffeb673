"""What was counted, on the terminal and as a page of the docs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .figures import COLUMNS, OpResult, shares

__all__ = ["page", "render"]


def render(ops: Sequence[OpResult], facts: dict[str, Any], *, differences: bool) -> None:
    """Every operator that differs, and the shares.

    :param differences: whether each case that differs is shown.
    """
    console = Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("cases that differ", overflow="fold")
    for column in COLUMNS:
        table.add_column(column.title, justify="right", no_wrap=True)
    for op in ops:
        if not op.exact:
            table.add_row(op.name, *(_cell(op, column.name) for column in COLUMNS))
    if table.row_count:
        console.print(table)
    if differences:
        for op in ops:
            for d in op.differences:
                where = " ".join(x for x in (op.name, d.column, d.dtype, d.case) if x)
                console.print(f"{where}: {d.text}", markup=False)
    summary = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("as in torch", "cases", "of", "share", "wanted"):
        summary.add_column(title, justify="left" if title == "as in torch" else "right")
    for row in _summary(ops):
        summary.add_row(*row)
    console.print(summary)
    console.print(
        f"torch {facts['torch']}, numpy {facts['numpy']}, Python {facts['python']}; "
        f"commit {facts['commit'] or 'unknown'}",
        markup=False,
    )


def _cell(op: OpResult, column: str) -> str:
    """How many differ of how many; empty where the operator has none or all are alike."""
    count = op.counts.get(column)
    if count is None or count.exact == count.cases:
        return ""
    return f"{count.cases - count.exact} of {count.cases}"


def _summary(ops: Sequence[OpResult]) -> Iterator[tuple[str, ...]]:
    titles = {"present": "operators that are there"} | {c.name: c.title for c in COLUMNS}
    for name, found in shares(ops).items():
        if found["cases"]:
            yield (
                titles[name], f"{found['exact']}", f"{found['cases']}",
                f"{100 * found['share']:.2f} %", f"{found['wanted']:.0%}".replace("%", " %"),
            )  # fmt: skip


def page(ops: Sequence[OpResult], facts: dict[str, Any], samples: int) -> str:
    """The page of the docs, in Markdown."""
    here = [op for op in ops if op.state != "not here"]
    absent = [op.name for op in here if op.state == "absent"]
    exact = [op.name for op in here if op.state == "present" and op.exact]
    differ = [op for op in here if op.state == "present" and not op.exact]
    which = f"at most {samples} samples" if samples else "all samples"
    lines = [
        "# Operators, case by case",
        "",
        "PyTorch tests its operators by one table (`OpInfo`), which says how each is called:",
        "samples of its arguments for every dtype, and calls that are wrong. `hatch run bench",
        "opinfo` makes these calls here and in torch and compares them within the bounds of",
        "[What is exact](exactness.md); `--write` writes this page.",
        "",
        f"torch {facts['torch']}, {which} of each operator and dtype (float32, float64, complex64,",
        "int64, bool, bfloat16).",
        "",
        "| As in torch | Cases | Of | Share |",
        "|---|--:|--:|--:|",
        *(f"| {' | '.join(row[:4])} |" for row in _summary(ops)),
        "",
        *(f"- **{column.title}**: {column.says}." for column in COLUMNS),
        "",
        "A case is one call. Only those count that torch answers (of errors: refuses). The numbers",
        "of a sum of many terms, and of gradients, are compared relative to the largest of them.",
        "Gradients and tangents of float32 and complex64 may be off by 1e-5, of bfloat16 by 3e-2.",
        "",
        "## Not there",
        "",
        ", ".join(f"`{name}`" for name in absent) + "." if absent else "None.",
        "",
        "## Differences",
        "",
        f"| Operator | {' | '.join(column.title for column in COLUMNS)} | The first of them |",
        "|---|" + "--:|" * len(COLUMNS) + "---|",
        *(_line(op) for op in differ),
        "",
        f"## In every case as in torch ({len(exact)})",
        "",
        ", ".join(f"`{name}`" for name in exact) + ".",
        "",
    ]
    return "\n".join(lines)


def _line(op: OpResult) -> str:
    cells = [_cell(op, column.name) for column in COLUMNS]
    first = op.differences[0]
    text = first.text if len(first.text) <= 120 else first.text[:117] + "..."
    text = text.replace("|", "\\|").replace("`", "'")
    return f"| `{op.name}` | {' | '.join(cells)} | {first.dtype} `{text}` |"
