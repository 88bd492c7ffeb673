"""The table on the terminal, and the results as JSON with machine, date and commit."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .line import Result


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "processor": processor(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "torch": version("torch"),
        "numpy": version("numpy"),
        "mindtorch": version("mindtorch"),
    }


def commit() -> str:
    """The commit that was measured, with + where the tree has changes; empty outside git."""
    root = Path(__file__).parent.parent
    words = ["git", "-C", str(root), "describe", "--always", "--dirty=+"]
    try:
        return subprocess.run(words, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def processor() -> str:
    """The processor's model name."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def amount(value: float | None, unit: str) -> str:
    """A time or a size with three digits."""
    if value is None:
        return "-"
    steps = (
        [(1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms"), (float("inf"), 1.0, "s")]
        if unit == "s"
        else [(1e4, 1.0, "B"), (1e7, 1e-3, "kB"), (float("inf"), 1e-6, "MB")]
    )
    factor, name = next((f, n) for limit, f, n in steps if value < limit)
    return (
        f"{value * factor:.3g} {name}" if value * factor < 1000 else f"{value * factor:.0f} {name}"
    )


def render(results: Sequence[Result], facts: dict[str, Any]) -> None:
    """The table, 80 columns wide."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("ours ÷ torch", overflow="fold")
    for name in ("ours", "torch", "ratio", "first", "then"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for r in results:
        ratio = "-" if r.ratio is None else f"{r.ratio:.2f}"
        table.add_row(
            r.name, "not there yet" if r.missing else amount(r.ours, r.unit),
            amount(r.torch, r.unit), ratio,
            target(r.first), target(r.then), verdict(r),
        )  # fmt: skip
    console.print(table)
    reasons: dict[str, list[str]] = {}
    for r in results:
        if r.missing:
            reasons.setdefault(r.missing, []).append(r.name)
    for reason, names in reasons.items():
        shown = ", ".join(names) if len(names) < 8 else f"{len(names)} lines"
        console.print(f"not there yet: {shown}: {reason}", markup=False)
    console.print(
        f"one thread, CPU time, medians (of fresh processes: the best); {facts['processor']}; "
        f"Python {facts['python']}, "
        f"torch {facts['torch']}, numpy {facts['numpy']}; commit {facts['commit'] or 'unknown'}",
        markup=False,
    )


def target(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def verdict(result: Result) -> str:
    """Which target the ratio reaches."""
    if result.ratio is None or result.first is None:
        return ""
    if result.then is not None and result.ratio <= result.then:
        return "then"
    return "first" if result.ratio <= result.first else "-"


def write_json(path: str, results: Sequence[Result], facts: dict[str, Any]) -> None:
    """The same data for later comparison."""
    data = {"machine": facts, "lines": [r._asdict() for r in results]}
    Path(path).write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", "utf-8")
