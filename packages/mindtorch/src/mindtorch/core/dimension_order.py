"""The order of dimensions in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from mindtorch_storage.layout import is_channels_last_contiguous, is_contiguous
from mindtorch_storage.output_layout import compared_dimensions, iteration_order

from .constants import memory_format

__all__ = ["dim_order", "outermost_first"]


def outermost_first(operands: Sequence[Any]) -> tuple[list[int], bool]:
    """The dimensions of tensors of one shape, or of their result, as they lie in memory.

    And whether strides leave open how two neighbours lie.
    Source: torch/_prims_common, compute_elementwise_output_logical_to_physical_perm.
    """
    shape, strides = tuple(operands[0].shape), [t.stride() for t in operands]
    n = len(shape)
    plain = all(is_contiguous(shape, s) for s in strides)
    channels_last = n == 4 and all(is_channels_last_contiguous(shape, s) for s in strides)
    if n < 2 or plain and not channels_last:
        return list(range(n)), False
    if channels_last and not plain:
        return [0, 2, 3, 1], False
    inwards = iteration_order(shape, strides)
    is_open = any(compared_dimensions(shape, strides, a, b) != -1 for a, b in pairwise(inwards))
    return inwards[::-1], is_open


def dim_order(t: Any, ambiguity_check: Any) -> tuple[int, ...]:
    """See ``Tensor.dim_order``. Source: torch/_tensor.py."""
    formats = [] if isinstance(ambiguity_check, bool) else ambiguity_check
    if not isinstance(formats, list) or not all(isinstance(f, memory_format) for f in formats):
        raise TypeError("The ambiguity_check argument must be a bool or a list of memory formats.")
    fitting = sum(bool(t.is_contiguous(memory_format=f)) for f in formats)
    if ambiguity_check is not False and fitting != 1 and _has_several_orders(t):
        raise RuntimeError(
            "The tensor does not have unique dim order, or cannot map to exact one of the given "
            "memory formats."
        )
    order, is_open = outermost_first([t])
    if ambiguity_check and is_open:
        raise RuntimeError("The tensor does not have unique dim order.")
    return tuple(order)


def _has_several_orders(t: Any) -> bool:
    return 1 in t.shape or any(a == b for a, b in pairwise(t.stride()))
