"""``torch.onnx._internal.exporter._flags``: whether an export is going on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["exporting", "is_onnx_exporting"]

_exporting: ContextVar[bool] = ContextVar("mindtorch_onnx_exporting", default=False)


def is_onnx_exporting() -> bool:
    """Whether this thread draws a model for a file of ONNX."""
    return _exporting.get()


@contextmanager
def exporting() -> Iterator[None]:
    """Inside, a model is drawn for a file of ONNX."""
    token = _exporting.set(True)
    try:
        yield
    finally:
        _exporting.reset(token)
