"""The runner of libraries' own tests: what it counts, and the plugin that writes outcomes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients import suites
from tests.clients.suites import Result, Suite, compare, page, reasons

TESTS = """
import time
import pytest
import torch


def test_passes():
    assert torch.ones(2).sum() == 2


def test_is_seeded():
    drawn = torch.rand(1)
    torch.manual_seed(42)
    assert drawn == torch.rand(1)


def test_fails():
    raise ValueError("so it is")


def test_hangs():
    try:
        time.sleep(60)
    except Exception:
        pass


def test_is_skipped():
    pytest.skip()


@pytest.fixture
def broken():
    yield
    raise RuntimeError("tear-down")


def test_whose_tear_down_fails(broken):
    pass
"""


def test_the_plugin_writes_what_tests_come_to(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_wrong.py").write_text("import nothing_of_this_name\n")
    file = tmp_path / "outcomes.jsonl"
    environment = os.environ | {
        "MINDTORCH_OUTCOMES": str(file),
        "MINDTORCH_TEST_SECONDS": "2",
        "PYTHONPATH": str(suites.HERE),
    }
    words = ["-m", "mindtorch", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "outcomes"]
    words += ["--continue-on-collection-errors", str(tmp_path)]
    subprocess.run([sys.executable, *words], env=environment, cwd=tmp_path, capture_output=True)
    found: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        name, outcome, _, error = json.loads(line)
        found.setdefault(name.rpartition("::")[2], []).extend([outcome, error])
    assert found["test_passes"] == found["test_is_seeded"] == ["passed", ""]
    assert found["test_fails"] == ["failed", "ValueError: so it is"]
    assert found["test_hangs"] == ["failed", "RuntimeError: no end after 2 s"]
    assert found["test_is_skipped"][0] == "skipped"
    assert found["test_whose_tear_down_fails"] == [
        "passed",
        "",
        "failed",
        "RuntimeError: tear-down",
    ]
    assert "nothing_of_this_name" in found["test_wrong.py"][1]


def test_what_passes_with_torch_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(suites, "CACHE", tmp_path)
    torchs = [
        ["a", "passed"],
        ["b", "passed"],
        ["f.py::c", "passed"],
        ["d", "failed"],
        ["e", "passed"],
    ]
    torchs += [["e", "failed"]]  # its tear-down
    mine = [["a", "passed"], ["b", "failed"], ["f.py", "failed"], ["d", "passed"], ["e", "passed"]]
    for framework, lines in (("torch", torchs), ("mindtorch", mine)):
        rows = [json.dumps([name, how, 0.1, f"Error of {name}"]) for name, how in lines]
        (tmp_path / f"numpy-{framework}.jsonl").write_text("\n".join(rows))
    result = compare(Suite("numpy", examples=("numpy",)), "both")
    assert (result.passed, result.same) == (3, 1)
    assert result.different == {"b": "Error of b", "f.py::c": "Error of f.py"}


def test_the_page_tells_the_most_frequent_errors_first() -> None:
    why = ["A", "B | c", "B | c", "D", "E"]
    result = Result("some", "1.0", 9, 4, {str(i): text for i, text in enumerate(why)})
    assert reasons(result) == "2 × B \\| c; 1 × A; 1 × D; 1 × other"
    assert "**4 of 9 tests** (44.4%)" in page([result])
    assert "| some 1.0 | 9 | 4 | 2 × B" in page([result])
