"""Elementwise functions of three tensors: lerp, addcmul, addcdiv."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, float32, from_numpy

from ..call.elementwise_meta import (
    BOOL,
    NOT_FLOATING,
    UNSIGNED,
    cast_onto,
    elementwise,
    out_like,
    refuse,
)
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.errors import c_type_name
from ..core.operators import conj
from . import scalars
from .blocks import blockwise, choosing, putting, writing_in_blocks
from .reflected import divided_by, less

Array = np.ndarray[Any, Any]
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
    if number:  # the half types compute in float32
        scalars.checked(weight, start.dtype if start.dtype.itemsize > 2 else float32)


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
        if value != 1 or self.dtype.kind == "c":  # by 1, too, which infinities show
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
