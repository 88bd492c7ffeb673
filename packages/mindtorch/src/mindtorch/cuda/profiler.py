"""CUDA's profiler: there is none in a build without CUDA."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from . import check_error, cudart

__all__ = ["start", "stop", "profile"]

DEFAULT_FLAGS = [
    "gpustarttimestamp",
    "gpuendtimestamp",
    "gridsize3d",
    "threadblocksize",
    "streamid",
    "enableonstart 0",
    "conckerneltrace",
]


def start() -> None:
    """Raises AssertionError: there is no CUDA here."""
    check_error(cudart().cudaProfilerStart())


def stop() -> None:
    """Raises AssertionError: there is no CUDA here."""
    check_error(cudart().cudaProfilerStop())


@contextlib.contextmanager
def profile() -> Iterator[None]:
    """A profiled block. Entering it raises AssertionError: there is no CUDA here."""
    try:
        start()
        yield
    finally:
        stop()
