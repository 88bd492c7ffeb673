"""Functions that look elements up by their places, and of triangles and diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..aten import torch
from . import _util
from ._normalizations import (
    ArrayLike,
    ArrayLikeOrScalar,
    DTypeLike,
    NDArray,
    NotImplementedType,
    OutArray,
)


def where(
    condition: ArrayLike,
    x: ArrayLikeOrScalar | None = None,
    y: ArrayLikeOrScalar | None = None,
    /,
) -> Any:
    """Elements of one of two arrays, or the places of what is true."""
    if (x is None) != (y is None):
        raise ValueError("either both or neither of x and y should be given")
    if condition.dtype != torch.bool:
        condition = condition.to(torch.bool)
    if x is None and y is None:
        return torch.where(condition)
    return torch.where(condition, x, y)


def nonzero(a: ArrayLike) -> Any:
    """The places of what is not zero, along each dimension."""
    return torch.nonzero(a, as_tuple=True)


def argwhere(a: ArrayLike) -> Any:
    """The places of what is not zero, one a row."""
    return torch.argwhere(a)


def flatnonzero(a: ArrayLike) -> Any:
    """The flat places of what is not zero."""
    return torch.ravel(a).nonzero(as_tuple=True)[0]


def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: Any = None,
    out: OutArray | None = None,
    mode: NotImplementedType = "raise",
) -> Any:
    """The elements at indices along an axis."""
    (a,), axis = _util.axis_none_flatten(a, axis=axis)
    axis = _util.normalize_axis_index(axis, a.ndim)
    place = (slice(None),) * axis + (indices, ...)
    return a[place]


def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: Any) -> Any:
    """The elements at the places that each slice has indices of."""
    (arr,), axis = _util.axis_none_flatten(arr, axis=axis)
    axis = _util.normalize_axis_index(axis, arr.ndim)
    return torch.take_along_dim(arr, indices, axis)


def put(
    a: NDArray, indices: ArrayLike, values: ArrayLike, mode: NotImplementedType = "raise"
) -> Any:
    """Put values at flat places."""
    values = values.type(a.dtype)
    if indices.numel() > values.numel():
        repeats = -(-indices.numel() // values.numel())
        values = values.tile((repeats,))
    values = values.flatten()[: indices.numel()]
    flat = a.flatten().index_put_((indices.flatten(),), values)
    a.copy_(flat.reshape(a.shape))


def put_along_axis(arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: Any) -> Any:
    """Put values at the places that each slice has indices of."""
    (arr,), axis = _util.axis_none_flatten(arr, axis=axis)
    axis = _util.normalize_axis_index(axis, arr.ndim)
    indices, values = torch.broadcast_tensors(indices, values)
    values = _util.cast_if_needed(values, arr.dtype)
    arr.copy_(torch.scatter(arr, axis, indices, values))


def choose(
    a: ArrayLike,
    choices: Sequence[ArrayLike],
    out: OutArray | None = None,
    mode: NotImplementedType = "raise",
) -> Any:
    """Of several arrays the element that each index chooses."""
    choice = torch.stack(torch.broadcast_tensors(*choices))
    places = [torch.arange(length) for length in choice.shape[1:]]
    grids = torch.meshgrid(*places, indexing="ij") if places else ()
    return choice[(a, *grids)]


def unique(
    ar: ArrayLike,
    return_index: NotImplementedType = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: NotImplementedType = True,
) -> Any:
    """The different elements, in order."""
    (ar,), axis = _util.axis_none_flatten(ar, axis=axis)
    axis = _util.normalize_axis_index(axis, ar.ndim)
    return torch.unique(ar, return_inverse=return_inverse, return_counts=return_counts, dim=axis)


def diag(v: ArrayLike, k: Any = 0) -> Any:
    """The diagonal of a matrix, or the matrix of a diagonal."""
    return torch.diag(v, k)


def diagonal(a: ArrayLike, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The diagonal of two axes."""
    axis1 = _util.normalize_axis_index(axis1, a.ndim)
    axis2 = _util.normalize_axis_index(axis2, a.ndim)
    return torch.diagonal(a, offset, axis1, axis2)


def diagflat(v: ArrayLike, k: Any = 0) -> Any:
    """The matrix with the elements on its diagonal."""
    return torch.diagflat(v, k)


def diag_indices(n: Any, ndim: Any = 2) -> Any:
    """The places of the diagonal of a cube."""
    return (torch.arange(n),) * ndim


def diag_indices_from(arr: ArrayLike) -> Any:
    """The places of the diagonal of an array."""
    if not arr.ndim >= 2:
        raise ValueError("input array must be at least 2-d")
    sizes = arr.shape
    if sizes[1:] != sizes[:-1]:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(sizes[0], arr.ndim)


def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: Any = False) -> Any:
    """Put values on the diagonal."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if val.numel() == 0 and not wrap:
        a.fill_diagonal_(val)
        return a
    if a.ndim == 2 and not wrap:
        torch.diagonal(a).copy_(val)
    elif a.ndim == 2:
        # The diagonal starts anew below a row that is left out.
        flat = a.flatten()
        flat[torch.arange(0, flat.numel(), a.shape[1] + 1)] = val
        a.copy_(flat.reshape(a.shape))
    else:
        a[diag_indices_from(a)] = val
    return a


def tril(m: ArrayLike, k: Any = 0) -> Any:
    """The triangle on and below a diagonal."""
    return torch.tril(m, k)


def triu(m: ArrayLike, k: Any = 0) -> Any:
    """The triangle on and above a diagonal."""
    return torch.triu(m, k)


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """The places of the triangle on and below a diagonal."""
    return torch.tril_indices(n, n if m is None else m, offset=k)


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """The places of the triangle on and above a diagonal."""
    return torch.triu_indices(n, n if m is None else m, offset=k)


def tril_indices_from(arr: ArrayLike, k: Any = 0) -> Any:
    """The places of the triangle on and below a diagonal of a matrix."""
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return torch.tril_indices(arr.shape[0], arr.shape[1], offset=k)


def triu_indices_from(arr: ArrayLike, k: Any = 0) -> Any:
    """The places of the triangle on and above a diagonal of a matrix."""
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return torch.triu_indices(arr.shape[0], arr.shape[1], offset=k)


def trace(
    a: ArrayLike,
    offset: Any = 0,
    axis1: Any = 0,
    axis2: Any = 1,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
) -> Any:
    """The sum of a diagonal."""
    return torch.diagonal(a, offset, dim1=axis1, dim2=axis2).sum(-1, dtype=dtype)
