"""Places in a sorted sequence, and counts of what falls between."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import float64, from_numpy, int32, int64

from mindtorch.aten.derivatives import not_implemented_for
from mindtorch.aten.factory import Sized
from mindtorch.aten.scalars import checked, overflow
from mindtorch.call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    REFUSED_BY_MOST,
    UNSIGNED,
    common_dtype,
    not_implemented,
    refuse,
)
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.signature import STRIDED
from mindtorch.core.warning import warn_discarded, warn_once
from mindtorch.tensor import Tensor

from .statistics import has_nan

__all__: list[str] = []


def _search_dtype(sequence: Any, self: Any) -> Any:
    """The dtype in which both are compared."""
    common = common_dtype(sequence, self)
    refuse(common, {"searchsorted_out_cpu": REFUSED_BY_MOST}, sequence)
    return common


def _search_meta(
    sequence: Any, self: Any, out_int32: bool, right: bool, side: Any, sorter: Any
) -> Out:
    name = "torch.searchsorted()"
    bounds = tuple(sequence.shape)
    tensor = hasattr(self, "shape")
    shape = tuple(self.shape) if tensor else ()
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"{name}: side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            f"{name}: side and right can't be set to opposites, got side of left while right was "
            "True"
        )
    if sorter is not None:
        if tuple(sorter.shape) != bounds:
            raise RuntimeError(
                f"{name}: boundary and sorter must have the same size, but got boundary tensor "
                f"{list(bounds)}and got sorter tensor {list(sorter.shape)}"
            )
        if sorter.dtype is not int64:
            raise RuntimeError(
                f"{name}: sorter must be a tensor of long dtype but got dtype "
                f"{scalar_name(sorter.dtype)}"
            )
    if not shape:
        if len(bounds) != 1:
            raise RuntimeError(
                f"{name}: input value can be a scalar only when boundaries tensor dimension is 1, "
                f"but we got boundaries tensor dim({len(bounds)}) and input value's dim(0) "
                "numel(1)"
            )
    if not bounds:
        raise RuntimeError(
            f"{name}: boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if len(bounds) != 1 and (len(bounds) != len(shape) or bounds[:-1] != shape[:-1]):
        raise RuntimeError(
            f"{name}: boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(bounds)} and input value tensor {list(shape)}"
        )
    if sorter is None or sequence.device.type != "cpu":
        _search_dtype(sequence, self)
    # else the kernel does it: the numbers of the sorter are looked at first
    return Out(shape, int32 if out_int32 else int64)


def _prepare_search(
    sequence: Any, self: Any, out_int32: bool, right: bool, side: Any, sorter: Any
) -> Callable[..., Any]:
    where = "right" if right or side == "right" else "left"
    if sequence.ndim > 1 or sorter is not None:
        return lambda sequence, self, *rest: _search(sequence, np.asarray(self), where, rest[-1])
    if isinstance(self, np.ndarray):
        return lambda sequence, self, *_: _places(sequence, self, where)
    number = np.asarray(self).reshape(1)
    return lambda sequence, *_: _places(sequence, number, where).reshape(())


def _places(row: Any, values: Any, where: Any) -> Any:
    """Where *values* belong in a sorted *row*; beside NaN as a binary search finds it.

    Source: torch aten/src/ATen/native/BucketizationUtils.h, cus_lower_bound and its kin: what does
    not compare as larger is passed.
    """
    if not (has_nan(row) or has_nan(values)):
        return row.searchsorted(values, where)
    past = np.greater_equal if where == "left" else np.greater
    low, high = np.zeros(values.shape, np.int64), np.full(values.shape, row.size)
    for _ in range(row.size.bit_length()):
        middle = (low + high) // 2
        looking = low < high
        passed = looking & ~past(row[np.minimum(middle, row.size - 1)], values)
        low = np.where(passed, middle + 1, low)
        high = np.where(looking & ~passed, middle, high)
    return low


def _search(sequence: Any, values: Any, where: Any, sorter: Any) -> Any:
    if sorter is not None:
        if sorter.size and (sorter.min() < 0 or sorter.max() >= sequence.shape[-1]):
            raise RuntimeError("torch.searchsorted(): sorter index out of range")
        _search_dtype(Sized(sequence), Sized(values))
        sequence = np.take_along_axis(sequence, sorter, -1)
    if sequence.ndim == 1:
        return _places(sequence, values, where)
    out = np.empty(values.shape, np.int64)
    count = math.prod(sequence.shape[:-1])
    rows, wanted, places = (a.reshape(count, a.shape[-1]) for a in (sequence, values, out))
    for i, row in enumerate(rows):
        places[i] = _places(row, wanted[i], where)
    return out


def _warn_strided(sequence: Any, self: Any, *rest: Any) -> None:
    """Source: torch aten/src/ATen/native/BucketizationUtils.h, searchsorted_maybe_trim_…"""
    given = {"input value": self, "boundary": sequence, "sorter": rest[-1] if rest else None}
    for name, t in given.items():
        if isinstance(t, Tensor) and t._sig_ & STRIDED and not t.is_contiguous():
            warn_once(
                f"torch.searchsorted(): {name} tensor is non-contiguous, this will lower the "
                "performance due to extra data copy when converting non-contiguous tensor to "
                f"contiguous, please use contiguous {name} tensor if possible. This message will "
                "only appear once per program.",
            )


_ORDERED = (
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
    "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype "
    "{out} and out_int32 flag is {is_int32}"
)
for _overload in ("Tensor", "Scalar"):
    op(
        f"searchsorted.{_overload}(Tensor sorted_sequence, {_overload} self, *, "
        "bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
        says="""Return where values would have to be inserted to keep a sequence sorted.
        The result is int64, or int32 with out_int32.

        >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([0, 3, 6]))
        tensor([0, 1, 3])
        >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3]), right=True)
        tensor([2])
        """,
        meta=_search_meta,
        prepare=_prepare_search,
        variants="function",
        out=OutForm(f"{_overload}_out", text=_ORDERED),
        batch="whole_loop" if _overload == "Tensor" else "",
        samples=f"searchsorted_{_overload.lower()}",
        tags=("loops: functional",) if _overload == "Scalar" else (),
        warns=_warn_strided,
    )


def _bucketize_meta(self: Any, boundaries: Any, out_int32: bool, right: bool) -> Out:
    n = len(boundaries.shape)
    if n != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({n})")
    return _search_meta(boundaries, self, out_int32, right, None, None)


def _prepare_bucketize(
    self: Any, boundaries: Any, out_int32: bool, right: bool
) -> Callable[..., Any]:
    find = _prepare_search(boundaries, self, out_int32, right, None, None)
    return lambda self, boundaries, *_: find(boundaries, self)


for _overload in ("Tensor", "Scalar"):
    op(
        f"bucketize.{_overload}({_overload} self, Tensor boundaries, *, bool out_int32=False, "
        "bool right=False) -> Tensor",
        says="""Return the index of the bucket between sorted boundaries that each element falls
        into.
        The result is int64, or int32 with out_int32.

        >>> torch.bucketize(torch.tensor([0, 3, 6]), torch.tensor([1, 3, 5]))
        tensor([0, 1, 3])
        """,
        meta=_bucketize_meta,
        prepare=_prepare_bucketize,
        variants="function",
        out=OutForm("Scalar_out", function=False)
        if _overload == "Scalar"
        else OutForm("Tensor_out", text=_ORDERED),
        batch="on_whole" if _overload == "Tensor" else "",
        samples=f"bucketize_{_overload.lower()}",
        tags=("loops as: searchsorted.Scalar",) if _overload == "Scalar" else (),
        warns=lambda self, boundaries, *rest: _warn_strided(boundaries, self),
    )


# -- counts -------------------------------------------------------------------------------------


def _histc_meta(self: Any, bins: int, min: Any, max: Any) -> Out:
    low, high = checked(min, float64), checked(max, float64)
    own = self.dtype
    if low == high and self.numel():
        refuse(own, {"aminmax_cpu": COMPLEX | UNSIGNED}, self)
    elif own.name == "uint8":
        low, high = (low - 1, high + 1) if low == high else (low, high)
        if low < 0 or high > 255:
            raise overflow(own)
    refuse(own, {"linspace_cpu": BOOL | UNSIGNED, "histogram_cpu": INTEGRAL | COMPLEX}, self)
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if high < low:
        raise RuntimeError("torch.histc: max must be larger than min")
    return Out((bins,), self.dtype)


def _prepare_histc(self: Any, bins: int, min: Any, max: Any) -> Callable[..., Any]:
    dtype, given, some = self.dtype, (float(min), float(max)), self.size > 0
    spanned = given[0] == given[1]
    lowest, highest, last = np.minimum.reduce, np.maximum.reduce, np.array(bins - 1)

    def kernel(self: Any, *_: Any) -> Any:
        flat = self.reshape(-1)
        low, high = given
        if spanned and some:
            low, high = float(lowest(flat)), float(highest(flat))
        if low == high:
            low, high = low - 1, high + 1
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
        if not spanned:
            flat = flat[(flat >= low) & (flat <= high)]
        place = ((flat - low) * bins / (high - low)).astype(np.int64)
        np.minimum(place, last, out=place)
        return np.bincount(place, None, bins).astype(dtype)

    return kernel


op(
    "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
    says="""Count the elements in bins of equal width between min and max.

    >>> torch.histc(torch.tensor([1., 2., 1.]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """,
    meta=_histc_meta,
    prepare=_prepare_histc,
    half=False,
    out=OutForm(
        text="torch.histogram: input tensor and hist tensor should have the "
        "same dtype, but got input {c_result} and hist {c_out}",
        gradient="inputs",
        overlap="unchecked",
    ),
    samples="histc",
    batch="whole_loop",
    tags=("loops: functional", "needs_whole"),
)


def _bincount(self: Any, weights: Any, minlength: int) -> Any:
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if self.dtype.char not in "Bbhilq":
        raise not_implemented("bincount_cpu", from_numpy(self.dtype))
    if self.ndim == 1 and not self.size:
        return np.zeros(minlength, np.int64)
    if weights is None:
        return _counts(self, None, minlength)
    if self.ndim != 1 or weights.ndim != 1 or weights.shape[0] != self.shape[0]:
        _counts(self, None, 0)  # which is refused first
        raise RuntimeError("weights should be 1-d and have the same length as input")
    out = _counts(self, weights.astype(np.float64), minlength)
    return out.astype(np.float32 if weights.dtype == np.float32 else np.float64)


def _counts(self: Any, weights: Any, minlength: int) -> Any:
    if self.ndim == 1:
        try:
            return np.bincount(self, weights, minlength)
        except ValueError:  # of a negative number
            pass
    raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")


def _warn_of_complex_weights(self: Any, weights: Any, minlength: int) -> None:
    if weights is not None and weights.is_complex() and self.numel() and weights.numel():
        warn_discarded()


op(
    "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
    says="""Count how often each integer occurs, or sum up its weights.
    The input has one dimension of non-negative integers; the result is int64 without weights.

    >>> torch.bincount(torch.tensor([0, 2, 2]))
    tensor([1, 0, 2])
    """,
    kernel=_bincount,
    half=False,
    grad=not_implemented_for("bincount", "weights"),
    samples="bincount",
    warns=_warn_of_complex_weights,
    tags=("symbols: bincount", "data_dependent_output", "not_on_meta", "loops: functional"),
)
