"""Elementwise functions of three tensors: clamp, lerp, addcmul, addcdiv."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, float64, from_numpy

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    NOT_FLOATING,
    UNSIGNED,
    cast_onto,
    common_dtype,
    elementwise,
    out_like,
    refuse,
)
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.errors import c_type_name
from ..core.operators import conj, of
from . import scalars, tangent_rules
from .blocks import blockwise, bound, choosing, putting, writing_in_blocks
from .reflected import divided_by, less, watched

Array = np.ndarray[Any, Any]

# ------------------------------------------------------------------------- clamp


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

# ------------------------------------------------------------------------- lerp


def _lerp_meta(self: Any, end: Any, weight: Any) -> Out:
    """Source: torch aten/src/ATen/native/Lerp.cpp."""
    if self.dtype != end.dtype:
        raise RuntimeError(
            f"expected dtype {c_type_name(self.dtype)} for `end` "
            f"but got dtype {c_type_name(end.dtype)}"
        )
    tensor_weight = hasattr(weight, "shape")
    if tensor_weight and weight.dtype != self.dtype and weight.shape:
        raise RuntimeError(
            f"expected dtype {c_type_name(self.dtype)} for `weight` "
            f"but got dtype {c_type_name(weight.dtype)}"
        )
    if not tensor_weight and isinstance(weight, complex):
        scalars.checked(weight, self.dtype)
    return out_like(self.dtype, *((self, end, weight) if tensor_weight else (self, end)))


@blockwise
def _prepare_lerp(start: Array, end: Array, weight: Any) -> Callable[..., Array]:
    """From the nearer end, so that both ends are met exactly; rounded as a product and a sum."""
    dtype, subtract, add, multiply = start.dtype, np.subtract, np.add, np.multiply
    if not isinstance(weight, np.ndarray):
        number = scalars.checked(weight, from_numpy(dtype))
        near = np.abs(number) < 0.5
        step = np.array(number if near else number - 1, dtype)

        def by_number(start: Array, end: Array, weight: Any) -> Array:
            return add(start if near else end, multiply(subtract(end, start), step))

        return by_number
    one, half = np.array(1, dtype), np.array(0.5, np.zeros((), dtype).real.dtype)
    cast = None if weight.dtype == dtype else dtype
    absolute, less = np.abs, np.less
    single, put, where = not weight.ndim, putting(weight, start), choosing(start, end, weight)

    def kernel(start: Array, end: Array, weight: Array) -> Array:
        if cast is not None:
            weight = weight.astype(cast)
        span, close = subtract(end, start), less(absolute(weight), half)
        if single:
            if close:
                return add(start, multiply(span, weight))
            return add(end, multiply(span, weight - one))
        step = subtract(weight, one)
        put(step, close, weight)
        return add(where(close, start, end), multiply(span, step))

    return kernel


@writing_in_blocks
def _lerp_into(span: Array, start: Array, end: Array, weight: Any) -> None:
    """``start`` moves by *weight* towards ``end``, as :func:`_prepare_lerp` computes it."""
    number = scalars.checked(weight, from_numpy(start.dtype))
    near = abs(number) < 0.5
    np.subtract(end, start, span)
    np.multiply(span, np.array(number if near else number - 1, start.dtype), span)
    np.add(start if near else end, span, start)


def _lerp_refusal(start: Any, end: Any, weight: Any) -> None:
    number = not hasattr(weight, "shape")
    kernel = "lerp_kernel_scalar" if number else "lerp_kernel_tensor"
    refuse(start.dtype, {kernel: NOT_FLOATING})
    if number and start.dtype.itemsize > 2:  # the half types compute in float32
        scalars.checked(weight, start.dtype)


def _lerp_start_grad(g: Any, c: Any) -> Any:
    weight = c.weight
    return g * conj(less(1, weight) if hasattr(weight, "shape") else 1 - weight)


_LERP_GRAD = {
    "self": _lerp_start_grad,
    "end": lambda g, c: g * conj(c.weight),
}


def _lerp_onto(target: Any, self: Any, end: Any, weight: Any) -> Out:
    """By one number is a kernel of its own, which casts."""
    out = _lerp_meta(self, end, weight)
    return out if weight.dim() or target is self else cast_onto(target, out)


op(
    "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
    says="""Interpolate linearly from the input to end: input + weight * (end - input).

    >>> torch.lerp(torch.tensor([0., 10.]), torch.tensor([10., 20.]), 0.25)
    tensor([ 2.5000, 12.5000])
    """,
    meta=_lerp_meta,
    prepare=_prepare_lerp,
    into=_lerp_into,
    refuses=_lerp_refusal,
    grad=_LERP_GRAD,
    inplace=True,
    out=OutForm("Scalar_out", dtype="cast"),
    samples="lerp_number",
    tags=("pointwise", "loops: inplace"),
    scalar="self + weight * (end - self) if abs(weight) < 0.5 else end - "
    "(end - self) * (1 - weight)",
)
op(
    "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
    meta=_lerp_meta,
    prepare=_prepare_lerp,
    refuses=_lerp_refusal,
    grad=_LERP_GRAD | {"weight": lambda g, c: g * conj(c.end - c.self)},
    inplace=True,
    out=OutForm("Tensor_out", dtype="same"),
    out_meta=_lerp_onto,
    samples="ternary",
    tags=("pointwise", "loops: inplace"),
    node=1,
)

# ------------------------------------------------------------------------- addcmul, addcdiv


def _added(join: Callable[..., Array]) -> Callable[..., Array]:
    """The kernel of a sum of a tensor and of what *join* makes of *value* times two others.

    It is not prepared, for *value* may be another one in each call.
    """
    add, multiply = np.add, np.multiply

    def kernel(self: Array, a: Array, b: Array, value: Any) -> Array:
        if value != 1:
            number = scalars.checked(value, from_numpy(self.dtype))
            a = multiply(np.asarray(number, self.dtype), a)
        term = join(a, b)
        shape = self.shape
        # What 0-d arrays make is no array.
        if shape and (shape == a.shape or shape == b.shape):
            return add(self, term, term)
        return add(self, term)

    return kernel


def _added_into(join: Callable[..., Array]) -> Callable[..., None]:
    """The same, which changes its first operand."""

    @writing_in_blocks
    def into(term: Array, self: Array, a: Array, b: Array, value: Any) -> None:
        if value != 1:
            a = np.multiply(scalars.checked(value, from_numpy(self.dtype)), a, term)
        np.add(self, join(a, b, term), self)

    return into


def _check_addcdiv(self: Any, tensor1: Any, tensor2: Any, value: Any) -> None:
    """Source: torch aten/src/ATen/native/PointwiseOps.cpp, addcdiv meta."""
    if not (_inexact(tensor1.dtype) or _inexact(tensor2.dtype)):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
            "behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))"
            ".to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
            "float inputs. The future addcdiv behavior is just the latter implementation: "
            "(input + value * tensor1 / tensor2), for all dtypes."
        )


def _inexact(dtype: DType) -> bool:
    return dtype.is_floating_point or dtype.is_complex


def _addcdiv_second(g: Any, c: Any) -> Any:
    square = c.tensor2 * c.tensor2
    slope = conj(c.value * c.tensor1 / square)
    return -g * slope


op(
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    says="""Return input + value * tensor1 * tensor2, element by element.

    >>> torch.addcmul(torch.ones(2), torch.tensor([1., 2.]), torch.tensor([3., 4.]),
    ...     value=10)
    tensor([31., 81.])
    """,
    meta=elementwise("common", 3, cpu={"addcmul_cpu_out": BOOL | UNSIGNED}),
    kernel=_added(np.multiply),
    into=_added_into(np.multiply),
    promote="common",
    grad={
        "self": lambda g, c: g,
        "tensor1": lambda g, c: g * conj(c.tensor2 * c.value),
        "tensor2": lambda g, c: g * conj(c.tensor1 * c.value),
    },
    inplace=True,
    out=True,
    samples="ternary_value",
    tags=("pointwise", "loops: inplace"),
    scalar="self + value * tensor1 * tensor2",
    autocast=("", "promote"),
)
op(
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    says="Return input + value * tensor1 / tensor2, element by element.",
    meta=elementwise("common", 3, cpu={"addcdiv_cpu_out": NOT_FLOATING}, check=_check_addcdiv),
    kernel=_added(np.divide),
    into=_added_into(np.divide),
    promote="common",
    grad={
        "self": lambda g, c: g,
        "tensor1": lambda g, c: g * conj(divided_by(c.value, c.tensor2)),
        "tensor2": _addcdiv_second,
    },
    inplace=True,
    out=True,
    samples="ternary_value",
    tags=("pointwise", "loops: inplace"),
    scalar="self + value * tensor1 / tensor2",
    autocast=("", "promote"),
)
