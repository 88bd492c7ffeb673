"""Statistics of arrays: covariances, counts and histograms; and sliding products."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from . import _dtypes_impl, _util
from ._normalizations import ArrayLike, DTypeLike


def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """The covariances of variables, one a row."""
    m = _rows(m, y, rowvar)
    if ddof is None:
        ddof = 1 if bias == 0 else 0
    is_half = m.dtype == torch.float16
    dtype = m.dtype if dtype is None else dtype
    m = _util.cast_if_needed(m, torch.float32 if is_half else dtype)
    result = torch.cov(m, correction=ddof, aweights=aweights, fweights=fweights)
    return result.to(dtype) if is_half else result


def corrcoef(
    x: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: Any = True,
    bias: Any = None,
    ddof: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """The correlations of variables, one a row."""
    if bias is not None or ddof is not None:
        raise NotImplementedError
    x = _rows(x, y, rowvar)
    is_half = x.dtype == torch.float16
    dtype = x.dtype if dtype is None else dtype
    x = _util.cast_if_needed(x, torch.float32 if is_half else dtype)
    result = torch.corrcoef(x)
    return result.to(dtype) if is_half else result


def _rows(x: Any, y: Any, rowvar: Any) -> Any:
    """The variables of one or two arrays, one a row."""
    if x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if y is not None and y.ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    x = torch.atleast_2d(x)
    if not rowvar and x.shape[0] != 1:
        x = x.mT
    if y is not None:
        y = torch.atleast_2d(y)
        if not rowvar and y.shape[0] != 1:
            y = y.mT
        x = torch.concatenate((x, y), axis=0)
    return x


def bincount(x: ArrayLike, /, weights: ArrayLike | None = None, minlength: Any = 0) -> Any:
    """How often each number from zero on is there."""
    if x.numel() == 0:
        x = x.new_empty(0, dtype=torch.int64)
    int_dtype = _dtypes_impl.default_dtypes().int_dtype
    (x,) = _util.typecast_tensors((x,), int_dtype, casting="safe")
    return torch.bincount(x, weights, minlength)


def histogram(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Any = None,
    normed: Any = None,
    weights: ArrayLike | None = None,
    density: Any = None,
) -> Any:
    """How many elements lie in each of the bins."""
    if normed is not None:
        raise ValueError("normed argument is deprecated, use density= instead")
    if weights is not None and weights.dtype.is_complex:
        raise NotImplementedError("complex weights histogram.")
    is_a_int = not (a.dtype.is_floating_point or a.dtype.is_complex)
    is_w_int = weights is None or not weights.dtype.is_floating_point
    if is_a_int:
        a = a.double()
    if weights is not None:
        weights = _util.cast_if_needed(weights, a.dtype)
    if isinstance(bins, torch.Tensor):
        if bins.ndim == 0:
            bins = int(bins)
        else:
            bins = _util.cast_if_needed(bins, a.dtype)
    if range is None:
        counts, edges = torch.histogram(a, bins, weight=weights, density=bool(density))
    else:
        counts, edges = torch.histogram(a, bins, range=range, weight=weights, density=bool(density))
    if not density and is_w_int:
        counts = counts.to(torch.long)
    if is_a_int:
        edges = edges.to(torch.long)
    return counts, edges


def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: ArrayLike | None = None,
    normed: Any = None,
    weights: ArrayLike | None = None,
    density: Any = None,
) -> Any:
    """How many points of a plane lie in each of the bins."""
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    try:
        count = len(bins)
    except TypeError:
        count = 1
    if count not in (1, 2):
        bins = [bins, bins]
    counts, edges = histogramdd((x, y), bins, range, normed, weights, density)
    return counts, edges[0], edges[1]


def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: ArrayLike | None = None,
    normed: Any = None,
    weights: ArrayLike | None = None,
    density: Any = None,
) -> Any:
    """How many points of a space lie in each of the bins."""
    if normed is not None:
        raise ValueError("normed argument is deprecated, use density= instead")
    from_list = isinstance(sample, (list, tuple))
    sample = _points(sample)
    if from_list:
        sample = sample.T
    if _dtypes_impl._category(sample.dtype) < 2:
        sample = sample.double()
    bins = _bins(bins, sample)
    bounds = None if range is None else range.flatten().tolist()
    if weights is not None:
        weights = _util.cast_if_needed(_util._coerce_to_tensor(weights), sample.dtype)
    given = bins if isinstance(bins, list) and isinstance(bins[0], torch.Tensor) else None
    if given is not None:
        bins = [_util.cast_if_needed(one, sample.dtype) for one in given]
    counts, edges = torch.histogramdd(sample, bins, bounds, weight=weights, density=bool(density))
    return counts, edges if given is None else tuple(given)


def _points(sample: Any) -> Any:
    """A tensor of points, or of their coordinates."""
    if isinstance(sample, (list, tuple)):
        return torch.stack([_util._coerce_to_tensor(_held(one)) for one in sample])
    return _util._coerce_to_tensor(_held(sample))


def _held(value: Any) -> Any:
    """The tensor under an array."""
    return getattr(value, "tensor", value)


def _bins(bins: Any, sample: Any) -> Any:
    """Numbers of bins, or their edges, of each coordinate."""
    bins = _held(bins)
    if isinstance(bins, torch.Tensor):
        bins = int(bins) if bins.ndim == 0 else list(bins)
    if isinstance(bins, (list, tuple)):
        made = [_held(one) for one in bins]
        if all(isinstance(one, int) for one in made):
            return made
        return [_util._coerce_to_tensor(one) for one in made]
    return bins


def convolve(a: ArrayLike, v: ArrayLike, mode: Any = "full") -> Any:
    """The products of an array with another that slides along it backwards."""
    if a.shape[0] < v.shape[0]:
        a, v = v, a
    return _conv_corr_impl(a, torch.flip(v, (0,)), mode)


def correlate(a: ArrayLike, v: ArrayLike, mode: Any = "valid") -> Any:
    """The products of an array with another that slides along it."""
    v = torch.conj_physical(v)
    return _conv_corr_impl(a, v, mode)


def _conv_corr_impl(a: Any, v: Any, mode: str) -> Any:
    """The sliding products, with as much of a border as the mode says."""
    dtype = _dtypes_impl.result_type_impl(a, v)
    a, v = (_util.cast_if_needed(x, dtype) for x in (a, v))
    padding: Any = v.shape[0] - 1 if mode == "full" else mode
    if padding == "same" and v.shape[0] % 2 == 0:
        raise NotImplementedError("mode='same' and even-length weights")
    result = torch.conv1d(a[None, None, :], v[None, None, :], padding=padding)
    return result[0, 0, :]


def common_type(*tensors: ArrayLike) -> Any:
    """The dtype with fractions that can hold all of the arrays."""
    is_complex = False
    precision = 0
    for tensor in tensors:
        dtype = tensor.dtype
        if dtype.is_complex:
            is_complex = True
        if not (dtype.is_floating_point or dtype.is_complex):
            width = 2
        else:
            width = {torch.float16: 0, torch.float32: 1, torch.complex64: 1}.get(dtype, 2)
        precision = max(precision, width)
    if is_complex:
        return (torch.complex64, torch.complex64, torch.complex128)[precision]
    return (torch.float16, torch.float32, torch.float64)[precision]


def min_scalar_type(a: ArrayLike, /) -> Any:
    """The smallest dtype that can hold a number."""
    from_number = a.numel() <= 1
    dtype = _smallest(a) if from_number else a.dtype
    return dtype


def _smallest(a: Any) -> Any:
    """The smallest dtype of the kind of the one element."""
    if a.dtype == torch.bool:
        return torch.bool
    if a.is_complex():
        limit = torch.finfo(torch.float32)
        parts = (a.real, a.imag)
        narrow = all(bool(((x >= limit.min) & (x <= limit.max)).all()) for x in parts)
        return torch.complex64 if narrow else torch.complex128
    if a.is_floating_point():
        for dtype in (torch.float16, torch.float32, torch.float64):
            bounds = torch.finfo(dtype)
            if bool(((a >= bounds.min) & (a <= bounds.max)).all()):
                return dtype
        return torch.float64
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
        whole = torch.iinfo(dtype)
        if bool(((a >= whole.min) & (a <= whole.max)).all()):
            return dtype
    raise RuntimeError("no dtype holds the value")
