"""``mindtorch npu memory-summary``."""

from __future__ import annotations

import json

import pytest

SCRIPT = """
import sys
import mindtorch as torch
print("script got", sys.argv[1:])
kept = torch.ones(1024, device="npu")
kept = kept + 1
torch.npu.synchronize()
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "uses_npu.py"
    path.write_text(SCRIPT)
    return path


def test_summary_of_a_script(run, script):
    """The script runs in this process and the table shows what it did."""
    done = run("npu", "memory-summary", str(script), "--", "--epochs", "3")
    assert done.exit_code == 0, done.output
    assert "script got ['--epochs', '3']" in done.stdout
    assert "Allocated memory" in done.stdout


def test_summary_as_json_is_one_document(run, script):
    """What the script prints goes to stderr; the numbers count its allocations."""
    done = run("npu", "memory-summary", str(script), "--json")
    data = json.loads(done.stdout)
    assert "script got" in done.stderr
    assert data["device"] == "npu:0"
    assert data["stats"]["allocated_bytes.all.peak"] >= 4096


def test_summary_of_the_current_process(run):
    """Without a script the process is shown as it is."""
    done = run("npu", "memory-summary")
    assert done.exit_code == 0, done.output
    assert "Allocated memory" in done.stdout


def test_exit_code_of_the_script_is_kept(run, tmp_path):
    """The summary is printed all the same."""
    path = tmp_path / "fails.py"
    path.write_text("import sys; sys.exit(3)")
    done = run("npu", "memory-summary", str(path))
    assert done.exit_code == 3
    assert "Allocated memory" in done.stdout


def test_error_of_the_script_passes_through(run, tmp_path):
    """An exception is the user's to see, not ours to wrap; sys.argv is put back."""
    import sys

    before = list(sys.argv), list(sys.path)
    path = tmp_path / "raises.py"
    path.write_text("1 / 0")
    assert isinstance(run("npu", "memory-summary", str(path)).exception, ZeroDivisionError)
    assert (list(sys.argv), list(sys.path)) == before


@pytest.mark.parametrize(
    "words, said",
    [
        (("no_such_script.py",), "does not exist"),
        (("--device", "99"), "NPUs"),
        (("--device", "-1"), "NPUs"),
        (("--device", "x"), "integer"),
    ],
)
def test_bad_use_ends_with_code_2(run, words, said):
    """A missing script or device is bad use."""
    done = run("npu", "memory-summary", *words)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
