"""The soak, for a moment: threads with graphs beside processes with shared memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rich")

_ROOT = Path(__file__).parents[1]


def test_threads_and_processes_find_no_difference_and_leave_nothing():
    """In a process of its own, whose books are its own; a minute of it is ``hatch run soak``."""
    command = [sys.executable, "-m", "tests.soak", "--seconds", "1", "--no-oracle"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=_ROOT, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("no difference, no leak\n")


def test_who_looks_at_the_memory_may_be_the_first_to_use_a_device():
    """Statistics are empty before the initialisation, which is no difference."""
    code = (
        "from tests.soak.meddling import meddle\n"
        "class Zeros:\n"
        "    def integers(self, end):\n"
        "        return 0\n"
        "meddle(Zeros())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=_ROOT)
    assert done.returncode == 0, done.stderr


def test_the_soak_sees_a_leak_and_a_difference():
    """Its books and its comparisons can fail."""
    code = (
        "import mindtorch, sys\n"
        "from tests.soak import programs\n"
        "from tests.soak.crew import Soak\n"
        "kept = []\n"
        "run = programs.PROGRAMS\n"
        "run.clear()\n"
        "def leaking(w, rng):\n"
        "    kept.append(mindtorch.ones(1))\n"
        "def wrong(w, rng):\n"
        "    w.same('one', mindtorch.ones(1), [2.0])\n"
        "for program in (leaking, wrong):\n"
        "    run['it'] = program\n"
        "    soak = Soak(0, 1, oracle=False, processes=False)\n"
        "    soak.run(1, lambda *a: None)\n"
        "    print(soak.problems[0].splitlines()[0].partition(':')[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=_ROOT)
    assert done.stdout.splitlines()[0] == "a leak of tensors", done.stderr
    assert done.stdout.splitlines()[1].startswith("--seed 0 --replay 0"), done.stderr
