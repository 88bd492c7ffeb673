"""Reductions of tensors along axes, as numpy asks for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..aten import torch
from . import _dtypes_impl, _util
from ._normalizations import (
    ArrayLike,
    AxisLike,
    DTypeLike,
    KeepDims,
    NotImplementedType,
    OutArray,
)


def _deco_axis_expand(func: Callable[..., Any]) -> Any:
    """Let a reduction along one axis, or none, take a tuple of axes and ``keepdims``."""

    @wraps(func)
    def wrapped(a: Any, axis: Any = None, *args: Any, keepdims: Any = False, **kwds: Any) -> Any:
        if axis is not None:
            axis = _util.normalize_axis_tuple(axis, a.ndim)
        if axis == ():
            # Nothing is reduced: along a dimension of one that was put in front.
            expanded = _util.expand_shape(a.shape, axis=0)
            return wrapped(a.reshape(expanded), 0, *args, **kwds)
        result = func(a, axis, *args, **kwds)
        return _util.apply_keepdims(result, axis, a.ndim) if keepdims else result

    return wrapped


def _atleast_float(dtype: torch.dtype | None, other: torch.dtype) -> torch.dtype:
    """A dtype that can hold fractions."""
    if dtype is None:
        dtype = other
    if not (dtype.is_floating_point or dtype.is_complex):
        return _dtypes_impl.default_dtypes().float_dtype
    return dtype


def count_nonzero(a: ArrayLike, axis: AxisLike = None, *, keepdims: KeepDims = False) -> Any:
    """How many elements are not zero."""
    return _count(a, axis, keepdims=keepdims)


@_deco_axis_expand
def _count(a: Any, axis: Any = None) -> Any:
    return a.count_nonzero(axis)


def argmax(
    a: ArrayLike, axis: AxisLike = None, out: OutArray | None = None, *, keepdims: KeepDims = False
) -> Any:
    """Where the largest element stands."""
    return _arg(a, axis, torch.argmax, keepdims=keepdims)


def argmin(
    a: ArrayLike, axis: AxisLike = None, out: OutArray | None = None, *, keepdims: KeepDims = False
) -> Any:
    """Where the smallest element stands."""
    return _arg(a, axis, torch.argmin, keepdims=keepdims)


@_deco_axis_expand
def _arg(a: Any, axis: Any, function: Any) -> Any:
    axis = _util.allow_only_single_axis(axis)
    if a.is_complex():
        raise NotImplementedError(f"{function.__name__} with dtype={a.dtype}")
    return function(_bytes(a), axis)


def _bytes(a: Any) -> Any:
    """Bools as bytes."""
    return a.to(torch.uint8) if a.dtype == torch.bool else a


def any(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    *,
    where: NotImplementedType = None,
) -> Any:
    """Whether an element is true."""
    return _logical(a, axis, torch.any, keepdims=keepdims)


def all(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    *,
    where: NotImplementedType = None,
) -> Any:
    """Whether every element is true."""
    return _logical(a, axis, torch.all, keepdims=keepdims)


@_deco_axis_expand
def _logical(a: Any, axis: Any, function: Any) -> Any:
    axis = _util.allow_only_single_axis(axis)
    return function(a) if axis is None else function(a, dim=axis)


def amax(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    initial: NotImplementedType = None,
    where: NotImplementedType = None,
) -> Any:
    """The largest element."""
    return _extreme(a, axis, "amax", keepdims=keepdims)


def amin(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    initial: NotImplementedType = None,
    where: NotImplementedType = None,
) -> Any:
    """The smallest element."""
    return _extreme(a, axis, "amin", keepdims=keepdims)


@_deco_axis_expand
def _extreme(a: Any, axis: Any, name: str) -> Any:
    if a.is_complex():
        raise NotImplementedError(f"{name} with dtype={a.dtype}")
    return getattr(a, name)(*() if axis is None else (axis,))


max = amax
min = amin


def ptp(
    a: ArrayLike, axis: AxisLike = None, out: OutArray | None = None, keepdims: KeepDims = False
) -> Any:
    """How far the largest element is from the smallest."""
    return amax(a, axis, keepdims=keepdims) - amin(a, axis, keepdims=keepdims)


def sum(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    initial: NotImplementedType = None,
    where: NotImplementedType = None,
) -> Any:
    """The sum of the elements."""
    return _sum(a, axis, dtype, keepdims=keepdims)


@_deco_axis_expand
def _sum(a: Any, axis: Any, dtype: Any) -> Any:
    if dtype == torch.bool:
        dtype = _dtypes_impl.default_dtypes().int_dtype
    return a.sum(dtype=dtype) if axis is None else a.sum(dtype=dtype, dim=axis)


def prod(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    initial: NotImplementedType = None,
    where: NotImplementedType = None,
) -> Any:
    """The product of the elements."""
    return _prod(a, axis, dtype, keepdims=keepdims)


product = prod


@_deco_axis_expand
def _prod(a: Any, axis: Any, dtype: Any) -> Any:
    axis = _util.allow_only_single_axis(axis)
    if dtype == torch.bool:
        dtype = _dtypes_impl.default_dtypes().int_dtype
    return a.prod(dtype=dtype) if axis is None else a.prod(dtype=dtype, dim=axis)


def mean(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
    keepdims: KeepDims = False,
    *,
    where: NotImplementedType = None,
) -> Any:
    """The mean of the elements."""
    return _mean(a, axis, dtype, keepdims=keepdims)


@_deco_axis_expand
def _mean(a: Any, axis: Any, dtype: Any) -> Any:
    dtype = _atleast_float(dtype, a.dtype)
    return a.mean(dtype=dtype) if axis is None else a.mean(dtype=dtype, dim=axis)


def std(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
    ddof: Any = 0,
    keepdims: KeepDims = False,
    *,
    where: NotImplementedType = None,
) -> Any:
    """The standard deviation of the elements."""
    return _spread(a, axis, dtype, ddof, "std", keepdims=keepdims)


def var(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
    ddof: Any = 0,
    keepdims: KeepDims = False,
    *,
    where: NotImplementedType = None,
) -> Any:
    """The variance of the elements."""
    return _spread(a, axis, dtype, ddof, "var", keepdims=keepdims)


@_deco_axis_expand
def _spread(a: Any, axis: Any, dtype: Any, ddof: Any, name: str) -> Any:
    work = _atleast_float(dtype, a.dtype)
    tensor = _util.cast_if_needed(a, work)
    result = getattr(tensor, name)(dim=axis, correction=ddof)
    return _util.cast_if_needed(result, dtype)


def cumsum(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
) -> Any:
    """The sums of the elements up to each."""
    return _cumulative(a, axis, dtype, "cumsum")


def cumprod(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: OutArray | None = None,
) -> Any:
    """The products of the elements up to each."""
    return _cumulative(a, axis, dtype, "cumprod")


cumproduct = cumprod


def _cumulative(a: Any, axis: Any, dtype: Any, name: str) -> Any:
    if dtype == torch.bool:
        dtype = _dtypes_impl.default_dtypes().int_dtype
    if dtype is None:
        dtype = a.dtype
    (a,), axis = _util.axis_none_flatten(a, axis=axis)
    axis = _util.normalize_axis_index(axis, a.ndim)
    return getattr(a, name)(axis=axis, dtype=dtype)


def average(
    a: ArrayLike,
    axis: Any = None,
    weights: ArrayLike = None,
    returned: Any = False,
    *,
    keepdims: Any = False,
) -> Any:
    """The mean of the elements, each with its weight."""
    if weights is None:
        result = mean(a, axis=axis)
        weight_sum = torch.as_tensor(a.numel() / result.numel(), dtype=result.dtype)
    else:
        if not (a.dtype.is_floating_point or a.dtype.is_complex):
            a = a.double()
        if a.shape != weights.shape:
            weights = _along(weights, a, axis)
        dtype = _dtypes_impl.result_type_impl(a, weights)
        numerator = sum(a * weights, axis, dtype=dtype)
        weight_sum = sum(weights, axis, dtype=dtype)
        result = numerator / weight_sum
    if keepdims:
        result = _util.apply_keepdims(result, axis, a.ndim)
    if returned:
        if weight_sum.shape != result.shape:
            weight_sum = torch.broadcast_to(weight_sum, result.shape).clone()
        return result, weight_sum
    return result


def _along(weights: Any, a: Any, axis: Any) -> Any:
    """Weights of one dimension, as many as the axis is long, in the shape of *a*."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if weights.ndim != 1:
        raise TypeError("1D weights expected when shapes of a and weights differ.")
    if weights.shape[0] != a.shape[axis]:
        raise ValueError("Length of weights not compatible with specified axis.")
    weights = torch.broadcast_to(weights, (a.ndim - 1) * (1,) + tuple(weights.shape))
    return weights.swapaxes(-1, axis)


