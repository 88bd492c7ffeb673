"""The command ``hatch run bench opinfo``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["main"]

_ABOUT = """\
Call every operator of torch's own table of tests (OpInfo) with the samples of that
table, here and in torch, and count the cases that are alike: results, strides,
gradients, tangents, the meta device, errors. Random operators begin at one seed."""

_EXAMPLES = """\
examples:
  hatch run bench opinfo                             all operators: some minutes
  hatch run bench opinfo --only add --differences    one operator, what differs in it
  hatch run bench opinfo --only 'linalg.*' --samples 0
  hatch run bench opinfo --json opinfo.json --write  also write docs/operators.md
  hatch run bench opinfo --check                     fail if a share is not reached

exit status: 0 all was looked at; 1 a share is not reached (--check), or torch's
table cannot be loaded; 2 the command line is wrong."""

PAGE = Path(__file__).parents[2] / "docs" / "operators.md"


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="hatch run bench opinfo",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--only", metavar="PATTERN", action="append", default=[],
        help="operators of this name ('add', 'fft.*', 'std.unbiased'); may be given again",
    )  # fmt: skip
    made.add_argument(
        "--samples", type=int, default=20, metavar="N",
        help="samples of each operator and dtype, spread over all; 0: all (%(default)s)",
    )  # fmt: skip
    made.add_argument(
        "--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 1), metavar="N",
        help="processes (%(default)s)",
    )  # fmt: skip
    made.add_argument("--differences", action="store_true", help="show every case that differs")
    made.add_argument("--json", metavar="FILE", type=Path, help="write all that was counted here")
    made.add_argument("--write", action="store_true", help="write the page docs/operators.md")
    made.add_argument(
        "--check", action="store_true", help="exit with 1 if a wanted share is not reached"
    )
    return made


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser()
    args = options.parse_args(argv)
    if args.samples < 0 or args.jobs < 1:
        options.error("--samples must be at least 0, --jobs at least 1")
    if args.write and args.only:
        options.error("--write needs all operators: leave --only out")
    if args.json and not args.json.absolute().parent.is_dir():
        options.error(f"there is no folder {args.json.parent}")

    from ..report import machine
    from .figures import misses
    from .run import Unavailable, matching, run
    from .table import page, render

    try:
        places = matching(args.only)
    except Unavailable as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    if not places:
        options.error(f"no operator is called {' or '.join(map(repr, args.only))}")
    with _progress() as bar:
        task = bar.add_task("operators", total=len(places))
        ops = run(places, args.samples, args.jobs, lambda name: bar.advance(task))
    facts = machine()
    render(ops, facts, differences=args.differences)
    if args.json:
        _write_json(args.json, facts, ops)
    if args.write:
        PAGE.write_text(page(ops, facts, args.samples), "utf-8")
    missed = misses(ops)
    if args.check and missed:
        print("\n".join(["shares that are not reached:", *missed]), file=sys.stderr)
        return 1
    return 0


def _progress() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description:<12}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip


def _write_json(path: Path, facts: dict[str, Any], ops: Sequence[Any]) -> None:
    from .figures import shares

    data = {
        "machine": facts,
        "shares": shares(ops),
        "operators": [
            op._asdict()
            | {"counts": {name: count._asdict() for name, count in op.counts.items()}}
            | {"differences": [difference._asdict() for difference in op.differences]}
            for op in ops
        ],
    }
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
