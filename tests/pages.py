"""Pages that show commands and what they print.

A block of commands (``sh``) with a block of output (``text``) right below it shows what the
commands really print: ``python -m tests.pages --write`` writes it, ``--check`` and a test compare.
Of several commands in one block each is told by a line ``$ command`` above what it prints. A block
without output is not run.

Commands of one page run in one folder, one after the other, in a terminal of 88 columns, without
warnings. Python blocks that begin with ``# name.py`` are files in it; ``examples`` is there, too. A
line may end in a pipe (``| head -n 12``). What differs from run to run (times, sizes of files,
process numbers) is compared by its place only. Where a library is missing that a script in
``NEEDS`` imports, its blocks are left as they are.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Self

from tests.workspace import ROOT

#: Pages whose outputs are written by this program.
PAGES = (
    "README.md",
    "docs/index.md",
    "docs/unmodified-programs.md",
    "docs/ops-and-backends.md",
    "docs/npu.md",
    "docs/teaching.md",
    "docs/dispatching.md",
)
#: Scripts that import what not every environment has.
NEEDS = {"plan_transformers.py": "transformers"}
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
    (re.compile(r"((mindtorch\w*|transformers)/\S+\.py):\d+"), r"\1:LINE"),
)


class Shown(NamedTuple):
    """A block of commands, and the lines of the block of output below it, if there is one."""

    commands: list[str]
    output: list[str]

    @property
    def runs_here(self) -> bool:
        """Whether its output is shown, and the libraries are there that its scripts import."""
        scripts = re.findall(r"[\w.]+\.py\b", "\n".join(self.commands))
        needed = [NEEDS[name] for name in scripts if name in NEEDS]
        return bool(self.output) and all(find_spec(each) for each in needed)


def shown_in(page: str) -> list[Shown]:
    """The ``sh`` blocks of a page, each with the ``text`` block that follows it at once."""
    found = ((m["commands"], m["output"] or "") for m in _BLOCK.finditer(page))
    return [Shown(commands.splitlines(), output.splitlines()) for commands, output in found]


def scripts_in(page: str) -> dict[str, str]:
    """The Python blocks that begin with ``# name.py``, by that name."""
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.S | re.M)
    return {named[1]: code for code in blocks if (named := re.match(r"# (\w+\.py)\n", code))}


def write_scripts(page: str, folder: Path) -> None:
    """The scripts of *page*, as files in *folder*."""
    for name, code in scripts_in(page).items():
        (folder / name).write_text(code, "utf-8")


#: Runs each line in a child of one process that has the command loaded: what one leaves on the
#: devices the next does not see, and none pays for an import.
_RUN = """
import json, os, shlex, subprocess, sys, tempfile
from importlib import import_module
from mindtorch_cli.app import app

for name, member in app.info.cls.members.items():
    group = import_module(member.module)
    for each in getattr(getattr(group.app.info, "cls", None), "members", {}).values():
        import_module(each.module)


def become(line, out, err):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    words = shlex.split(line)
    # What cuda means is settled when mindtorch is imported.
    if words[0] == "mindtorch" and "--cuda-as-npu" not in words:
        app(words[1:])
    os.execvp(words[0], words)


for request in sys.stdin:
    folder, lines = json.loads(request)
    os.chdir(folder)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        for line in lines:
            if len(lines) > 1:
                os.write(said.fileno(), f"$ {line}\\n".encode())
            line, _, after = line.partition(" | ")
            out, pipe = said.fileno(), None
            if after:
                pipe = subprocess.Popen(
                    ["sh", "-c", after], stdin=subprocess.PIPE, stdout=said, stderr=said
                )
                out = pipe.stdin.fileno()
            sys.stdout.flush()
            child = os.fork()
            if not child:
                become(line, out, said.fileno())
            if pipe:
                pipe.stdin.close()
                pipe.wait()
            os.waitpid(child, 0)
        said.seek(0)
        print(json.dumps(said.read()), flush=True)
"""


