"""The command ``hatch run bench ops``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["main"]

_ABOUT = """\
Time every op row against torch eager, with tiny operands: the call, the call with
its backward, the first call of a process, the first call with a new shape.
Figures are ratios to torch, from the least times of turns that both sides take."""

_EXAMPLES = """\
examples:
  hatch run bench ops                                all rows: a few minutes
  hatch run bench ops --only add                     one op, all its overloads
  hatch run bench ops --only 'fft_*' --all           a family, every row of it
  hatch run bench ops --json ops.json --picture ops.svg
  git worktree add ../before main~20
  hatch run bench ops --against ../before            two checkouts take turns
  hatch run bench ops --large --only '*gelu*'        a million numbers in place of few
  hatch run bench ops --check                        fail if a limit is missed

exit status: 0 all was timed; 1 a limit is missed (--check), or a process failed;
2 the command line is wrong."""


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="hatch run bench ops",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--only", metavar="PATTERN", action="append", default=[],
        help="rows of this name ('add', 'add.Tensor', 'fft_*'); may be given again",
    )  # fmt: skip
    made.add_argument(
        "--against", metavar="CHECKOUT", type=Path,
        help="another checkout of mindtorch, which takes turns with this one",
    )  # fmt: skip
    made.add_argument(
        "--large", action="store_true",
        help="operands of a million numbers, of each floating-point dtype; an hour for all rows",
    )  # fmt: skip
    made.add_argument("--samples", type=int, default=2, help="samples of each row (%(default)s)")
    made.add_argument("--top", type=int, default=30, help="slowest rows shown (%(default)s)")
    made.add_argument("--all", action="store_true", help="show every row")
    made.add_argument("--json", metavar="FILE", type=Path, help="write all figures here")
    made.add_argument("--picture", metavar="FILE.svg", type=Path, help="draw the distribution here")
    made.add_argument(
        "--check", action="store_true", help="exit with 1 if a wanted limit is missed"
    )
    return made


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser()
    args = options.parse_args(argv)
    _refuse(options, args)
    if args.large:
        return _large(options, args)

    from .catalogue import catalogue, rows_in_all
    from .figures import OpResult, misses
    from .measure import ROOT, Failed, measure, steps, uses_checkout
    from .table import render

    checkouts = [ROOT, *([args.against.resolve()] if args.against else [])]
    with _progress() as bar:
        task = bar.add_task("samples", total=rows_in_all())
        ops = []
        for op in catalogue(args.only, args.samples):
            bar.advance(task)
            if op is not None:
                ops.append(op)
        if not ops:
            options.error(f"no row is called {' or '.join(map(repr, args.only))}")
        timed = [op for op in ops if op.cases]
        bar.reset(task, total=steps(timed) * len(checkouts))

        def on_step(what: str, count: int) -> None:
            bar.update(task, description=what, advance=count)

        try:
            for checkout in checkouts:
                uses_checkout(checkout)
            runs = measure(timed, checkouts, cliffs=_cliffs(args.only), on_step=on_step)
        except Failed as error:
            print(f"benchmarks: {error}", file=sys.stderr)
            return 1
    absent = [
        OpResult(op.name, op.family, op.way.kind, op.dtype, {}, missing=op.missing)
        for op in ops
        if not op.cases
    ]

    from ..report import machine

    facts = machine()
    render(runs, facts, absent, top=None if args.all else args.top)
    if args.json:
        _write_json(args.json, facts, runs, absent)
    if args.picture:
        from .picture import draw

        args.picture.write_text(draw(runs), "utf-8")
    missed = misses(runs[0])
    if args.check and missed:
        print("\n".join(["limits missed:", *missed]), file=sys.stderr)
        return 1
    return 0


def _large(options: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    """The rows with large operands."""
    from tests.contract.rows import NAMES, ROWS

    from ..report import machine
    from .large import measure, render, write_json

    with _progress() as bar:
        task = bar.add_task("large calls", total=len(NAMES))
        rows = [ROWS[name] for name in NAMES]
        found = list(measure(rows, args.only, lambda: bar.advance(task)))
    if not found:
        options.error(f"no row that grows is called {' or '.join(map(repr, args.only))}")
    facts = machine()
    render(found, facts, None if args.all else args.top)
    if args.json:
        write_json(args.json, found, facts)
    return 0


def _refuse(options: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """What can be known to go wrong is said before minutes are spent."""
    if args.samples < 1 or args.top < 0:
        options.error("--samples must be at least 1, --top at least 0")
    if args.large and (args.against or args.picture or args.check):
        options.error("--large goes with --only, --top, --all and --json alone")
    if args.picture and args.picture.suffix != ".svg":
        options.error(f"--picture draws SVG: name the file {args.picture.with_suffix('.svg')}")
    if args.against and not args.against.is_dir():
        options.error(f"--against: there is no folder {args.against}")
    for path in (args.json, args.picture):
        if path and not path.absolute().parent.is_dir():
            options.error(f"there is no folder {path.parent}")


def _cliffs(only: Sequence[str]) -> range:
    """All of the named calls, where all rows are timed."""
    from .cliffs import CLIFFS

    return range(0 if only else len(CLIFFS))


def _progress() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description:<12}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip


def _write_json(
    path: Path, facts: dict[str, Any], runs: Sequence[Any], absent: Sequence[Any]
) -> None:
    from .figures import COLUMNS, summary

    def written(run: Any) -> dict[str, Any]:
        return {
            "checkout": run.checkout,
            "commit": run.commit,
            "summary": summary(run),
            "named": [line._asdict() for line in run.cliffs],
            "rows": [
                op._asdict() | {"figures": {c.name: op.figure(c) for c in COLUMNS}}
                for op in run.ops
            ],
        }

    data = {
        "machine": facts,
        "runs": [written(run) for run in runs],
        "not_timed": {op.name: op.missing for op in absent},
    }
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
