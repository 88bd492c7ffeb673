"""Functions that make arrays: filled ones, ranges, grids and windows."""

from __future__ import annotations

import builtins
from typing import Any

from .. import linalg as _linalg
from ..aten import torch
from . import _dtypes_impl, _util
from ._normalizations import (
    ArrayLike,
    ArrayLikeOrScalar,
    DTypeLike,
    NDArray,
    NotImplementedType,
)


def _float() -> torch.dtype:
    """The default floating-point dtype."""
    dtype: torch.dtype = _dtypes_impl.default_dtypes().float_dtype
    return dtype


def empty(
    shape: Any,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "C",
    *,
    like: NotImplementedType = None,
) -> Any:
    """An array of whatever is in memory."""
    return torch.empty(shape, dtype=dtype or _float())


def empty_like(
    prototype: ArrayLike,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "K",
    subok: NotImplementedType = False,
    shape: Any = None,
) -> Any:
    """An array like another, of whatever is in memory."""
    return _shaped(torch.empty_like(prototype, dtype=dtype), shape)


def _shaped(result: Any, shape: Any) -> Any:
    """The result in the shape that was asked for."""
    return result if shape is None else result.reshape(shape)


def full(
    shape: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "C",
    *,
    like: NotImplementedType = None,
) -> Any:
    """An array of one value."""
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        shape = (shape,)
    return torch.full(shape, fill_value, dtype=dtype or fill_value.dtype)


def full_like(
    a: ArrayLike,
    fill_value: Any,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "K",
    subok: NotImplementedType = False,
    shape: Any = None,
) -> Any:
    """An array like another, of one value."""
    return _shaped(torch.full_like(a, fill_value, dtype=dtype), shape)


def ones(
    shape: Any,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "C",
    *,
    like: NotImplementedType = None,
) -> Any:
    """An array of ones."""
    return torch.ones(shape, dtype=dtype or _float())


def ones_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "K",
    subok: NotImplementedType = False,
    shape: Any = None,
) -> Any:
    """An array like another, of ones."""
    return _shaped(torch.ones_like(a, dtype=dtype), shape)


def zeros(
    shape: Any,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "C",
    *,
    like: NotImplementedType = None,
) -> Any:
    """An array of zeros."""
    return torch.zeros(shape, dtype=dtype or _float())


def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "K",
    subok: NotImplementedType = False,
    shape: Any = None,
) -> Any:
    """An array like another, of zeros."""
    return _shaped(torch.zeros_like(a, dtype=dtype), shape)


def copy(a: ArrayLike, order: NotImplementedType = "K", subok: NotImplementedType = False) -> Any:
    """A copy of an array."""
    return a.clone()


def copyto(
    dst: NDArray, src: ArrayLike, casting: Any = "same_kind", where: NotImplementedType = None
) -> Any:
    """Put one array's elements into another."""
    (src,) = _util.typecast_tensors((src,), dst.dtype, casting)
    dst.copy_(src)


def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: DTypeLike | None = None,
    axis: Any = 0,
) -> Any:
    """Numbers with equal steps between them."""
    if axis != 0 or retstep or not endpoint:
        raise NotImplementedError
    if dtype is None:
        dtype = _float()
    return torch.linspace(start, stop, num, dtype=dtype)


def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: Any = 50,
    endpoint: Any = True,
    dtype: DTypeLike | None = None,
    axis: Any = 0,
) -> Any:
    """Numbers with equal ratios between them."""
    if axis != 0 or not endpoint:
        raise NotImplementedError
    base = torch.pow(stop / start, 1.0 / (num - 1))
    logbase = torch.log(base)
    return torch.logspace(torch.log(start) / logbase, torch.log(stop) / logbase, num, base=base)


def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: DTypeLike | None = None,
    axis: Any = 0,
) -> Any:
    """The powers of a base with equal steps between their exponents."""
    if axis != 0 or not endpoint:
        raise NotImplementedError
    return torch.logspace(start, stop, num, base=base, dtype=dtype)


