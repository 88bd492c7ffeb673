"""Pages that show commands and what they print.

A block of commands (``sh``) with a block of output (``text``) right below it shows what the
commands really print: ``python -m tests.pages --write`` writes it, and a test compares.
Commands of one page run in one folder, one after the other, in a terminal of 88 columns. Python
blocks that begin with ``# name.py`` are files in it. What differs from run to run (times, sizes of
files, process numbers) is compared by its place only.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.workspace import ROOT

#: Columns of the terminal that commands print to.
WIDTH = 88
_BLOCK = re.compile(
    r"^```sh\n(?P<commands>.*?)^```(?:\s*^```text\n(?P<output>.*?)^```)?", re.S | re.M
)
#: What is another in each run, and what stands for it in a comparison.
_VOLATILE = (
    (re.compile(r"\b\d+(\.\d+)? (s|ms|µs|us)\b"), "TIME"),
    (re.compile(r"\(\d+ bytes\)"), "SIZE"),
    (re.compile(r"(\.py|python) \(\d+\)"), "PROCESS"),
    (re.compile(r"0x[0-9a-f]{6,}"), "ADDRESS"),
    (re.compile(r"/\S*/packages/"), "packages/"),
    (re.compile(r"(mindtorch\w*/\S+\.py):\d+"), r"\1:LINE"),
)


class Shown(NamedTuple):
    """A block of commands, and the lines of the block of output below it, if there is one."""

    commands: list[str]
    output: list[str]


def shown_in(page: str) -> list[Shown]:
    """The ``sh`` blocks of a page, each with the ``text`` block that follows it at once."""
    found = ((m["commands"], m["output"] or "") for m in _BLOCK.finditer(page))
    return [Shown(commands.splitlines(), output.splitlines()) for commands, output in found]


def write_scripts(page: str, folder: Path) -> None:
    """The Python blocks that begin with ``# name.py``, as files in *folder*."""
    for code in re.findall(r"^```python\n(.*?)^```", page, re.S | re.M):
        named = re.match(r"# (\w+\.py)\n", code)
        if named:
            (folder / named[1]).write_text(code, "utf-8")


#: Runs each line in a child of one process that has the command loaded: what one leaves on the
#: devices the next does not see, and none pays for an import.
_RUN = """
import json, os, shlex, sys, tempfile
from importlib import import_module
from mindtorch_cli.app import app

for name, member in app.info.cls.members.items():
    group = import_module(member.module)
    for each in getattr(getattr(group.app.info, "cls", None), "members", {}).values():
        import_module(each.module)
for block in json.loads(sys.argv[1]):
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        for line in block:
            sys.stdout.flush()
            child = os.fork()
            if not child:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                words = shlex.split(line)
                if words[0] == "mindtorch":
                    app(words[1:])
                os.execvp(words[0], words)
            os.waitpid(child, 0)
        said.seek(0)
        print(json.dumps(said.read()))
"""


def printed(page: str, folder: Path) -> list[str]:
    """What the commands of each ``sh`` block of *page* print, run in *folder*."""
    write_scripts(page, folder)
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(ROOT / "examples")
    bin_folder = folder / ".bin"
    bin_folder.mkdir(exist_ok=True)
    (bin_folder / "mindtorch").write_text(
        f'#!/bin/sh\nexec {sys.executable} -m mindtorch_cli "$@"\n'
    )
    (bin_folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for each in bin_folder.iterdir():
        each.chmod(0o755)
    environment = os.environ | {
        "COLUMNS": str(WIDTH),
        "TERMINAL_WIDTH": str(WIDTH),
        "NO_COLOR": "1",
        "TMPDIR": str(folder),
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    commands = [block.commands for block in shown_in(page)]
    done = subprocess.run(
        [sys.executable, "-c", _RUN, json.dumps(commands)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    # Paths are shown as they are in a checkout.
    return [each.replace(str(folder), ".").replace(f"{ROOT}/", "") for each in said]


def comparable(text: str) -> list[str]:
    """The lines of an output without what is another in each run."""
    for pattern, name in _VOLATILE:
        text = pattern.sub(name, text)
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.strip()]


def written(page: str, outputs: list[str]) -> str:
    """*page* with these outputs in its ``text`` blocks."""
    following = iter(outputs)

    def put(match: re.Match[str]) -> str:
        said = next(following)
        if match["output"] is None:
            return match[0]
        lines = [line.rstrip() for line in said.strip("\n").rstrip().splitlines()]
        return f"```sh\n{match['commands']}```\n\n```text\n" + "\n".join(lines) + "\n```"

    return _BLOCK.sub(put, page)


#: Pages whose outputs are written by this program.
PAGES = ("docs/dispatching.md", "docs/npu.md")


def main(words: list[str]) -> None:
    """Write the outputs of all pages, or of those that are named."""
    chosen = [w for w in words if not w.startswith("-")] or PAGES
    for name in chosen:
        path = ROOT / name
        page = path.read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            text = written(page, printed(page, Path(folder)))
        if "--write" in words:
            path.write_text(text, "utf-8")
            print(f"wrote {name}")
        else:
            sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
