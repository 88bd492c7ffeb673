"""What tensors that are indices are refused for by shape and dtype alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch.core.errors import raise_if
from mindtorch.core.signature import dtype_of

__all__ = [
    "MASKS",
    "check_arrays",
    "check_indices",
    "mask_misfit",
    "misfits",
    "not_broadcastable",
    "of_bad_dtype",
    "too_many",
]

MASKS = ("bool", "uint8")
_INDEX_NAMES = ("int64", "int32", *MASKS)


def too_many(ndim: int, got: int) -> IndexError:
    """torch aten/src/ATen/native/TensorAdvancedIndexingUtils.h."""
    return IndexError(f"too many indices for tensor of dimension {ndim} (got {got})")


def not_broadcastable(shapes: Sequence[Any]) -> IndexError:
    """torch aten/src/ATen/native/IndexingUtils.h."""
    shown = ", ".join(str(list(s)) for s in shapes)
    return IndexError(
        f"shape mismatch: indexing tensors could not be broadcast together with shapes {shown}"
    )


def mask_misfit(shape: Sequence[int], mask: Any, place: int) -> IndexError | None:
    """The error of a mask that has another shape than the dimensions from *place* on."""
    for j, size in enumerate(mask.shape):
        at = place + j
        if at >= len(shape) or shape[at] != size:
            return IndexError(
                f"The shape of the mask {list(mask.shape)} at index {j} does not match the shape "
                f"of the indexed tensor {list(shape)} at index {at}"
            )
    return None


def misfits(shape: Sequence[int], indices: Sequence[Any]) -> IndexError | None:
    """The error of the first mask that does not fit, or of an index too many."""
    place = 0
    for index in indices:
        if index is not None and index.dtype.name in MASKS:
            if error := mask_misfit(shape, index, place):
                return error
            place += len(index.shape)
        else:
            place += 1
    return too_many(len(shape), place) if place > len(shape) else None


def of_bad_dtype(index: Any) -> bool:
    """Whether a tensor cannot be an index."""
    return index is not None and index.dtype.name not in _INDEX_NAMES


def check_indices(shape: Sequence[int], indices: Sequence[Any]) -> None:
    """What ``index`` refuses by shape and dtype alone."""
    if any(map(of_bad_dtype, indices)):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    raise_if(misfits(shape, indices))


def check_arrays(shape: Sequence[int], indices: Sequence[Any]) -> None:
    """The same for arrays."""
    check_indices(shape, [None if index is None else _Named(index) for index in indices])


class _Named:
    """Shape and dtype of an ndarray, as a meta sees them of a tensor."""

    __slots__ = ("dtype", "shape")

    def __init__(self, a: Any) -> None:
        self.shape = a.shape
        self.dtype = dtype_of(a.dtype)


def fills(indices: Sequence[Any], values: Any, accumulate: bool) -> bool:
    """Whether ``index_put_`` is a ``masked_fill_``: one number goes where one mask says.

    Source: torch ATen/native/TensorAdvancedIndexingUtils.h, canDispatchToMaskedFill.
    """
    if accumulate or tuple(values.shape).count(1) != len(values.shape):
        return False
    given = [i for i in indices if i is not None]
    return len(given) == 1 and given[0].dtype.name in MASKS