def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: OutArray | None = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: KeepDims = False,
    *,
    interpolation: NotImplementedType = None,
) -> Any:
    """The elements below which a part *q* of all lies."""
    if overwrite_input:
        raise NotImplementedError("overwrite_input in quantile not implemented.")
    if not a.dtype.is_floating_point:
        a = a.to(_dtypes_impl.default_dtypes().float_dtype)
    if a.dtype == torch.float16:
        a = a.to(torch.float32)
    ndim, where = a.ndim, axis
    if axis is None:
        a, q = a.flatten(), q.flatten()
        axis = (0,)
    else:
        axis = where = _util.normalize_axis_tuple(axis, a.ndim)
    axis = _util.allow_only_single_axis(axis)
    q = _util.cast_if_needed(q, a.dtype)
    result = torch.quantile(a, q, axis, interpolation=method)
    return _util.apply_keepdims(result, where, ndim) if keepdims else result


def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: OutArray | None = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: KeepDims = False,
    *,
    interpolation: NotImplementedType = None,
) -> Any:
    """The elements below which *q* of a hundred lie."""
    if _dtypes_impl.python_type_for_torch(q.dtype) is int:
        q = q.to(_dtypes_impl.default_dtypes().float_dtype)
    return quantile(
        a,
        q / 100.0,
        axis=axis,
        overwrite_input=overwrite_input,
        method=method,
        keepdims=keepdims,
        interpolation=interpolation,
    )


def median(
    a: ArrayLike,
    axis: Any = None,
    out: OutArray | None = None,
    overwrite_input: Any = False,
    keepdims: KeepDims = False,
) -> Any:
    """The element in the middle, or the mean of the two there."""
    return quantile(
        a,
        torch.as_tensor(0.5),
        axis=axis,
        overwrite_input=overwrite_input,
        out=out,
        keepdims=keepdims,
    )
