"""Sliding blocks: sizes given as one number count for both axes."""

from __future__ import annotations

from typing import Any

from ...core.operators import ops


def pair(value: Any) -> tuple[Any, ...]:
    """One number for both axes."""
    return tuple(value) if hasattr(value, "__iter__") else (value, value)


def unfold(
    input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    """The blocks of *input* (N, C, H, W) as columns (N, C · kernel, blocks)."""
    return ops.im2col(input, pair(kernel_size), pair(dilation), pair(padding), pair(stride))


def fold(
    input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
    stride: Any = 1,
) -> Any:  # fmt: skip
    """Columns of blocks summed into images of *output_size*; overlapping blocks add up."""
    return ops.col2im(
        input, pair(output_size), pair(kernel_size), pair(dilation), pair(padding), pair(stride)
    )