def arange(
    start: ArrayLikeOrScalar | None = None,
    stop: ArrayLikeOrScalar | None = None,
    step: ArrayLikeOrScalar | None = 1,
    dtype: DTypeLike | None = None,
    *,
    like: NotImplementedType = None,
) -> Any:
    """The numbers from one to another."""
    if step == 0:
        raise ZeroDivisionError
    if stop is None and start is None:
        raise TypeError
    if stop is None:
        start, stop = 0, start
    if start is None:
        start = 0
    values = (start, stop, step)
    if builtins.any(_dtypes_impl.is_complex_or_complex_tensor(value) for value in values):
        raise NotImplementedError
    if dtype is None:
        fractions = builtins.any(_dtypes_impl.is_float_or_fp_tensor(value) for value in values)
        defaults = _dtypes_impl.default_dtypes()
        dtype = defaults.float_dtype if fractions else defaults.int_dtype
    work = torch.float32 if dtype.is_complex else dtype
    if (step > 0 and start > stop) or (step < 0 and start < stop):
        return torch.empty(0, dtype=dtype)
    result = torch.arange(start, stop, step, dtype=work)
    return _util.cast_if_needed(result, dtype)


def eye(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: DTypeLike | None = None,
    order: NotImplementedType = "C",
    *,
    like: NotImplementedType = None,
) -> Any:
    """A matrix of zeros with ones on a diagonal."""
    if M is None:
        M = N
    matrix = torch.zeros(N, M, dtype=dtype or _float())
    matrix.diagonal(k).fill_(1)
    return matrix


def identity(n: Any, dtype: DTypeLike | None = None, *, like: NotImplementedType = None) -> Any:
    """The square matrix of zeros with ones on its diagonal."""
    return torch.eye(n, dtype=dtype)


def tri(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: DTypeLike | None = None,
    *,
    like: NotImplementedType = None,
) -> Any:
    """A matrix of ones on and below a diagonal."""
    if M is None:
        M = N
    return torch.tril(torch.ones((N, M), dtype=dtype), diagonal=k)


def vander(x: ArrayLike, N: Any = None, increasing: Any = False) -> Any:
    """The matrix of powers of the elements."""
    return _linalg.vander(x, N=N) if increasing else torch.vander(x, N)


def indices(dimensions: Any, dtype: DTypeLike | None = int, sparse: Any = False) -> Any:
    """The indices of a grid, along each of its dimensions."""
    sizes = tuple(dimensions)
    count = len(sizes)
    results = []
    for place, size in enumerate(sizes):
        shape = (1,) * place + (size,) + (1,) * (count - place - 1)
        results.append(torch.arange(size, dtype=_as_torch(dtype)).reshape(shape))
    if sparse:
        return tuple(results)
    full_grid = torch.empty((count, *sizes), dtype=_as_torch(dtype))
    for place, result in enumerate(results):
        full_grid[place] = result
    return full_grid


def _as_torch(dtype: Any) -> torch.dtype:
    """torch's dtype; int stands for the default one."""
    return _dtypes_impl.default_dtypes().int_dtype if dtype is int else dtype


def meshgrid(*xi: ArrayLike, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    """Coordinates along each dimension of a grid."""
    count = len(xi)
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    ones_ = (1,) * count
    output = [
        torch.as_tensor(x).reshape(ones_[:place] + (-1,) + ones_[place + 1 :])
        for place, x in enumerate(xi)
    ]
    if indexing == "xy" and count > 1:
        output[0] = output[0].reshape((1, -1) + ones_[2:])
        output[1] = output[1].reshape((-1, 1) + ones_[2:])
    if not sparse:
        output = list(torch.broadcast_tensors(*output))
    if copy:
        output = [grid.clone() for grid in output]
    return list(output)


def bartlett(M: Any) -> Any:
    """The triangular window."""
    return torch.bartlett_window(M, periodic=False, dtype=_float())


def blackman(M: Any) -> Any:
    """Blackman's window."""
    return torch.blackman_window(M, periodic=False, dtype=_float())


def hamming(M: Any) -> Any:
    """Hamming's window."""
    return torch.hamming_window(M, periodic=False, dtype=_float())


def hanning(M: Any) -> Any:
    """Hann's window."""
    return torch.hann_window(M, periodic=False, dtype=_float())


def kaiser(M: Any, beta: Any) -> Any:
    """Kaiser's window."""
    return torch.kaiser_window(M, beta=beta, periodic=False, dtype=_float())