class Terminal:
    """Runs commands and tells what they print; for ``with``. What two pages show is run once."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self._known: dict[str, str] = {}
        programs = {"mindtorch": f"{sys.executable} -m mindtorch_cli", "python": sys.executable}
        for name, words in programs.items():
            path = Path(self._folder.name) / name
            path.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
            path.chmod(0o755)
        environment = os.environ | {
            "COLUMNS": str(WIDTH),
            "TERMINAL_WIDTH": str(WIDTH),
            "NO_COLOR": "1",
            "PATH": f"{self._folder.name}{os.pathsep}{os.environ['PATH']}",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONWARNINGS": "ignore",
            "TRANSFORMERS_VERBOSITY": "error",
        }
        environment.pop("MINDTORCH_TRACEBACK", None)  # a user has none
        self._process = subprocess.Popen(
            [sys.executable, "-c", _RUN],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def printed(self, page: str, folder: Path) -> list[str]:
        """What the commands of each ``sh`` block of *page* print in *folder*, if it is run."""
        write_scripts(page, folder)
        if not (folder / "examples").exists():
            (folder / "examples").symlink_to(ROOT / "examples")
        scripts, outputs = scripts_in(page), []
        for block in shown_in(page):
            if not block.runs_here:
                outputs.append("")
                continue
            words = " ".join(block.commands).split()
            key = json.dumps([block.commands, *(scripts[w] for w in words if w in scripts)])
            if key not in self._known:
                self._known[key] = self._say(block.commands, folder)
            outputs.append(self._known[key])
        return outputs

    def _say(self, commands: list[str], folder: Path) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps([str(folder), commands]) + "\n")
        self._process.stdin.flush()
        said: str = json.loads(self._process.stdout.readline())
        # Paths are shown as they are in a checkout.
        return said.replace(f"{folder}/", "").replace(f"{ROOT}/", "")


def comparable(text: str) -> list[str]:
    """The lines of an output without what is another in each run."""
    for pattern, name in _VOLATILE:
        text = pattern.sub(name, text)
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.strip()]


def differences(page: str, outputs: list[str]) -> list[str]:
    """The commands that print something else than *page* shows, each with the first such line."""
    found = []
    for block, said in zip(shown_in(page), outputs, strict=True):
        if not block.runs_here:
            continue
        shows, prints = comparable("\n".join(block.output)), comparable(said)
        if shows != prints:
            pairs = zip([*shows, ""], [*prints, ""])
            first = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
            found.append(f"{block.commands}: shows {first[0]!r}, prints {first[1]!r}")
    return found


def written(page: str, outputs: list[str]) -> str:
    """*page* with these outputs in its ``text`` blocks."""
    following = iter(zip(shown_in(page), outputs, strict=True))

    def put(match: re.Match[str]) -> str:
        block, said = next(following)
        if not block.runs_here:
            return match[0]
        lines = [line.rstrip() for line in said.strip("\n").rstrip().splitlines()]
        return f"```sh\n{match['commands']}```\n\n```text\n" + "\n".join(lines) + "\n```"

    return _BLOCK.sub(put, page)


def main(words: list[str]) -> int:
    """Write or compare the outputs of all pages, or of those that are named."""
    chosen = [w for w in words if not w.startswith("-")] or PAGES
    code = 0
    with Terminal() as terminal:
        for name in chosen:
            path = ROOT / name
            page = path.read_text("utf-8")
            with tempfile.TemporaryDirectory() as folder:
                outputs = terminal.printed(page, Path(folder))
            if "--write" in words:
                path.write_text(written(page, outputs), "utf-8")
                print(f"wrote {name}")
            elif "--check" in words:
                for each in differences(page, outputs):
                    code = 1
                    print(f"{name}: {each}")
            else:
                sys.stdout.write(written(page, outputs))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
