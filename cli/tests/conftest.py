"""Ops of our own in the global registry, taken back after each test; and the command runner."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mindtorch  # which registers the ops and the functionality kernels
import pytest
from mindtorch_cli.app import app
from mindtorch_dispatch import DispatchKey, registry
from typer.testing import CliRunner, Result

try:  # commands that run a script in this process leave the name alone then
    import torch  # noqa: F401
except ImportError:  # they put it back themselves
    pass


def cpu_kernel(a: Any, b: Any) -> str:
    return "cpu"


def autograd_kernel(a: Any, b: Any) -> str:
    return "autograd"


@pytest.fixture(autouse=True)
def no_history_is_left() -> Iterator[None]:
    """Commands that record one end with their process, which here goes on."""
    yield
    if mindtorch._C._npu_isHistoryEnabled():
        mindtorch.npu.memory._record_memory_history(None)


@pytest.fixture
def toy() -> Iterator[str]:
    """``toy::pair``: two overloads; the first has a CPU and an Autograd kernel."""
    handles = [
        registry.register_schema("toy::pair.Tensor(Tensor self, Tensor other) -> Tensor"),
        registry.register_schema("toy::pair.int(Tensor self, int[] size, *, int n=1) -> Tensor"),
        registry.register_kernel("toy::pair.Tensor", DispatchKey.CPU, cpu_kernel),
        registry.register_kernel("toy::pair.Tensor", DispatchKey.Autograd, autograd_kernel),
        registry.register_fallthrough("toy::pair.Tensor", DispatchKey.ADInplaceOrView),
        registry.register_kernel(
            "toy::pair.int", DispatchKey.CompositeImplicitAutograd, cpu_kernel
        ),
    ]
    yield "toy::pair"
    registry.remove(handles)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command with these words, in a terminal of 80 columns without colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def invoke(*words: str) -> Result:
        return CliRunner().invoke(app, list(words))

    return invoke


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Write a script and give its path."""

    def make(code: str) -> str:
        path = tmp_path / "script.py"
        path.write_text(code)
        return str(path)

    return make


@pytest.fixture
def run_json(run: Callable[..., Result]) -> Callable[..., Any]:
    """Run with ``--json`` and give the data back."""

    def invoke(*words: str) -> Any:
        done = run(*words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return invoke
