"""Functions that put arrays together, or take them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..aten import torch
from ..nn import functional as _functional
from . import _dtypes_impl, _util
from ._normalizations import ArrayLike, ArrayLikeOrScalar, CastingModes, DTypeLike, OutArray


def _checked(*tensors: Any) -> None:
    """Refuse to join nothing."""
    if tensors == ():
        raise ValueError("need at least one array to concatenate")


def _common(tensors: Any, out: Any, dtype: Any, casting: Any) -> Any:
    """The tensors in one dtype: that of *out*, the one named, or what they promote to."""
    if dtype is None:
        dtype = out.dtype.torch_dtype if out is not None else None
    if dtype is None:
        dtype = _dtypes_impl.result_type_impl(*tensors)
        return tuple(_util.cast_if_needed(tensor, dtype) for tensor in tensors)
    return _util.typecast_tensors(tensors, dtype, casting)


def concatenate(
    ar_tuple: Sequence[ArrayLike],
    axis: Any = 0,
    out: OutArray | None = None,
    dtype: DTypeLike | None = None,
    casting: CastingModes | None = "same_kind",
) -> Any:
    """The arrays one after the other along an axis."""
    _checked(*ar_tuple)
    if out is not None and dtype is not None:
        raise TypeError(
            "concatenate() only takes `out` or `dtype` as an argument, but both were provided."
        )
    tensors, axis = _util.axis_none_flatten(*ar_tuple, axis=axis)
    return torch.cat(_common(tensors, out, dtype, casting), axis)


def hstack(
    tup: Sequence[ArrayLike],
    *,
    dtype: DTypeLike | None = None,
    casting: CastingModes | None = "same_kind",
) -> Any:
    """The arrays side by side."""
    _checked(*tup)
    return torch.hstack(_common(tup, None, dtype, casting))


def vstack(
    tup: Sequence[ArrayLike],
    *,
    dtype: DTypeLike | None = None,
    casting: CastingModes | None = "same_kind",
) -> Any:
    """The arrays one below the other."""
    _checked(*tup)
    return torch.vstack(_common(tup, None, dtype, casting))


row_stack = vstack


def dstack(
    tup: Sequence[ArrayLike],
    *,
    dtype: DTypeLike | None = None,
    casting: CastingModes | None = "same_kind",
) -> Any:
    """The arrays one behind the other."""
    _checked(*tup)
    return torch.dstack(_common(tup, None, dtype, casting))


def column_stack(
    tup: Sequence[ArrayLike],
    *,
    dtype: DTypeLike | None = None,
    casting: CastingModes | None = "same_kind",
) -> Any:
    """The arrays as columns."""
    _checked(*tup)
    return torch.column_stack(_common(tup, None, dtype, casting))


def stack(
    arrays: Sequence[ArrayLike],
    axis: Any = 0,
    out: OutArray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: CastingModes | None = "same_kind",
) -> Any:
    """The arrays along an axis of its own."""
    _checked(*arrays)
    tensors = _common(arrays, None, dtype, casting)
    axis = _util.normalize_axis_index(axis, tensors[0].ndim + 1)
    return torch.stack(tensors, axis=axis)


def append(arr: ArrayLike, values: ArrayLike, axis: Any = None) -> Any:
    """The values behind an array."""
    if axis is None:
        arr = arr.flatten()
        values = values.flatten()
        axis = arr.ndim - 1
    return concatenate((arr, values), axis)


def _split_helper(tensor: Any, indices_or_sections: Any, axis: Any, strict: bool = False) -> Any:
    """The pieces of a tensor along an axis."""
    if isinstance(indices_or_sections, int):
        return _split_into(tensor, indices_or_sections, axis, strict)
    if isinstance(indices_or_sections, (list, tuple)):
        return _split_at(tensor, list(indices_or_sections), axis)
    raise TypeError(f"split_helper: {type(indices_or_sections)}")


def _split_into(tensor: Any, count: int, axis: int, strict: bool) -> Any:
    """So many pieces, the first ones longer where they cannot be of one length."""
    if not isinstance(axis, int):
        raise NotImplementedError(f"axis must be an integer, got {axis}")
    length, longer = divmod(tensor.shape[axis], count)
    if longer and strict:
        raise ValueError("array split does not result in an equal division")
    sizes = [length + 1] * longer + [length] * (count - longer)
    return torch.split(tensor, sizes, axis)


def _split_at(tensor: Any, indices: list[int], axis: int) -> Any:
    """The pieces between indices; past the end they are empty."""
    length = tensor.shape[axis]
    starts = [0, *indices]
    ends = [*indices, length]
    pieces = []
    for start, end in zip(starts, ends, strict=True):
        first, last, _ = slice(start, end).indices(length)
        pieces.append(tensor.narrow(axis, min(first, length), max(last - first, 0)))
    return tuple(pieces)


def array_split(ary: ArrayLike, indices_or_sections: Any, axis: Any = 0) -> Any:
    """The pieces of an array, which need not be of one length."""
    return _split_helper(ary, indices_or_sections, axis)


def split(ary: ArrayLike, indices_or_sections: Any, axis: Any = 0) -> Any:
    """The pieces of an array, of one length."""
    return _split_helper(ary, indices_or_sections, axis, strict=True)


def hsplit(ary: ArrayLike, indices_or_sections: Any) -> Any:
    """The pieces of an array from left to right."""
    if ary.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return _split_helper(ary, indices_or_sections, 1 if ary.ndim > 1 else 0, strict=True)


def vsplit(ary: ArrayLike, indices_or_sections: Any) -> Any:
    """The pieces of an array from top to bottom."""
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return _split_helper(ary, indices_or_sections, 0, strict=True)


def dsplit(ary: ArrayLike, indices_or_sections: Any) -> Any:
    """The pieces of an array along the third axis."""
    if ary.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return _split_helper(ary, indices_or_sections, 2, strict=True)


def kron(a: ArrayLike, b: ArrayLike) -> Any:
    """Kronecker's product."""
    return torch.kron(a, b)


def tile(A: ArrayLike, reps: Any) -> Any:
    """The array again and again along its axes."""
    if isinstance(reps, int):
        reps = (reps,)
    return torch.tile(A, reps)


def resize(a: ArrayLike, new_shape: Any = None) -> Any:
    """The elements again and again, in a new shape."""
    if new_shape is None:
        return a
    if isinstance(new_shape, int):
        new_shape = (new_shape,)
    a = a.flatten()
    size = 1
    for length in new_shape:
        size *= length
        if length < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    if a.numel() == 0 or size == 0:
        return torch.zeros(new_shape, dtype=a.dtype)
    repeats = -(-size // a.numel())
    return concatenate((a,) * repeats)[:size].reshape(new_shape)


def repeat(a: ArrayLike, repeats: ArrayLikeOrScalar, axis: Any = None) -> Any:
    """Each element several times."""
    return torch.repeat_interleave(a, repeats, axis)


def pad(array: ArrayLike, pad_width: ArrayLike, mode: Any = "constant", **kwargs: Any) -> Any:
    """The array with a border of one value."""
    if mode != "constant":
        raise NotImplementedError
    value = kwargs.get("constant_values", 0)
    filled = torch.as_tensor(value, dtype=array.dtype)
    pad_width = torch.broadcast_to(pad_width, (array.ndim, 2))
    pad_width = torch.flip(pad_width, (0,)).flatten()
    return _functional.pad(array, tuple(pad_width), value=filled)
