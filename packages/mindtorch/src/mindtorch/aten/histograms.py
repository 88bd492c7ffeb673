"""Histograms in one and more dimensions: ``histogram``, ``histogramdd``.

Source: torch aten/src/ATen/native/Histogram.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, prod
from typing import Any

import numpy as np
from mindtorch_storage import DType, from_numpy

from ..call.elementwise_meta import BOOL, UNSIGNED, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.errors import c_type_name
from ..core.operators import ops
from .derivatives import not_implemented_for
from .linspace import linspace_in

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_WHO = "torch.histogramdd"


# -- checks --------------------------------------------------------------------------------------


def _check(self: Any, edges: Sequence[Any], weight: Any) -> None:
    """Refuse *edges* of bins and a *weight* that do not fit *self*, of shape (..., dimensions)."""
    if self.dim() < 2:
        raise RuntimeError(f"{_WHO}: input tensor should have at least 2 dimensions")
    n = self.shape[-1]
    if len(edges) != n:
        raise RuntimeError(
            f"{_WHO}: expected {n} sequences of bin edges for a {n}-dimensional histogram but got "
            f"{len(edges)}"
        )
    for d, given in enumerate(edges):
        if given.dtype is not self.dtype:
            raise RuntimeError(
                f"{_WHO}: input tensor and bins tensors should have the same dtype, but got input "
                f"with dtype {c_type_name(self.dtype)} and bins for dimension {d} with dtype "
                f"{c_type_name(given.dtype)}"
            )
        if given.dim() != 1:
            raise RuntimeError(
                f"{_WHO}: bins tensor should have one dimension, but got {given.dim()} dimensions "
                f"in the bins tensor for dimension {d}"
            )
        if not given.numel():
            raise RuntimeError(
                f"{_WHO}: bins tensor should have at least 1 element, but got 0 elements in the "
                f"bins tensor for dimension {d}"
            )
    if weight is not None:
        if weight.dtype is not self.dtype:
            raise RuntimeError(
                f"{_WHO}: if weight tensor is provided, input tensor and weight tensor should have "
                f"the same dtype, but got input({c_type_name(self.dtype)}), and "
                f"weight({c_type_name(weight.dtype)})"
            )
        if tuple(weight.shape) != tuple(self.shape[:-1]):
            raise RuntimeError(
                f"{_WHO}: if weight tensor is provided it should have the same shape as the input "
                f"tensor excluding its innermost dimension, but got input with shape "
                f"{list(self.shape)} and weight with shape {list(weight.shape)}"
            )
    _check_counts([e.numel() - 1 for e in edges])


def _check_counts(bins: Sequence[int]) -> None:
    for d, count in enumerate(bins):
        if count <= 0:
            raise RuntimeError(
                f"torch.histogram(): bins must be > 0, but got {count} for dimension {d}"
            )


def _check_range(n: int, range: Any) -> None:
    if range is None:
        return
    if len(range) != 2 * n:
        raise RuntimeError(
            f"{_WHO}: for a {n}-dimensional histogram range should have {2 * n} elements, but got "
            f"{len(range)}"
        )


class _Points:
    """A tensor as one with a dimension more, of size 1: what a histogram in one dimension takes."""

    def __init__(self, x: Any) -> None:
        self.dtype = x.dtype
        self.shape = (*self._flat(x), 1)

    @staticmethod
    def _flat(x: Any) -> tuple[int, ...]:
        count = 1
        for size in x.shape:
            count *= size
        return (count,)

    def dim(self) -> int:
        return len(self.shape)


class _Weights(_Points):
    """The weights that go with them."""

    def __init__(self, x: Any) -> None:
        super().__init__(x)
        self.shape = self._flat(x)


class _Edges:
    """What is checked of edges that are yet to be computed."""

    def __init__(self, count: int, dtype: DType) -> None:
        self.count, self.dtype = count, dtype

    def dim(self) -> int:
        return 1

    def numel(self) -> int:
        return self.count + 1


_FLOATS = frozenset(("float16", "bfloat16", "float32", "float64"))


def _refuse_but(self: Any, kernel: str, taken: frozenset[str]) -> None:
    if self.dtype.name not in taken:
        refuse(self.dtype, {kernel: frozenset((self.dtype.name,))}, self)


def _refuses_edges(self: Any, bins: Any, range: Any, weight: Any, density: bool) -> None:
    """Torch finds the ends of two dtypes only."""
    if range is None:
        _refuse_but(self, "histogramdd", frozenset(("float32", "float64")))
    refuse(self.dtype, {"linspace_cpu": BOOL | UNSIGNED}, self)


def _refuses_counts(self: Any, bins: Any, range: Any, weight: Any, density: bool) -> None:
    _refuses_edges(self, bins, range, weight, density)
    _refuse_but(self, "histogram_cpu", _FLOATS)


def _refuses(self: Any, *_: Any) -> None:
    _refuse_but(self, "histogram_cpu", _FLOATS)


# -- kernels -------------------------------------------------------------------------------------


def _edges_of(x: Array, counts: Sequence[int], range: Any) -> Callable[[Array], list[Array]]:
    """What gives edges at equal distances in each dimension of points like *x*: (points, n)."""
    dtype, some = from_numpy(x.dtype), bool(len(x))
    number: Any = x.dtype.type if x.dtype.kind not in "iu" else np.float64
    between = [linspace_in(dtype, count + 1) for count in counts]

    def edges_from(least: Sequence[Any], most: Sequence[Any]) -> list[Array]:
        limits = zip(between, least, most, strict=True)
        return [points(*_limits(x, y, number, d)) for d, (points, x, y) in enumerate(limits)]

    if range is None and some:
        lowest, highest = np.minimum.reduce, np.maximum.reduce
        return lambda x: edges_from(lowest(x, 0).tolist(), highest(x, 0).tolist())
    ends = (0, 1) * len(counts) if range is None else range
    known = edges_from(*([number(x).item() for x in ends[side::2]] for side in (0, 1)))
    return lambda x: [each.copy() for each in known]


def _limits(low: Any, high: Any, number: Any, d: int) -> tuple[Any, Any]:
    """The first and the last edge, from the least and the largest number. Raises for bad ones."""
    if not (isfinite(abs(low)) and isfinite(abs(high))):
        raise RuntimeError(f"{_WHO}: dimension {d}'s range [{low:g}, {high:g}] is not finite")
    if low.real > high.real:
        raise RuntimeError(
            f"{_WHO}: min should not exceed max, but got min {low:g} max {high:g} for dimension {d}"
        )
    if low == high:
        half = number(0.5)
        return (number(low) - half).item(), (number(high) + half).item()
    return low, high


def _counting(counts: Sequence[int], dtype: Any, given: bool = False) -> Callable[..., Array]:
    """What counts points, or adds up their weights, in so many bins of each dimension.

    :param given: whether the caller chose the edges
    """
    # One bin more at both ends, for what lies outside.
    rooms = tuple(count + 2 for count in counts)
    fills, outside, put = [np.array(count) for count in counts], np.array(0), np.putmask
    every, inner = prod(rooms), (slice(1, -1),) * len(rooms)
    if not rooms:  # torch counts no point of no dimensions
        return lambda *_: np.zeros((), dtype)

    def count(x: Array, edges: Sequence[Array], weight: Array | None, density: bool) -> Array:
        flat: Any = 0
        for d, (room, e, fill) in enumerate(zip(rooms, edges, fills, strict=True)):
            own = x[:, d]
            place = e.searchsorted(own, "right")
            last = e[-1:]
            put(place, own == last, fill)  # the last bin has its right edge, too
            if given:  # and need not rise
                put(place, (own < e[:1]) | (own > last), outside)
            flat = flat * room + place if d else place
        if weight is None:
            total = np.bincount(flat, None, every).astype(dtype)
        else:
            total = np.zeros(every, dtype)
            np.add.at(total, flat, weight.reshape(-1))
        out: Array = total.reshape(rooms)[inner].copy()
        if density:
            out = out / out.sum(dtype=dtype)
            for d, e in enumerate(edges):
                out = out / np.diff(e).reshape([-1 if i == d else 1 for i in range(len(edges))])
        return out

    return count


def _flat(self: Array) -> Array:
    return self.reshape(prod(self.shape[:-1]), self.shape[-1])


# -- one dimension -------------------------------------------------------------------------------


def _with_edges_meta(self: Any, bins: Any, weight: Any, density: bool) -> tuple[Out, Out]:
    _check(_Points(self), [bins], None if weight is None else _Weights(weight))
    return Out((bins.numel() - 1,), self.dtype), Out(tuple(bins.shape), self.dtype)


def _prepare_with_edges(self: Array, bins: Array, *rest: Any) -> Callable[..., Any]:
    count = _counting([len(bins) - 1], self.dtype, given=True)

    def kernel(self: Array, bins: Array, weight: Any, density: bool) -> tuple[Array, Array]:
        return count(self.reshape(-1, 1), [bins], weight, density), bins.copy()

    return kernel


def _with_count_meta(self: Any, bins: int, range: Any, weight: Any, density: bool) -> Any:
    _check_counts([bins])
    _check_range(1, range)
    weights = None if weight is None else _Weights(weight)
    _check(_Points(self), [_Edges(bins, self.dtype)], weights)
    return Out((bins,), self.dtype), Out((bins + 1,), self.dtype)


def _prepare_with_count(self: Array, bins: int, range: Any, *rest: Any) -> Callable[..., Any]:
    edges_of = _edges_of(self.reshape(-1, 1), [bins], range)
    count = _counting([bins], self.dtype)

    def kernel(self: Array, bins: int, range: Any, weight: Any, density: bool) -> Any:
        points = self.reshape(-1, 1)
        edges = edges_of(points)
        return count(points, edges, weight, density), edges[0]

    return kernel


def _checked_targets(meta: Callable[..., Any]) -> Callable[..., Any]:
    """*meta* with ``out=``, which has the dtype of the input."""

    def of_targets(target: Any, self: Any, *rest: Any) -> Any:
        made = meta(self, *rest)
        for given, name, where in zip(target, ("hist", "bin_edges"), ("", " for dimension 0")):
            if given.dtype is not self.dtype:
                raise RuntimeError(
                    f"torch.histogram: input tensor and {name} tensor should have the same dtype, "
                    f"but got input {c_type_name(self.dtype)} and {name} "
                    f"{c_type_name(given.dtype)}{where}"
                )
        return made

    return of_targets


_REST = "Tensor? weight=None, bool density=False"

op(
    f"histogram.bins_tensor(Tensor self, Tensor bins, *, {_REST}) -> "
    "(Tensor hist, Tensor bin_edges)",
    says="Count the elements in bins, and return the edges of the bins.",
    meta=_with_edges_meta,
    out_meta=_checked_targets(_with_edges_meta),
    prepare=_prepare_with_edges,
    refuses=_refuses,
    half=False,
    out=OutForm("bins_tensor_out", overlap="unchecked"),
    grad=not_implemented_for("histogram", "self", "bins", "weight"),
    samples="histogram_bins_tensor",
    tags=("not_on_meta", "loops: functional"),
)

op(
    f"histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, {_REST}) -> "
    "(Tensor hist, Tensor bin_edges)",
    meta=_with_count_meta,
    out_meta=_checked_targets(_with_count_meta),
    prepare=_prepare_with_count,
    refuses=_refuses_counts,
    half=False,
    out=OutForm("bin_ct_out", overlap="unchecked"),
    grad=not_implemented_for("histogram", "self", "weight"),
    samples="histogram_bin_ct",
    tags=("not_on_meta", "loops: functional"),
)


# -- more dimensions -----------------------------------------------------------------------------


def _bin_edges_meta(self: Any, bins: Any, range: Any, weight: Any, density: bool) -> list[Out]:
    if self.dim() < 2:
        raise RuntimeError(f"{_WHO}: input tensor should have at least 2 dimensions")
    if len(bins) != self.shape[-1]:
        raise RuntimeError(
            "histogramdd: The size of bins must be equal to the innermost dimension of the input."
        )
    _check_range(self.shape[-1], range)
    if min(bins, default=0) < -1:
        raise RuntimeError("number of steps must be non-negative")
    return [Out((b + 1,), self.dtype) for b in bins]


def _prepare_bin_edges(self: Array, bins: Any, range: Any, *rest: Any) -> Callable[..., Any]:
    edges_of = _edges_of(_flat(self), bins, range)
    return lambda self, *rest: edges_of(_flat(self))


def _from_counts_meta(self: Any, bins: Any, *rest: Any) -> Out:
    _bin_edges_meta(self, bins, *rest)
    _check_counts(bins)
    _check(self, [_Edges(b, self.dtype) for b in bins], rest[1])
    return Out(tuple(bins), self.dtype)


def _prepare_from_counts(self: Array, bins: Any, range: Any, *rest: Any) -> Callable[..., Any]:
    edges_of, count = _edges_of(_flat(self), bins, range), _counting(bins, self.dtype)

    def kernel(self: Array, bins: Any, range: Any, weight: Any, density: bool) -> Array:
        points = _flat(self)
        return count(points, edges_of(points), weight, density)

    return kernel


def _from_edges_meta(self: Any, bins: Any, weight: Any, density: bool) -> Out:
    _check(self, bins, weight)
    return Out(tuple(b.numel() - 1 for b in bins), self.dtype)


def _prepare_from_edges(self: Array, bins: Any, *rest: Any) -> Callable[..., Any]:
    count = _counting([len(e) - 1 for e in bins], self.dtype, given=True)
    return lambda self, bins, weight, density: count(_flat(self), bins, weight, density)


_COUNTS = f"(Tensor self, int[] bins, *, float[]? range=None, {_REST}) -> "

op(
    f"_histogramdd_bin_edges{_COUNTS}Tensor[]",
    meta=_bin_edges_meta,
    prepare=_prepare_bin_edges,
    refuses=_refuses_edges,
    variants="function",
    half=False,
    samples="histogramdd_counts",
    grad=not_implemented_for("_histogramdd_bin_edges", "self", "weight"),
    tags=("not_on_meta",),
)

op(
    f"_histogramdd_from_bin_cts{_COUNTS}Tensor",
    meta=_from_counts_meta,
    prepare=_prepare_from_counts,
    refuses=_refuses_counts,
    variants="function",
    half=False,
    samples="histogramdd_counts",
    grad=not_implemented_for("_histogramdd_from_bin_cts", "self", "weight"),
    tags=("not_on_meta", "loops: functional"),
)

op(
    f"_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, {_REST}) -> Tensor",
    meta=_from_edges_meta,
    prepare=_prepare_from_edges,
    refuses=_refuses,
    variants="function",
    half=False,
    samples="histogramdd_edges",
    grad=not_implemented_for("_histogramdd_from_bin_tensors", "self", "bins", "weight"),
    tags=("not_on_meta",),
)


def _histogramdd(self: Any, bins: Any, range: Any, weight: Any, density: bool) -> Any:
    options = {"weight": weight, "density": density}
    edges = tuple(ops._histogramdd_bin_edges(self, bins, range=range, **options))
    return ops._histogramdd_from_bin_cts(self, bins, range=range, **options), edges


def _with_one_count(self: Any, bins: int, *rest: Any) -> Any:
    return _histogramdd(self, (bins,) * (self.size(-1) if self.dim() else 0), *rest)


def _with_all_edges(self: Any, bins: Any, range: Any, weight: Any, density: bool) -> Any:
    hist = ops._histogramdd_from_bin_tensors(self, bins, weight=weight, density=density)
    return hist, tuple(bins)


_FORMS: tuple[tuple[str, str, Callable[..., Any], str], ...] = (
    ("", "int[] bins", _histogramdd, "histogramdd_counts"),
    (".int_bins", "int bins", _with_one_count, "histogramdd_count"),
    (".TensorList_bins", "Tensor[] bins", _with_all_edges, "histogramdd_edges"),
)
for _overload, _bins, _compute, _samples in _FORMS:
    op(
        f"histogramdd{_overload}(Tensor self, {_bins}, float[]? range=None, {_REST}) -> "
        "(Tensor hist, Tensor[] bin_edges)",
        says="Count points in a grid of bins, and return the edges of each dimension.",
        composite=_compute,
        batch="no_fallback",
        variants="function",
        samples=_samples,
    )
