"""The page on the NPU: its commands run, one after the other, and print what it says."""

from __future__ import annotations

import json
import os
import sys

import pytest
from mindtorch_cli.npu import app

from tests.pages import lines_missing, shown_in, write_scripts
from tests.workspace import ROOT, run_python

PAGE = (ROOT / "docs" / "npu.md").read_text("utf-8")
BLOCKS = shown_in(PAGE)
#: Runs each command in a child of its own, for what one leaves on the devices the next would show.
RUN = """
import json, os, shlex, sys, tempfile
from importlib import import_module
from mindtorch_cli import npu
from mindtorch_cli.app import app

for member in npu.app.info.cls.members.values():
    import_module(member.module)  # once, not in every child
for block in json.loads(sys.argv[1]):
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        for line in block:
            sys.stdout.flush()
            child = os.fork()
            if not child:
                os.dup2(said.fileno(), 1)
                app(shlex.split(line)[1:])
            os.waitpid(child, 0)
        said.seek(0)
        print(json.dumps(said.read()))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_commands_print_what_the_page_shows(tmp_path, monkeypatch):
    """With the scripts of the page, in a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERMINAL_WIDTH", "100")
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where processes show themselves
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    write_scripts(PAGE, tmp_path)
    done = run_python("-c", RUN, json.dumps([b.commands for b in BLOCKS]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    for block, text in zip(BLOCKS, printed, strict=True):
        assert block.output, block
        assert not lines_missing(block.output, text), text
    assert (tmp_path / "memory.html").stat().st_size


def test_every_command_has_its_block():
    """All of ``mindtorch npu`` are shown."""
    shown = {line.split()[2] for block in BLOCKS for line in block.commands}
    assert shown == set(app.info.cls.members)
