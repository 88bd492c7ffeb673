"""Where things are in the workspace, for the tests that look at files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: Folder -> import name, for everything that is installed.
PACKAGES = {
    "packages/autograd": "mindtorch_autograd",
    "packages/dispatch": "mindtorch_dispatch",
    "packages/mindtorch": "mindtorch",
    "packages/npu": "mindtorch_npu",
    "packages/storage": "mindtorch_storage",
    "cli": "mindtorch_cli",
}

#: Import name -> what of the workspace it may load: the arrows of docs/structure.md.
MAY_LOAD = {
    "mindtorch_autograd": set(),
    "mindtorch_dispatch": set(),
    "mindtorch_npu": {"mindtorch_storage"},
    "mindtorch_storage": set(),
    "mindtorch": {
        "mindtorch_autograd",
        "mindtorch_dispatch",
        "mindtorch_npu",
        "mindtorch_storage",
    },
    "mindtorch_cli": {
        "mindtorch",
        "mindtorch_autograd",
        "mindtorch_dispatch",
        "mindtorch_npu",
        "mindtorch_storage",
    },
}


def sources(folder: str) -> list[Path]:
    """Every Python file that a package ships."""
    return sorted((ROOT / folder / "src").rglob("*.py"))


def run_python(
    *args: str, cwd: Path = ROOT, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter, output captured as text. Small matrices, so one BLAS thread."""
    env = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *args], cwd=cwd, env=env, timeout=timeout, capture_output=True, text=True
    )
