"""``torch._C._WeakTensorRef``: whether a tensor is gone."""

from __future__ import annotations

import weakref

from ..tensor import Tensor

__all__ = ["_WeakTensorRef"]


class _WeakTensorRef:
    """Knows of a tensor without keeping it alive."""

    def __init__(self, tensor: Tensor) -> None:
        self._ref = weakref.ref(tensor)

    def expired(self) -> bool:
        """Whether the tensor is gone."""
        return self._ref() is None
