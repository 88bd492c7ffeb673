"""Tensors that samples of several families are made of."""

from __future__ import annotations

from typing import Any

from . import Maker

__all__ = ["factor", "targets"]


def factor(make: Maker, *shape: int, **more: Any) -> Any:
    """Small numbers, so that half types and integers neither overflow nor lose all digits."""
    return make(*shape, low=-1, high=1, **more)


def targets(make: Maker, *values: Any) -> Any:
    """Numbers of classes, or of rows."""
    return make(values=list(values), dtype="int64")
