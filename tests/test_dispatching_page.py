"""The page that teaches dispatching: its commands run, and its table is whole."""

from __future__ import annotations

import os
import re
import shlex

import pytest
from mindtorch_cli import oracle
from mindtorch_cli.app import app
from mindtorch_cli.documented_differences import DOCUMENTED
from typer.testing import CliRunner

from tests.pages import shown_in, write_scripts
from tests.workspace import ROOT

PAGE = (ROOT / "docs" / "dispatching.md").read_text("utf-8")
BLOCKS = shown_in(PAGE)
#: Without the pipes that shorten their output.
COMMANDS = [line.partition(" | ")[0] for block in BLOCKS for line in block.commands]


@pytest.fixture
def terminal(monkeypatch, tmp_path):
    """Run a line as in a terminal of 80 columns, in a folder with the examples and scripts."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    write_scripts(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(line):
        program, *words = shlex.split(line)
        assert program == "mindtorch"
        return CliRunner().invoke(app, words)

    return run


@pytest.mark.parametrize("line", COMMANDS)
def test_command_runs(line, terminal):
    """Each ends well; ``diff`` without torch says what it needs."""
    done = terminal(line)
    if "dispatch diff" in line and not oracle.available():
        assert done.exit_code == 2 and "torch is not installed" in done.stderr
        return
    assert done.exit_code == 0, done.output
    assert done.output.strip()
    if "--output" in line:
        assert os.path.getsize(shlex.split(line)[-1])


def test_every_documented_difference_is_on_the_page():
    """What ``diff`` calls documented is documented, and nothing else is."""
    table = PAGE[PAGE.index("| name |") :]
    assert re.findall(r"^\| (?!name|-)([^|]+?) \|", table, re.M) != []
    assert set(re.findall(r"^\| (?!name|-)([^|]+?) \|", table, re.M)) == {
        d.name for d in DOCUMENTED
    }


def test_the_page_has_a_command_for_each_subject():
    """All commands of ``mindtorch dispatch`` are taught."""
    taught = {shlex.split(line)[2] for line in COMMANDS}
    assert taught == {"explain", "trace", "why-not", "ops", "keys", "diff"}
