"""``mindtorch env``: versions, devices and settings."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import mindtorch as torch
import numpy as np
from rich.console import RenderableType

from .lazy_group import command
from .render import Json, emit, examples, facts

app = command()

PACKAGES = (
    "mindtorch",
    "mindtorch-autograd",
    "mindtorch-cli",
    "mindtorch-dispatch",
    "mindtorch-npu",
    "mindtorch-storage",
)
LIBRARIES = ("numpy", "ml_dtypes", "rich", "typer")
#: Not needed; said because behaviour or comparisons depend on them.
OPTIONAL = ("numba", "torch", "torch_npu")
SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NO_COLOR")


@app.command(epilog=examples("env", "env --json"))
def show_env(json: Json = False) -> None:
    """Show versions, devices and settings: what a bug report needs."""
    emit(environment(), json, tables)


def installed(name: str) -> str | None:
    """The version of an installed distribution, without importing it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def environment() -> dict[str, Any]:
    """Everything that the command shows."""
    blas = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    own = {k: v for k, v in os.environ.items() if k.startswith("MINDTORCH_")}
    own |= {k: os.environ[k] for k in SETTINGS if k in os.environ}
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "executable": sys.executable,
        "packages": {name: installed(name) for name in PACKAGES},
        "libraries": {name: installed(name) for name in LIBRARIES},
        "optional": {name: installed(name) for name in OPTIONAL},
        "blas": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip(),
        "default_dtype": str(torch.get_default_dtype()),
        "devices": devices(),
        "settings": dict(sorted(own.items())),
    }


def devices() -> list[dict[str, Any]]:
    """The host and every NPU."""
    found: list[dict[str, Any]] = [
        {"device": "cpu", "name": platform.processor() or platform.machine(), "memory": None}
    ]
    if not torch.npu.is_available():
        return found
    for index in range(torch.npu.device_count()):
        properties = torch.npu.get_device_properties(index)
        found.append(
            {
                "device": f"npu:{index}",
                "name": properties.name,
                "memory": properties.total_memory,
            }
        )
    return found


def tables(data: dict[str, Any]) -> Iterable[RenderableType]:
    """The environment in sections."""
    yield facts(
        [
            ("Python", data["python"]),
            ("platform", data["platform"]),
            ("executable", data["executable"]),
            ("BLAS", data["blas"]),
            ("default dtype", data["default_dtype"]),
        ],
        title="Environment",
    )
    for key, title in (("packages", "Packages"), ("libraries", "Libraries")):
        yield facts(((k, v or "not installed") for k, v in data[key].items()), title=title)
    yield facts(((k, v or "not installed") for k, v in data["optional"].items()), "Optional")
    yield facts(
        (
            (d["device"], d["name"] + (f", {d['memory'] / 2**30:.1f} GiB" if d["memory"] else ""))
            for d in data["devices"]
        ),
        title="Devices",
    )
    if data["settings"]:
        yield facts(data["settings"].items(), title="Settings")
