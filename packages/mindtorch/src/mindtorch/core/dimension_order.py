"""The order of dimensions in memory."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.layout import is_channels_last_contiguous
from mindtorch_storage.output_layout import iteration_order

from .constants import memory_format

__all__ = ["dim_order"]


def dim_order(t: Any, ambiguity_check: Any) -> tuple[int, ...]:
    """See ``Tensor.dim_order``. Source: torch/_tensor.py and torch/_prims_common."""
    formats = None
    if not isinstance(ambiguity_check, bool):
        if not isinstance(ambiguity_check, list) or not all(
            isinstance(f, memory_format) for f in ambiguity_check
        ):
            raise TypeError(
                "The ambiguity_check argument must be a bool or a list of memory formats."
            )
        formats = ambiguity_check
    ambiguous = _is_ambiguous(t) if formats is None else _fitting(t, formats) != 1
    if ambiguous and (formats is not None or ambiguity_check):
        raise RuntimeError(
            "The tensor does not have unique dim order, or cannot map to exact one of the given "
            "memory formats."
        )
    return _order(t)


def _is_ambiguous(t: Any) -> bool:
    strides = t.stride()
    return len(set(strides)) < len(strides) or 1 in t.shape


def _fitting(t: Any, formats: list[Any]) -> int:
    return sum(bool(t.is_contiguous(memory_format=f)) for f in formats)


def _order(t: Any) -> tuple[int, ...]:
    n, shape, strides = t.dim(), tuple(t.shape), t.stride()
    if t.is_contiguous():
        return tuple(range(n))
    if n in (4, 5) and is_channels_last_contiguous(shape, strides):
        return (0, *range(2, n), 1)
    return tuple(reversed(iteration_order(shape, [strides])))
