"""What is remembered of a call with one number holds for no other number that is refused."""

from __future__ import annotations

import json
import subprocess
import sys

from ..workspace import ROOT
from .rows import report


def test_what_comes_of_a_number_does_not_hang_on_the_numbers_before():
    """Each row with each number, in one order and in the other, in processes of their own."""
    program = [sys.executable, "-m", "tests.contract.numbers_in_calls"]
    running = [
        subprocess.Popen([*program, order], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for order in ("forward", "backward")
    ]
    one, other = (json.loads(p.communicate(timeout=300)[0]) for p in running)
    assert one.keys() == other.keys()
    assert len(one) > 1500
    report(f"{k}: {one[k]} or {other[k]}" for k in one if one[k] != other[k])
