"""``mindtorch env``."""

from __future__ import annotations

import sys

import numpy as np


def test_env_names_versions_and_devices(run_json, monkeypatch):
    """What a bug report needs: versions, devices, settings."""
    monkeypatch.setenv("MINDTORCH_SOMETHING", "1")
    data = run_json("env")
    assert data["libraries"]["numpy"] == np.__version__
    assert data["packages"]["mindtorch"]
    assert data["python"].endswith(".".join(map(str, sys.version_info[:3])))
    assert [d["device"] for d in data["devices"]][:2] == ["cpu", "npu:0"]
    assert data["devices"][1]["memory"] > 0
    assert data["settings"]["MINDTORCH_SOMETHING"] == "1"


def test_env_does_not_import_the_oracle():
    """torch's version is read from its metadata."""
    import subprocess

    code = (
        "import sys; from mindtorch_cli.env import environment; environment(); "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_env_is_readable(run):
    """Sections with names and values."""
    text = run("env").stdout
    for word in ("Environment", "Packages", "Libraries", "Devices", "numpy", "npu:0"):
        assert word in text
