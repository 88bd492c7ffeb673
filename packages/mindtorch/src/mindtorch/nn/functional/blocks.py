"""Sliding blocks: sizes given as one number count for both axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.operators import ops
from ...tensor import Tensor


def pair(value: Any) -> tuple[Any, ...]:
    """One number for both axes."""
    return tuple(value) if hasattr(value, "__iter__") else (value, value)


def unfold(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """The blocks of *input* (N, C, H, W) as columns (N, C · kernel, blocks)."""
    return ops.im2col(input, pair(kernel_size), pair(dilation), pair(padding), pair(stride))


def fold(
    input: Tensor,
    output_size: int | Sequence[int],
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """Columns of blocks summed into images of *output_size*; overlapping blocks add up."""
    return ops.col2im(
        input, pair(output_size), pair(kernel_size), pair(dilation), pair(padding), pair(stride)
    )
