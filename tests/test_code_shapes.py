"""The module of compiled texts holds those that calls of the rows need."""

from __future__ import annotations

import subprocess
import sys

import pytest
from mindtorch.call import code

from tests.workspace import ROOT


def test_the_module_is_what_the_rows_make():
    """What it lacks is compiled at the first call, and what nobody makes is dead."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.code_shapes", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run `hatch run shapes`: {done.stdout}{done.stderr[-2000:]}"


def test_functions_of_one_text_share_their_code():
    """They differ in their cells, and cells that the text does not name do no harm."""
    text = "def call(a):\n    return run(a) + more\nreturn call"
    one = code.function(text, {"run": len, "more": 1})
    two = code.function(text, {"more": 2, "run": abs, "unused": 3})
    assert one.__code__ is two.__code__
    assert (one("xyz"), two(-3)) == (4, 5)


def test_a_text_that_lacks_a_cell_is_an_error():
    """No cell is taken for one of another module."""
    call = code.function("return lambda: nobody_knows_this_name", {})
    with pytest.raises(NameError, match="nobody_knows_this_name"):
        call()
