"""``pow`` and ``float_power``."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_storage.dtype import DType

from ..call.elementwise_meta import (
    BOOL,
    UNSIGNED,
    dtype_of,
    elementwise,
    elementwise_strides,
    refuse,
)
from ..call.forms import InplaceForm, OutForm
from ..call.row import Out, op
from ..core.constants import contiguous_format
from ..core.dims import scalar_name
from ..core.operators import conj, of, ops
from . import integers, scalars
from .pointwise import with_number
from .reflected import zeros_of

Array = np.ndarray[Any, Any]


def _is_integral(dtype: DType) -> bool:
    return not (dtype.is_floating_point or dtype.is_complex)


def _prepare_power(a: Array, exponent: Any) -> Callable[[Array, Any], Array]:
    """Like torch, the common exponents are products and roots, exact where ``pow`` is not."""
    dtype = scalars.promoted(a, exponent)
    kind, power = dtype.np, _power_in(dtype, exponent)
    return power if a.dtype == kind else lambda a, _: power(a.astype(kind), _)


def _power_in(dtype: DType, exponent: Any) -> Callable[[Array, Any], Array]:
    """What raises arrays of *dtype* to a power."""
    multiply, divide, sqrt, power = np.multiply, np.divide, np.sqrt, np.power
    if _is_integral(dtype):
        number = np.array(scalars.checked(exponent, dtype))
        raised = integers.power if number < 0 else power
        return lambda a, _: raised(a, number)
    if exponent == 2:
        return lambda a, _: multiply(a, a)
    if exponent == 1:
        return lambda a, _: a.copy()
    one = np.array(1, dtype.np)
    if exponent == 0:
        return lambda a, _: one.repeat(a.size).reshape(a.shape)
    if exponent == 0.5:
        return lambda a, _: sqrt(a)
    if not dtype.is_complex:
        if exponent == 3:
            return lambda a, _: a * a * a
        if exponent == -0.5:
            return lambda a, _: divide(one, sqrt(a))
        if exponent == -1:
            return lambda a, _: divide(one, a)
        if exponent == -2:
            return lambda a, _: divide(one, multiply(a, a))
    number = scalars.cast(exponent, dtype.np)
    return lambda a, _: power(a, number)


_raised = with_number(integers.power)


def _prepare_number_power(base: Any, exponent: Array) -> Callable[[Any, Array], Array]:
    """Like torch, any power of the number one is one, also where numpy has NaN."""
    dtype = scalars.promoted(exponent, base)
    power = _raised(base, exponent)
    if not dtype.is_complex:
        return power

    def kernel(base: Any, exponent: Array) -> Array:
        if _is_one(base):
            return np.ones_like(exponent, dtype.np)
        return power(base, exponent)

    return kernel


def _check_exponent(self: Any, exponent: Any) -> None:
    """Source: torch aten/src/ATen/native/Pow.cpp, pow_Tensor_Scalar meta."""
    if _is_integral(self.dtype) and not isinstance(exponent, (float, complex)) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")


# Source of the order: torch csrc/autograd/FunctionsManual.cpp, pow_backward and its kin; of the
# arguments of a call the last is computed first.


def _where_zero(where: Callable[[], Any], other: Any) -> Any:
    zero = of("scalar_tensor")(0.0, other.dtype, other.layout, other.device, None)
    return of("where.self")(where(), zero, other)


def _pow_number_grad(g: Any, c: Any) -> Any:
    exponent = c.exponent
    if exponent == 0:
        return of("zeros_like")(c.self, memory_format=contiguous_format)
    if not isinstance(exponent, complex):
        exponent = float(exponent)
    # In C++ the parts of an expression live until its end: so they have names, which is what an
    # accelerator's peak of memory shows.
    power = c.self.pow(exponent - 1)
    slope = exponent * power
    return g * conj(slope)


def _pow_base_grad(g: Any, base: Any, exponent: Any) -> Any:
    slope = g * conj(exponent * base.pow(exponent - 1))
    return _where_zero(lambda: exponent == 0.0, slope)


def _stays_zero(exponent: Any) -> Any:
    """Where a power of zero does not change with its exponent."""
    if exponent.dtype.is_complex:
        rising = ops.real(exponent) >= 0
        return (ops.imag(exponent) == 0).logical_and(rising)
    return exponent >= 0


def _pow_exponent_grad(g: Any, base: Any, exponent: Any, result: Any) -> Any:
    stays = _stays_zero(exponent)
    flat = (base == 0).logical_and(stays)
    if exponent.dtype.is_complex:  # of a negative base, too
        base = base.to(result.dtype)
    slope = conj(result * base.log())
    return g * _where_zero(lambda: flat, slope)


def _number_pow_grad(g: Any, base: Any, exponent: Any, result: Any) -> Any:
    if exponent.dtype.is_complex and not isinstance(base, complex):
        base = complex(base)
    if base == 0:
        slope = conj(result * (complex(-math.inf) if isinstance(base, complex) else -math.inf))
        zero = zeros_of(slope, ())
        return g * of("where.self")(_stays_zero(exponent), zero, slope)
    if isinstance(base, complex):
        return g * conj(result * cmath.log(base))
    return g * conj(result * (math.log(base) if base > 0 else math.nan))


_POW_META = elementwise("common", 2, cpu={"pow": UNSIGNED})
_NUMBER_POW_META = elementwise("common", 2, cpu={"pow": UNSIGNED | BOOL | {"complex32"}})
_POW_PLAIN_META = elementwise("common", 2)


def _power_number_meta(self: Any, exponent: Any) -> Out:
    _check_exponent(self, exponent)
    trivial = exponent in (0, 1)  # torch fills or copies, and needs no kernel
    out = (_POW_PLAIN_META if trivial else _POW_META)(self, exponent)
    if not trivial and out.dtype is not self.dtype:
        refuse(out.dtype, {"pow": frozenset({"complex32"})}, self)
    return out._replace(strides=elementwise_strides(tuple(out.shape), [self]))  # a unary op


def _is_one(base: Any) -> bool:
    """Whether powers of *base* are filled in, whatever the dtype."""
    return base == 1 and not isinstance(base, bool)


def _number_power_meta(self: Any, exponent: Any) -> Out:
    out = (_POW_PLAIN_META if _is_one(self) else _NUMBER_POW_META)(self, exponent)
    return out._replace(strides=None)  # contiguous, however the exponent lies


def _number_power_onto(target: Any, self: Any, exponent: Any) -> Out:
    out = _number_power_meta(self, exponent)
    return out._replace(dtype=target.dtype) if _is_one(self) else out


op(
    "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    says="""Raise each element to a power.
    Integers to negative powers are refused.

    >>> torch.pow(torch.tensor([1, 2, 3]), 2)
    tensor([1, 4, 9])
    """,
    meta=_power_number_meta,
    prepare=_prepare_power,
    grad={"self": _pow_number_grad},
    inplace=InplaceForm(overload="Scalar"),
    out=OutForm("Tensor_Scalar_out", dtype="cast"),
    samples="power_number",
    tags=("pointwise",),
    scalar="self ** exponent",
    autocast=("", "float32"),
)
op(
    "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
    meta=elementwise("common", 2, cpu={"pow": BOOL | UNSIGNED}),
    kernel=integers.power,
    promote="common",
    grad={
        "self": lambda g, c: _pow_base_grad(g, c.self, c.exponent),
        "exponent": lambda g, c: _pow_exponent_grad(g, c.self, c.exponent, c.result),
    },
    inplace=InplaceForm(overload="Tensor"),
    out="Tensor_Tensor_out",
    samples="power",
    tags=("pointwise", "loops: inplace"),
    scalar="self ** exponent",
    node=1,
    autocast=("", "float32"),
)
op(
    "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
    meta=_number_power_meta,
    prepare=_prepare_number_power,
    grad={"exponent": lambda g, c: _number_pow_grad(g, c.self, c.exponent, c.result)},
    variants="function",
    out=OutForm("Scalar_out", dtype="cast", direct=True),
    out_meta=_number_power_onto,
    samples="number_power",
    tags=("pointwise",),
    scalar="self ** exponent",
    node=2,
    autocast=("", "float32"),
)


def _wide(dtype_a: DType, dtype_b: DType) -> str:
    return "complex128" if dtype_a.is_complex or dtype_b.is_complex else "float64"


#: What messages call the dtypes that powers are computed in.
_NAMES = {"float64": "Double", "complex128": "ComplexDouble"}


def _float_power(self: Any, exponent: Any) -> Any:
    wide = getattr(st, _wide(dtype_of(self), dtype_of(exponent)))
    power = exponent.to(wide) if hasattr(exponent, "to") else exponent
    base = self.to(wide) if hasattr(self, "to") else self
    return ops.pow(base, power)


def _float_power_onto(target: Any, self: Any, exponent: Any) -> None:
    wide = _wide(dtype_of(self), dtype_of(exponent))
    if target.dtype.name != wide:
        raise RuntimeError(
            f"the output given to float_power has dtype {scalar_name(target.dtype)} but the "
            f"operation's result requires dtype {_NAMES[wide]}"
        )
    power = exponent.to(target.dtype) if hasattr(exponent, "to") else exponent
    ops.pow(self.to(target.dtype) if hasattr(self, "to") else self, power, out=target)


def _float_power_(self: Any, exponent: Any) -> Any:
    wide = _wide(dtype_of(self), dtype_of(exponent))
    if self.dtype.name != wide:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {scalar_name(self.dtype)} but the "
            f"operation's result requires dtype {_NAMES[wide]}"
        )
    return self.pow_(exponent.to(self.dtype) if hasattr(exponent, "to") else exponent)


for _schema in (
    "float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)",
    "float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)",
):
    op(
        _schema,
        composite=_float_power_,
        variants="method",
        samples="power",
        tags=("loops: inplace",) if "Tensor exponent" in _schema else (),
    )
for _schema, _out in (
    (
        "float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
        "Tensor_Tensor_out",
    ),
    (
        "float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
        "Scalar_out",
    ),
    (
        "float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
        "Tensor_Scalar_out",
    ),
):
    op(
        _schema,
        says="""Raise each element to a power in double precision.

        >>> torch.float_power(torch.tensor([2, 3]), -1)
        tensor([0.5000, 0.3333], dtype=torch.float64)
        """,
        composite=_float_power,
        out=OutForm(_out, gradient="pow"),
        out_kernel=_float_power_onto,
        variants="function" if "Scalar self" in _schema else "function, method",
        samples="power",
        tags=("pointwise",),
    )
