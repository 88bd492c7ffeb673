"""The op that docs/adding_an_op.md adds has all that every op has, and needs its row alone."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.added_op import CHECKS, block
from tests.workspace import ROOT


@pytest.fixture(scope="module")
def found():
    """What was wrong with each check, in a process that the op is added to."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.added_op"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CHECKS)
def test_the_row_is_enough(name, found):
    """One check of tests/added_op.py each."""
    assert not found[name], found[name]


def test_the_op_is_not_there_without_its_row():
    """Else the page would add nothing."""
    path, source = block()
    row = source.partition('op(\n    "')[2].partition("(")[0]
    assert f'"{row}(' not in (ROOT / path).read_text("utf-8")
