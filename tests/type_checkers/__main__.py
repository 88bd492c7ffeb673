"""Compares what mypy and pyright say with what the programs beside this file expect."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = ("program.py", "mistakes.py")
#: File and line -> what the checker says of it.
Found = dict[tuple[str, int], str]
_LINE = re.compile(r"(?P<file>[\w/.]+):(?P<line>\d+): error: (?P<text>.*)")


def _run(*command: str) -> str:
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: there are errors
        raise SystemExit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def mypy() -> Found:
    """What mypy says."""
    with tempfile.TemporaryDirectory() as cache:
        command = (sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", cache)
        lines = _run(*command, *PROGRAMS).splitlines()
    matches = [m for m in map(_LINE.match, lines) if m]
    return {(m["file"], int(m["line"])): m["text"] for m in matches}


def pyright() -> Found:
    """What pyright says."""
    command = (sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson")
    told = json.loads(_run(*command, "-p", "pyrightconfig.json"))["generalDiagnostics"]
    return {
        (Path(d["file"]).name, d["range"]["start"]["line"] + 1): d["message"]
        for d in told
        if d["severity"] == "error"
    }


def expected() -> set[tuple[str, int]]:
    """The lines that every checker tells of."""
    return {
        (name, number)
        for name in PROGRAMS
        for number, line in enumerate((HERE / name).read_text("utf-8").splitlines(), 1)
        if line.endswith("# wrong")
    }


def differences(checker: Callable[[], Found]) -> Iterator[str]:
    """Where a checker says what is not expected, or is silent."""
    found, wanted = checker(), expected()
    for (name, number), text in sorted(found.items()):
        if (name, number) not in wanted:
            yield f"{name}:{number}: {checker.__name__} says: {text}"
    for name, number in sorted(wanted - found.keys()):
        yield f"{name}:{number}: {checker.__name__} says nothing"


def main() -> int:
    """Print the differences; 1 if there are any."""
    lines = [line for checker in (mypy, pyright) for line in differences(checker)]
    print("\n".join(lines) or f"mypy and pyright see all {len(expected())} mistakes, and no other")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
