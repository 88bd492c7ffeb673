"""The hand-written part of ``Tensor``, by subject; everything else comes from the op rows."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "Tensor":  # methods are pickled as this module's Tensor's
        from mindtorch.tensor import Tensor  # which stands on this package

        return Tensor
    if name == "_rebuild_from_type_v2":  # which stands on tensors, too
        from mindtorch._utils import _rebuild_from_type_v2

        return _rebuild_from_type_v2
    raise AttributeError(f"module 'torch._tensor' has no attribute '{name}'")
