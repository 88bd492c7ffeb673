"""The layouts that torch picks for results, where several are possible.

The choices are reproduced exactly, so strides can be compared with torch's.
"""

from __future__ import annotations

from collections.abc import Sequence

from .layout import (
    Shape,
    broadcast_strides,
    channels_last_strides,
    contiguous_strides,
    dense_in_order,
    is_channels_last_contiguous,
    is_contiguous,
    is_non_overlapping_and_dense,
)


def empty_like_strides(shape: Shape, strides: Shape) -> Shape:
    """Strides of ``empty_like`` and ``clone`` with ``preserve_format``.

    Source: torch aten/src/ATen/ExpandUtils.cpp, infer_dense_strides.
    """
    if is_non_overlapping_and_dense(shape, strides):
        return strides
    if len(shape) == 1:
        return (1,)

    return dense_in_order(shape, iteration_order(shape, [strides]))


def elementwise_strides(shape: Shape, operands: Sequence[tuple[Shape, Shape]]) -> Shape:
    """Strides of the fresh output, of *shape*, of an elementwise operation over *operands*.

    Operands are ``(shape, strides)`` and broadcast to *shape*. The choice is TensorIterator's: the
    inputs' common layout if they share one, else dimensions ordered by the inputs' strides, the
    first input first, where a stride of 0 (broadcast) says nothing.

    Source: torch aten/src/ATen/TensorIterator.cpp, compute_fast_setup_type, reorder_dimensions,
    allocate_or_resize_outputs.
    """
    first = operands[0][1]
    same_shape = same_strides = True
    for size, strides in operands:
        if size != shape:
            same_shape = False
            break
        if strides != first:
            same_strides = False
    if same_shape:
        if same_strides:
            if is_contiguous(shape, first):
                return contiguous_strides(shape)
            if len(shape) == 4 and is_channels_last_contiguous(shape, first):
                return channels_last_strides(shape)
            if is_non_overlapping_and_dense(shape, first):
                return first
        elif all(is_contiguous(*o) for o in operands):
            return contiguous_strides(shape)
        elif len(shape) == 4 and all(is_channels_last_contiguous(*o) for o in operands):
            return channels_last_strides(shape)
    ndim = len(shape)
    if ndim < 2:
        return (1,) * ndim
    return _iterator_strides(shape, [broadcast_strides(*o, shape) for o in operands])


def _iterator_strides(shape: Shape, inputs: list[Shape]) -> Shape:
    order = iteration_order(shape, inputs)
    if order == list(range(len(shape) - 1, -1, -1)):
        return contiguous_strides(shape)
    return dense_in_order(shape, order)


def iteration_order(shape: Shape, inputs: Sequence[Shape]) -> list[int]:
    """The dimensions from the fastest to the slowest, as torch's elementwise loops run.

    :param inputs: the strides of the operands.

    Source: torch aten/src/ATen/TensorIterator.cpp, reorder_dimensions.
    """
    # An insertion sort, because dimensions that nothing is known of do not move past each other,
    # and what is known is no order: it may run in a circle.
    order = list(range(len(shape) - 1, -1, -1))
    for i in range(1, len(order)):
        at = i
        for j in range(i - 1, -1, -1):
            verdict = compared_dimensions(shape, inputs, order[j], order[at])
            if verdict > 0:
                order[j], order[at] = order[at], order[j]
                at = j
            elif verdict < 0:
                break
    return order


def compared_dimensions(shape: Shape, inputs: Sequence[Shape], a: int, b: int) -> int:
    """-1 where dimension *a* is the faster one, 1 where *b* is, 0 where nobody can tell.

    :param inputs: the strides of the operands; the first that knows decides.
    """
    for strides in inputs:
        if strides[a] == 0 or strides[b] == 0:  # broadcast: it says nothing
            continue
        if strides[a] != strides[b]:
            return -1 if strides[a] < strides[b] else 1
        if shape[a] > shape[b]:
            return 1
    return 0
