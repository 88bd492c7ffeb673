"""``hatch run clients``: programs of libraries with torch and with mindtorch, and a table of both.

Each program under ``programs`` runs in a process of its own, once with torch and once with
mindtorch under torch's name. A step passes where it gives what it gives with torch; steps that fail
with torch are left out. ``--write`` makes ``docs/clients.md`` of the result.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
PAGE = HERE.parents[1] / "docs" / "clients.md"
#: Programs that are quick and need no library but torch: they run in the test suite.
TIMEOUT = 900.0


@dataclass
class Outcome:
    """What one program did in both frameworks."""

    program: str
    steps: int = 0
    same: list[str] = field(default_factory=list)
    different: dict[str, str] = field(default_factory=dict)
    seconds: tuple[float, float] = (0.0, 0.0)


def differs(got: Any, want: Any, path: str = "", tolerance: float = 1e-4) -> str:
    """Where two results differ, or nothing. Floats may differ by *tolerance*, relative."""
    if isinstance(want, float) or isinstance(got, float):
        if not isinstance(got, (int, float)) or not isinstance(want, (int, float)):
            return f"{path}: {got!r}, torch {want!r}"
        if math.isnan(want) and math.isnan(got):
            return ""
        if got == want or math.isclose(got, want, rel_tol=tolerance, abs_tol=tolerance):
            return ""
        return f"{path}: {got!r}, torch {want!r}"
    if isinstance(want, list) and isinstance(got, list):
        if len(got) != len(want):
            return f"{path}: {len(got)} elements, torch {len(want)}"
        for i, (a, b) in enumerate(zip(got, want)):
            if found := differs(a, b, f"{path}[{i}]", tolerance):
                return found
        return ""
    if isinstance(want, dict) and isinstance(got, dict):
        if got.keys() != want.keys():
            return f"{path}: keys {sorted(got.keys() ^ want.keys())[:5]}"
        for key in want:
            if found := differs(got[key], want[key], f"{path}[{key!r}]", tolerance):
                return found
        return ""
    return "" if got == want else f"{path}: {got!r:.200}, torch {want!r:.200}"


def steps_of(program: Path, framework: str, quiet: bool) -> dict[str, Any]:
    """The outcomes of a program's steps in a framework (``torch`` or ``mindtorch``)."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "steps.json"
        words = [sys.executable, *(["-m", "mindtorch"] if framework == "mindtorch" else [])]
        words += [str(HERE / "steps.py"), str(program), str(output)]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(
                words,
                cwd=folder,
                env=environment,
                timeout=TIMEOUT,
                stdout=subprocess.DEVNULL if quiet else None,
                stderr=subprocess.DEVNULL if quiet else None,
            )
        except subprocess.TimeoutExpired:
            return {"import": {"error": f"no end after {TIMEOUT:.0f} s", "seconds": TIMEOUT}}
        if not output.exists():
            return {"import": {"error": f"ended with code {done.returncode}", "seconds": 0.0}}
        found: dict[str, Any] = json.loads(output.read_text("utf-8"))
        return found


def compare(program: Path, quiet: bool) -> Outcome:
    """Run *program* in both frameworks."""
    want = steps_of(program, "torch", quiet)
    got = steps_of(program, "mindtorch", quiet)
    outcome = Outcome(program.stem)
    unloaded = got["import"].get("error")
    for name, theirs in want.items():
        if "error" in theirs:
            continue
        outcome.steps += 1
        if unloaded:
            outcome.different = {"import": unloaded}
            continue
        ours = got[name]
        if "error" in ours:
            outcome.different[name] = ours["error"]
        elif found := differs(ours["value"], theirs["value"]):
            outcome.different[name] = found
        else:
            outcome.same.append(name)
    outcome.seconds = tuple(  # type: ignore[assignment]
        sum(each["seconds"] for each in found.values()) for found in (got, want)
    )
    return outcome


def page(outcomes: list[Outcome]) -> str:
    """The table of the docs."""
    steps, same = sum(o.steps for o in outcomes), sum(len(o.same) for o in outcomes)
    lines = [
        "# What runs unchanged",
        "",
        "Written by `hatch run clients --write`: programs that only know torch, each in a process",
        "of its own, with torch 2.13 and with mindtorch under its name. A step is one use of a",
        "library; it counts where it gives torch's values (1e-4, relative).",
        "",
        f"**{same} of {steps} steps**, {sum(not o.different for o in outcomes)} of "
        f"{len(outcomes)} programs whole.",
        "",
        "| program | steps | as torch | what differs |",
        "|---|---|---|---|",
    ]
    for each in outcomes:
        trouble = "; ".join(f"`{name}`: {_short(why)}" for name, why in each.different.items())
        lines.append(f"| {each.program} | {each.steps} | {len(each.same)} | {trouble} |")
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return text if len(text) <= 120 else text[:117] + "…"


def main() -> int:
    """Read the command line; 1 where a step differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="names under programs/; all of them if none")
    parser.add_argument("--write", action="store_true", help="write docs/clients.md")
    parser.add_argument("--show", action="store_true", help="show what the programs print")
    parser.add_argument("--jobs", type=int, default=2, help="programs at the same time")
    given = parser.parse_args()
    chosen = sorted(PROGRAMS.glob("*.py"))
    if given.programs:
        chosen = [p for p in chosen if p.stem in given.programs]
    outcomes = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for each in pool.map(lambda p: compare(p, not given.show), chosen):
            outcomes.append(each)
            ours, theirs = each.seconds
            print(
                f"{each.program:24} {len(each.same):3} of {each.steps:3} "
                f"({ours:.1f} s, torch {theirs:.1f} s)",
                flush=True,
            )
            for name, why in each.different.items():
                print(f"    {name}: {_short(why)}", flush=True)
    if given.write:
        PAGE.write_text(page(outcomes), "utf-8")
    return int(any(each.different for each in outcomes))


if __name__ == "__main__":
    sys.exit(main())
