"""Each test draws the same numbers in each run, whatever ran before it."""

from __future__ import annotations

import os

import mindtorch

# Who looks for a mistake in the library wants to see its frames.
os.environ.setdefault("MINDTORCH_TRACEBACK", "full")


def pytest_runtest_setup() -> None:
    """Start from torch's own seed for new generators."""
    mindtorch.manual_seed(67280421310721)
