"""Who reads the output: a pipe that is read line by line, or that nobody reads any more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

if not hasattr(os, "fork"):
    pytest.skip("needs pipes of POSIX, and forks", allow_module_level=True)

SCRIPT = """
import sys
import mindtorch as torch
x = torch.ones(1000, 1000, device="npu") + 1
for i in range(3000):
    print("a line of the script", i, flush=True)
print("the end is not reached", file=sys.stderr)
"""
#: One of each kind: help, an error, a table, scripts here and in a child.
COMMANDS = (*("--help", "nosuch", "dispatch keys", "npu snapshot TALKS -o SNAP", "npu plan TALKS"),)
#: Runs each in a child whose stdout is a pipe that nobody reads.
RUN = """
import json, os, shlex, sys
import gc, rich.table, typer.rich_utils
import mindtorch, mindtorch_cli.app
from importlib import import_module
from mindtorch_cli import dispatch, main, npu

for group in (dispatch, npu):
    for member in group.app.info.cls.members.values():
        import_module(member.module)  # once, not in every child
found = {}
gc.freeze()
for line in json.loads(sys.argv[1]):
    read, write = os.pipe()
    os.close(read)
    child = os.fork()
    if not child:
        os.dup2(write, 1)
        if line == "nosuch":
            os.dup2(write, 2)
        sys.argv = ["mindtorch", *shlex.split(line)]
        main()
    os.close(write)
    found[line] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(json.dumps(found))
"""


def environment(tmp_path: Path) -> dict[str, str]:
    """Of a process, with processes that show themselves in *tmp_path*."""
    path = os.pathsep.join(filter(None, sys.path))
    return os.environ | {"PYTHONPATH": path, "TMPDIR": str(tmp_path)}


def test_a_reader_that_goes_away_ends_every_command_without_a_word(tmp_path: Path) -> None:
    """With the code of SIGPIPE; files are written all the same."""
    places = {"TALKS": "talks.py", "SNAP": "s.pickle"}
    (tmp_path / "talks.py").write_text(SCRIPT)
    lines = [" ".join(places.get(word, word) for word in line.split()) for line in COMMANDS]
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(lines)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        timeout=120,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == dict.fromkeys(lines, 141)
    assert (tmp_path / "s.pickle").stat().st_size


SPEAKS = """
import sys, time
import mindtorch as torch
x = torch.ones(1000, 1000, device="npu")
print("first")
sys.stdin.readline()
print("second")
"""


@pytest.mark.parametrize("command", ["plan --json", "top"])
def test_what_a_script_prints_is_seen_at_once(command: str, tmp_path: Path) -> None:
    """Through a pipe too: its next line comes only when the first has been read."""
    (tmp_path / "script.py").write_text(SPEAKS)
    words = [sys.executable, "-m", "mindtorch_cli", "npu", *command.split(), "script.py"]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment(tmp_path),
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        said = process.stderr if "--json" in command else process.stdout
        line = said.readline()
        while line != "first\n":  # a table of top may come before
            assert line, process.wait()
            line = said.readline()
        process.stdin.write("go\n")
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "second\n" in (errors if "--json" in command else output)
    if "--json" in command:
        assert json.loads(output)["devices"]
