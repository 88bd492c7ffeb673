"""``torch.nn.parallel``: modules on several devices."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from .data_parallel import DataParallel, data_parallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter

__all__ = [
    "DataParallel",
    "DistributedDataParallel",
    "data_parallel",
    "gather",
    "parallel_apply",
    "replicate",
    "scatter",
]


def _old() -> type:
    """``DistributedDataParallelCPU``, a class that nobody makes any more."""
    base = _import_module(".distributed", __name__).DistributedDataParallel
    found = type("DistributedDataParallelCPU", (base,), {"__module__": __name__})
    globals()["DistributedDataParallelCPU"] = found
    return found


def __getattr__(name: str) -> Any:
    if name == "DistributedDataParallel":
        return _import_module(".distributed", __name__).DistributedDataParallel
    if name == "DistributedDataParallelCPU":  # its older name
        return _old()
    if name in ("comm", "distributed", "scatter_gather"):
        return _import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.nn.parallel' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
