"""The hand-written part of ``Tensor``, by subject; everything else comes from the op rows."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "Tensor":  # methods are pickled as this module's Tensor's
        from ..tensor import Tensor  # which stands on this package

        return Tensor
    raise AttributeError(f"module 'torch._tensor' has no attribute '{name}'")
