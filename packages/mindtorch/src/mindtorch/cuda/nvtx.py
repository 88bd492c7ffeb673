"""Marks for NVIDIA's profilers: there are none in a build without CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

__all__ = ["range_push", "range_pop", "range_start", "range_end", "mark", "range"]


class _NVTXStub:
    """In the place of the library: each call says that it is not there."""

    @staticmethod
    def _fail(*args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("NVTX functions not installed. Are you sure you have a CUDA build?")

    rangePushA = _fail
    rangePop = _fail
    markA = _fail


_nvtx: Any = _NVTXStub()


def range_push(msg: str) -> int:
    """Raises RuntimeError: there is no NVTX here."""
    return _nvtx.rangePushA(msg)


def range_pop() -> int:
    """Raises RuntimeError: there is no NVTX here."""
    return _nvtx.rangePop()


def range_start(msg: str) -> int:
    """Raises AttributeError: there is no NVTX here."""
    return _nvtx.rangeStartA(msg)


def range_end(range_id: int) -> None:
    """Raises AttributeError: there is no NVTX here."""
    _nvtx.rangeEnd(range_id)


def _device_range_start(msg: str, stream: int = 0) -> object:
    return _nvtx.deviceRangeStart(msg, stream)


def _device_range_end(range_handle: object, stream: int = 0) -> None:
    _nvtx.deviceRangeEnd(range_handle, stream)


def mark(msg: str) -> int:
    """Raises RuntimeError: there is no NVTX here."""
    return _nvtx.markA(msg)


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A marked block. Entering it raises RuntimeError: there is no NVTX here."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
