"""Test suites that are written with PyTorch's own helpers run on mindtorch."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests import torchs_test_helpers


def test_tests_written_with_pytorchs_helpers_run():
    """Comparisons, parametrized tests, and the tables of operators, modules and optimizers."""
    pytest.importorskip("expecttest", reason="PyTorch's helpers import it")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", torchs_test_helpers.__file__, Path(torch.__file__).parent],
        env={name: value for name, value in os.environ.items() if name != "CI"},  # writes no XML
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    count = re.search(r"^Ran (\d+) tests", done.stderr, re.MULTILINE)
    assert count is not None and int(count[1]) > 40, done.stderr[-2000:]
