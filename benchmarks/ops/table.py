"""The figures on the terminal: the slowest rows, quantiles and limits, the named calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ..report import amount
from .figures import COLUMNS, OpResult, Run, summary

__all__ = ["amount_of", "render", "table_of"]

_SHOWN = ("forward", "backward", "first", "shape")


def render(
    runs: Sequence[Run], facts: dict[str, Any], absent: Sequence[OpResult], *, top: int | None
) -> None:
    """Everything, 80 columns wide. The first of *runs* is the one that counts.

    :param absent: rows that were not timed anywhere.
    :param top: how many of the slowest rows; None: all.
    """
    console = Console(highlight=False)
    _rows(console, runs, top)
    _quantiles(console, runs)
    _cliffs(console, runs)
    _missing(console, [*runs[0].ops, *absent])
    console.print(
        f"one thread, CPU time, least of several turns; {facts['processor']}; "
        f"Python {facts['python']}, torch {facts['torch']}, numpy {facts['numpy']}",
        markup=False,
    )
    for run in runs:
        console.print(f"{run.checkout}: commit {run.commit or 'unknown'}", markup=False)


def table_of(*titles: str) -> Table:
    """An empty table of a column of words and columns of numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(titles[0], overflow="fold")
    for title in titles[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def _rows(console: Console, runs: Sequence[Run], top: int | None) -> None:
    """Sorted by the forward call, slowest first."""
    columns = [c for c in COLUMNS if c.name in _SHOWN]
    here = [run.figures(columns[0]) for run in runs]
    by_name = [{op.name: op for op in run.ops} for run in runs]
    order = sorted((o for o in runs[0].ops if o.times), key=lambda o: -here[0].get(o.name, 0.0))
    shown = order if top is None else order[:top]
    if not shown:
        return
    if len(runs) == 1:
        table = table_of("ours ÷ torch", "forward", "+ backward", "first", "µs", "new shape, µs")
        in_order = ("forward", "backward", "first", "first_us", "shape_us")
        chosen = [c for name in in_order for c in COLUMNS if c.name == name]
        for op in shown:
            table.add_row(op.name, *(amount_of(op.figure(c)) for c in chosen))
    else:
        table = table_of("ours ÷ torch", *(c.title.replace(" + ", "+") for c in columns))
        for op in shown:
            sides = [found.get(op.name) for found in by_name]
            table.add_row(
                op.name,
                *(
                    " | ".join(amount_of(s.figure(c) if s else None) for s in sides)
                    for c in columns
                ),
            )
    console.print(table)
    if len(shown) < len(order):
        console.print(f"… and {len(order) - len(shown)} more rows (--all shows them)\n")


def _quantiles(console: Console, runs: Sequence[Run]) -> None:
    summaries = [summary(run) for run in runs]
    table = table_of(f"of {len(runs[0].ops)} rows", "rows", "median", "p90", "worst")
    for column in COLUMNS:
        found = [s[column.name] for s in summaries if column.name in s]
        if len(found) < len(runs):
            continue
        cells = []
        for which, limit in zip(("median", "p90", "worst"), column.wanted, strict=True):
            cells.append(" | ".join(amount_of(numbers[which]) for numbers in found))
            if limit is not None:
                mark = "✓" if found[0][which] <= limit else "✗"
                cells[-1] += f" {mark} {limit:g}"
        table.add_row(column.title, str(found[0]["rows"]), *cells)
    console.print(table)


def _cliffs(console: Console, runs: Sequence[Run]) -> None:
    if not runs[0].cliffs:
        return
    table = table_of("named calls", "ours", "torch", "ratio", "wanted", "")
    for lines in zip(*(run.cliffs for run in runs), strict=True):
        line = lines[0]
        kept = line.ratio is not None and line.ratio <= line.first
        table.add_row(
            line.name, " | ".join(amount(one.ours, "s") for one in lines), amount(line.torch, "s"),
            " | ".join(amount_of(one.ratio) for one in lines), f"{line.first:g}",
            "✓" if kept else "✗",
        )  # fmt: skip
    console.print(table)


def _missing(console: Console, ops: Sequence[OpResult]) -> None:
    reasons: dict[str, list[str]] = defaultdict(list)
    for op in ops:
        if op.missing:
            reasons[op.missing].append(op.name)
    for reason, names in sorted(reasons.items(), key=lambda item: len(item[1])):
        shown = ", ".join(names) if len(names) < 8 else f"{len(names)} rows"
        console.print(f"not timed: {shown}: {reason}", markup=False)


def amount_of(value: float | None) -> str:
    """A figure with three digits."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
