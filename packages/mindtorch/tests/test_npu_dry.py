"""Dry mode books what a run books: all statistics are equal, of devices and of pinned memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ZOO = Path(__file__).with_name("npu_zoo.py")


def run(mode: str) -> tuple[dict[str, object], str]:
    """The statistics after each program, and what it said."""
    done = subprocess.run(
        [sys.executable, str(ZOO)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ
        | {"MINDTORCH_NPU_MODE": mode, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_statistics_of_dry_mode_are_those_of_a_run() -> None:
    """Training, copies, streams, fragments, graphs, memory that runs out with the same text."""
    (real, said), (dry, said_dry) = run("run"), run("dry")
    for name, statistics in real.items():
        assert dry[name] == statistics, name
    assert said == said_dry
    assert "NPU out of memory. Tried to allocate 8.00 GiB." in said
