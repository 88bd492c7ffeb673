"""What tells of tensors in an error: sizes, gradients and dtypes in place of numbers."""

from __future__ import annotations

from typing import Any

from ...fx.node import map_aggregate
from ...tensor import Tensor

__all__ = ["friendly_debug_info", "map_debug_info"]


def friendly_debug_info(v: object) -> Any:
    """Describe one value in a line."""
    if isinstance(v, Tensor):
        return f"Tensor({v.shape}, grad={v.requires_grad}, dtype={v.dtype})"
    return str(v)


def map_debug_info(a: Any) -> Any:
    """Describe every value inside of lists, tuples and dicts."""
    return map_aggregate(a, friendly_debug_info)
