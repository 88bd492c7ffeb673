"""``clamp``, ``clamp_min`` and ``clamp_max``: elements between limits, which may be tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import float64, from_numpy

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    UNSIGNED,
    common_dtype,
    out_like,
    refuse,
)
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import of
from . import scalars, tangent_rules
from .blocks import blockwise, bound
from .reflected import watched

Array = np.ndarray[Any, Any]


def no_limits() -> RuntimeError:
    """torch aten/src/ATen/native/TensorCompare.cpp, clamp meta."""
    return RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")


def complex_clamp() -> NotImplementedError:
    """torch aten/src/ATen/native/TensorCompare.cpp, clamp_min and clamp_max meta."""
    return NotImplementedError("clamp is not supported for complex types")


def _check_clamp(self: Any, *limits: Any) -> None:
    """Source: torch aten/src/ATen/native/TensorCompare.cpp, clamp meta."""
    if all(limit is None for limit in limits):
        raise no_limits()
    if self.dtype.is_complex:
        raise complex_clamp()


def _clamp_meta(self: Any, low: Any, high: Any) -> Out:
    _check_clamp(self, low, high)
    for limit in (low, high):
        if type(limit) is complex:
            if not self.dtype.is_floating_point:  # to which the limit is promoted
                raise complex_clamp()
            scalars.checked(limit, float64)
    dtype = common_dtype(self, low, high)
    kernel = "clamp_max" if low is None else "clamp_min" if high is None else "clamp"
    refuse(dtype, {f"{kernel}_scalar_cpu": UNSIGNED | BOOL | COMPLEX}, self)
    return out_like(dtype, self)


def _limit_meta(self: Any, low: Any, high: Any) -> Out:
    if type(low) is complex or type(high) is complex:
        raise complex_clamp()
    return _clamp_meta(self, low, high)


#: Up to so many elements numpy is as fast with a number as with as many.
_FEW = 256


def _limit(x: Array, *limits: Any) -> tuple[Array, list[Any]]:
    dtype = from_numpy(x.dtype)
    for limit in limits:
        if limit is not None:
            dtype = scalars.promoted(x.astype(dtype.np, copy=False), limit)
    checked = [None if n is None else np.array(scalars.checked(n, dtype)) for n in limits]
    return x.astype(dtype.np, copy=False), checked


@blockwise
def prepare_clamp(x: Array, low: Any, high: Any) -> Callable[..., Array]:
    """Numbers as limits; where they cross, *high* wins; a nan limit makes everything nan."""
    wide, (low, high) = _limit(x[:0] if x.ndim else x, low, high)
    np_dtype = None if wide.dtype == x.dtype else wide.dtype
    if np_dtype is None and x.size > _FEW:
        low, high = (None if n is None else bound(x, n) for n in (low, high))

    def kernel(x: Array, *limits: Any) -> Array:
        if np_dtype is not None:
            x = x.astype(np_dtype)
        if low is None:
            return np.minimum(high, x)
        result = np.maximum(low, x)
        if high is None or not result.ndim:
            return result if high is None else np.minimum(high, result)
        return np.minimum(high, result, out=result)

    return kernel


def _prepare_clamp_tensors(x: Array, low: Array | None, high: Array | None) -> Callable[..., Array]:
    larger, smaller = np.maximum, np.minimum
    if high is None:
        return lambda x, low, high: larger(low, x)
    if low is None:
        return lambda x, low, high: smaller(high, x)
    return lambda x, low, high: smaller(high, larger(low, x))


def _where_kept(g: Any, kept: Callable[[], Any], zero: Any = None) -> Any:
    """*g* where it reaches the argument, zero elsewhere; the zero is made first, as in torch."""
    if zero is None:
        zero = _zero(g)
    return of("where.self")(kept(), g, zero)


def _zero(g: Any) -> Any:
    return of("scalar_tensor")(0.0, g.dtype, g.layout, g.device, None)


def _compared(name: str, a: Any, b: Any) -> Any:
    """*a* beside *b*, which may be a number; Python would ask a subclass on the right first."""
    return of(f"{name}.Tensor" if hasattr(b, "shape") else f"{name}.Scalar")(a, b)


def _clamp_grad(g: Any, x: Any, low: Any, high: Any) -> Any:
    if low is None:
        return _where_kept(g, lambda: _compared("le", x, high))
    if high is None:
        return _where_kept(g, lambda: _compared("ge", x, low))
    apart = hasattr(low, "shape") or hasattr(high, "shape")

    def between() -> Any:
        above, below = _compared("ge", x, low), _compared("le", x, high)
        return above.logical_and(below) if apart else above.logical_and_(below)

    return _where_kept(g, between)


def _limits_grad(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, clamp_backward_min_max."""
    x, low, high = c.self, c.min, c.max
    zero = _zero(g)
    wants_low, wants_high = c.mask
    to_low = to_high = None
    # Where nobody watches torch writes into the first mask, and refuses what that cannot hold.
    seen = watched(*[t for t in (x, low, high) if t is not None])

    def above() -> Any:
        mask = _compared("lt", x, low)
        ordered = _compared("lt", low, high)
        return ordered.logical_and(mask) if seen else mask.logical_and_(ordered)

    def below() -> Any:
        mask = _compared("gt", x, high)
        crossed = _compared("lt", high, low)
        return mask.logical_or(crossed) if seen else mask.logical_or_(crossed)

    if low is not None and wants_low:
        kept = above if high is not None else lambda: _compared("lt", x, low)
        to_low = _where_kept(g, kept, zero)
    if high is not None and wants_high:
        kept = below if low is not None else lambda: _compared("gt", x, high)
        to_high = _where_kept(g, kept, zero)
    return to_low, to_high


