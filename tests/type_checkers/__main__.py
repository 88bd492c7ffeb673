"""Compares what mypy and pyright say with what the programs beside this file expect."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from . import names

HERE = Path(__file__).parent
PROGRAMS = ("program.py", "mistakes.py")
NAMES = "every_name.py"
#: File and line -> what the checker says of it.
Found = dict[tuple[str, int], str]
_LINE = re.compile(r"(?P<file>[\w/.]+):(?P<line>\d+): error: (?P<text>.*)")
_VERSION = "3.11"


def _run(folder: Path, *command: str) -> str:
    command = (sys.executable, "-m", *command)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: there are errors
        raise SystemExit(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def mypy(folder: Path) -> Found:
    """What mypy says."""
    text = _run(folder, "mypy", "--strict", "--config-file=", f"--python-version={_VERSION}", ".")
    matches = [m for m in map(_LINE.match, text.splitlines()) if m]
    return {(m["file"], int(m["line"])): m["text"] for m in matches}


def pyright(folder: Path) -> Found:
    """What pyright says."""
    settings = {"pythonVersion": _VERSION, "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    text = _run(folder, "pyright", "--pythonpath", sys.executable, "--outputjson")
    return {
        (Path(d["file"]).name, d["range"]["start"]["line"] + 1): d["message"]
        for d in json.loads(text)["generalDiagnostics"]
        if d["severity"] == "error"
    }


def pyright_is_here() -> bool:
    """Whether pyright can be run: its package fetches it, for which a machine needs a network."""
    command = (sys.executable, "-m", "pyright", "--version")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"pyright was not asked, it does not start here:\n{done.stderr[-500:]}")
    return not done.returncode


def expected() -> set[tuple[str, int]]:
    """The lines that every checker tells of."""
    return {
        (name, number)
        for name in PROGRAMS
        for number, line in enumerate((HERE / name).read_text("utf-8").splitlines(), 1)
        if line.endswith("# wrong")
    }


def differences(checker: Callable[[Path], Found], folder: Path) -> Iterator[str]:
    """Where a checker says what is not expected, or is silent."""
    found, wanted = checker(folder), expected()
    for (name, number), text in sorted(found.items()):
        if (name, number) not in wanted:
            line = (folder / name).read_text("utf-8").splitlines()[number - 1].strip()
            yield f"{name}:{number}: {line}\n    {checker.__name__} says: {text}"
    for name, number in sorted(wanted - found.keys()):
        yield f"{name}:{number}: {checker.__name__} says nothing"


def main() -> int:
    """Print the differences; 1 if there are any."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in PROGRAMS:
            shutil.copy(HERE / program, folder)
        (folder / NAMES).write_text(names.program(), "utf-8")
        checkers = (mypy, pyright) if pyright_is_here() else (mypy,)
        lines = [line for checker in checkers for line in differences(checker, folder)]
    asked = " and ".join(checker.__name__ for checker in checkers)
    print("\n".join(lines) or f"all {len(expected())} mistakes are seen by {asked}, and no other")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
