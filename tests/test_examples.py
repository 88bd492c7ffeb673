"""The examples run, print what they promise, and stay short."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from tests.workspace import ROOT, run_python

EXAMPLES = ROOT / "examples"
NUMBERED = sorted(EXAMPLES.glob("[0-9][0-9]_*.py"))


@pytest.mark.parametrize("path", NUMBERED, ids=lambda p: p.name)
def test_example_runs(path):
    """Each checks itself with asserts; an exit code of 0 means that they hold."""
    done = run_python(str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "an example shows something"


@pytest.mark.parametrize("path", NUMBERED, ids=lambda p: p.name)
def test_example_is_short(path):
    """Under 60 lines, and it says at its top what it shows."""
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < 60
    assert text.startswith('"""')


def test_a_backend_of_ones_own_is_one_short_file():
    """It lives beside cpu and npu in one process, and says how it is to be read."""
    path = EXAMPLES / "own_backend.py"
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < 150 and text.startswith('"""')
    done = run_python(str(path))
    assert done.returncode == 0, done.stderr
    assert "device='demo:0'" in done.stdout and "demo:0 and npu:0" in done.stdout


def test_examples_are_numbered():
    """One for each part of the library, each with a number of its own."""
    numbers = [p.name[:2] for p in NUMBERED]
    assert numbers[:6] == ["01", "02", "03", "04", "05", "06"]
    assert len(set(numbers)) == len(numbers)


def demo(*args: str):
    done = run_python(str(EXAMPLES / "demo.py"), *args)
    assert done.returncode == 0, done.stderr
    losses = re.search(r"^loss +(.*)$", done.stdout, re.M)
    assert losses, done.stdout
    return done.stdout, [float(x) for x in losses.group(1).split(", ")]


needs_digits = pytest.mark.skipif(find_spec("sklearn") is None, reason="needs scikit-learn")


@needs_digits
def test_demo_shows_what_happened_on_the_npu():
    """Accuracy, time, the memory summary and the path of an add."""
    text, losses = demo("--epochs", "2")
    assert losses[-1] < losses[0]
    assert "test accuracy" in text and "time per step" in text
    assert "Allocated memory" in text
    for word in ("Pipeline", "AutogradNPU", "NPU"):
        assert re.search(rf"\b{word}\b", text), f"the path of aten::add names {word}"


@needs_digits
@pytest.mark.skipif(find_spec("torch") is None, reason="needs the oracle")
def test_demo_learns_what_torch_learns():
    """The same seed gives the same losses as the oracle, on cpu and on the NPU."""
    _, want = demo("--epochs", "2", "--framework", "torch")
    for device in ("cpu", "npu"):
        assert demo("--epochs", "2", "--device", device)[1] == pytest.approx(want, rel=2e-2)


def test_demo_refuses_what_torch_does_not_have():
    """Bad use ends with exit code 2 and a reason."""
    done = run_python(str(EXAMPLES / "demo.py"), "--framework", "torch", "--device", "npu")
    assert done.returncode == 2 and "no device npu" in done.stderr
    done = run_python(str(EXAMPLES / "demo.py"), "--epochs", "0")
    assert done.returncode == 2 and "at least 1" in done.stderr
