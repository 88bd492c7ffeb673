"""The stubs that type checkers read say what there is."""

from __future__ import annotations

import subprocess
import sys

from tests.workspace import ROOT


def test_stubs_are_those_that_the_rows_make():
    """``hatch run stubs`` would change nothing.

    In a process of its own: names of lazy namespaces are asked for in one order.
    """
    command = [sys.executable, "-W", "ignore", "-m", "tests.stubs", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run `hatch run stubs`: {done.stdout}{done.stderr[-2000:]}"
