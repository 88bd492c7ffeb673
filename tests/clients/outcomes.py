"""A pytest plugin: outcomes on a file as tests end, seeds for each, an end to tests that hang.

``MINDTORCH_OUTCOMES`` names the file, one JSON list a line: node id, outcome, seconds, the error's
text. ``MINDTORCH_TEST_SECONDS`` is how long one test may take. What a killed run had done so far
is on the file.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Generator
from typing import Any

import pytest
from steps import declare_torchvision_ops

LIMIT = int(os.environ.get("MINDTORCH_TEST_SECONDS", "120"))
#: Examples in documentation, whose values are written down, mostly expect this one.
SEED = 42


class TookTooLong(BaseException):
    """A test ran longer than it may; no test expects this one."""


def _seed() -> None:
    import numpy
    import torch

    random.seed(SEED)
    numpy.random.seed(SEED)
    torch.manual_seed(SEED)


def pytest_collection() -> None:
    """Seed what files make as they are imported."""
    import torch

    declare_torchvision_ops(torch)
    _seed()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed a test, so that both frameworks try the same numbers."""
    _seed()


def _end(signum: int, frame: Any) -> None:
    raise TookTooLong(f"no end after {LIMIT} s")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run a test with its alarm set."""
    signal.signal(signal.SIGALRM, _end)
    signal.alarm(LIMIT)
    try:
        return (yield)
    except TookTooLong as error:
        raise RuntimeError(str(error)) from None
    finally:
        signal.alarm(0)


def _write(name: str, outcome: str, seconds: float, error: str) -> None:
    with open(os.environ["MINDTORCH_OUTCOMES"], "a", encoding="utf-8") as file:
        file.write(json.dumps([name, outcome, round(seconds, 2), error]) + "\n")


def _error(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message).strip()[:2000]
    text = str(report.longrepr).strip()  # of an example in documentation: its source, what it gave
    begin = max(text.find("UNEXPECTED EXCEPTION: "), text.find("\nExpected:"))
    return text[begin:][:2000] if begin >= 0 else text[-2000:]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write what a test came to: its call, or the set-up or tear-down that went wrong."""
    if report.when == "call" or report.outcome != "passed":
        error = _error(report) if report.failed else ""
        _write(report.nodeid, report.outcome, report.duration, error)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Write that a file could not be imported."""
    if report.failed:
        _write(report.nodeid, "failed", 0.0, _error(report))
