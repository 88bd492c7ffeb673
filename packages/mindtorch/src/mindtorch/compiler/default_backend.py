"""The backend of ``torch.compile`` that is named nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.module_names import living_in

__all__ = ["get_default_backend", "set_default_backend"]

_default_backend: str | Callable[..., Any] = "inductor"


def get_default_backend() -> str | Callable[..., Any]:
    """The backend of ``torch.compile`` that is named nowhere."""
    return _default_backend


def set_default_backend(backend: str | Callable[..., Any] | None) -> None:
    """Set the backend of ``torch.compile`` that is named nowhere; None is torch's own."""
    global _default_backend
    _default_backend = "inductor" if backend is None else backend


living_in("mindtorch.compiler", get_default_backend, set_default_backend)