def _clamp_tensor_meta(self: Any, low: Any, high: Any) -> Out:
    _check_clamp(self, low, high)
    return _limits_meta(self, low, high)


def _limits_meta(self: Any, low: Any, high: Any) -> Out:
    dtype = common_dtype(self, low, high)
    out = out_like(dtype, self, *[x for x in (low, high) if x is not None])
    if low is not None and high is not None:
        refuse(dtype, {"clamp_cpu": UNSIGNED | BOOL | COMPLEX}, self)
    else:
        name = "maximum_cpu" if high is None else "minimum_cpu"
        refuse(dtype, {name: UNSIGNED | COMPLEX}, self)
    return out


op(
    "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    says="""Limit each element to the range from min to max.
    Either bound may be left out; both may be tensors.

    >>> torch.clamp(torch.tensor([-3, 0, 5]), min=-1, max=2)
    tensor([-1,  0,  2])
    """,
    meta=_clamp_tensor_meta,
    prepare=_prepare_clamp_tensors,
    promote="common",
    grad={
        "self": lambda g, c: _clamp_grad(g, c.self, c.min, c.max),
        "min, max": _limits_grad,
    },
    inplace=True,
    out="Tensor_out",
    samples="clamp_tensors",
    tags=("pointwise", "loops: inplace"),
    tangent=tangent_rules.of_clamp,
)
op(
    "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
    meta=_clamp_meta,
    prepare=prepare_clamp,
    grad={"self": lambda g, c: _clamp_grad(g, c.self, c.min, c.max)},
    inplace=True,
    out=OutForm(dtype="same"),
    samples="clamp_numbers",
    tags=("pointwise", "loops: inplace"),
    node=1,
)
op(
    "clamp_min(Tensor self, Scalar min) -> Tensor",
    says="Replace elements below a lower bound by the bound.",
    meta=lambda self, low: _limit_meta(self, low, None),
    prepare=lambda x, low: prepare_clamp(x, low, None),
    grad={"self": lambda g, c: _where_kept(g, lambda: c.self >= c.min)},
    inplace=True,
    out=OutForm(dtype="same"),
    samples="binary_number",
    tags=("pointwise",),
    scalar="maximum(self, min)",
)
op(
    "clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
    meta=lambda self, low: _limits_meta(self, low, None),
    kernel=lambda x, low: np.maximum(low, x),
    promote="common",
    grad={
        "self": lambda g, c: _where_kept(g, lambda: c.self >= c.min),
        "min": lambda g, c: _where_kept(g, lambda: c.self < c.min),
    },
    inplace=True,
    out="Tensor_out",
    samples="binary",
    tags=("pointwise",),
    scalar="maximum(self, min)",
    node=1,
)
op(
    "clamp_max(Tensor self, Scalar max) -> Tensor",
    says="Replace elements above an upper bound by the bound.",
    meta=lambda self, high: _limit_meta(self, None, high),
    prepare=lambda x, high: prepare_clamp(x, None, high),
    grad={"self": lambda g, c: _where_kept(g, lambda: c.self <= c.max)},
    inplace=True,
    out=OutForm(dtype="same"),
    samples="binary_number",
    tags=("pointwise",),
    scalar="minimum(self, max)",
)
op(
    "clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
    meta=lambda self, high: _limits_meta(self, None, high),
    kernel=lambda x, high: np.minimum(high, x),
    promote="common",
    grad={
        "self": lambda g, c: _where_kept(g, lambda: c.self <= c.max),
        "max": lambda g, c: _where_kept(g, lambda: c.self > c.max),
    },
    inplace=True,
    out="Tensor_out",
    samples="binary",
    tags=("pointwise",),
    scalar="minimum(self, max)",
    node=1,
)
