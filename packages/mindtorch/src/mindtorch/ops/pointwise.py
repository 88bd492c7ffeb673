"""Arithmetic on two tensors: add, sub, mul, div and its roundings, remainders, pow."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, bool_, from_numpy, get_default_dtype

from . import integers, scalars
from .call import conj, ops
from .derivatives import not_implemented_for
from .fma import fused
from .meta import (
    BOOL,
    REFUSED_BY_MOST,
    UNSIGNED,
    common_dtype,
    dtype_of,
    elementwise,
)
from .row import Out, op

Array = np.ndarray[Any, Any]


def with_number(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """The kernel of a ``.Scalar`` overload from that of the tensors: promote, then compute.

    The ``.Scalar`` overloads of add, sub, mul and div have no function: torch's parser lets a
    number stand for the tensor there. They are for ``torch.ops``.
    """

    def scalar_kernel(a: Any, b: Any, *rest: Any) -> Array:
        return kernel(*scalars.to_common(a, b), *rest)

    return scalar_kernel


# ------------------------------------------------------------------------- add, sub, mul, div


def _check_alpha(result: DType, alpha: Any) -> None:
    """Source: torch aten/src/ATen/native/BinaryOps.h, alpha_check."""
    if isinstance(alpha, bool) and result is not bool_:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)):
        if not (result.is_floating_point or result.is_complex):
            raise RuntimeError(
                "For integral input tensors, argument alpha must not be a floating point number."
            )
        if isinstance(alpha, complex) and not result.is_complex:
            raise RuntimeError(
                "For non-complex input tensors, argument alpha must not be a complex number."
            )


def _check_add(self: Any, other: Any, alpha: Any = 1) -> None:
    _check_alpha(common_dtype(self, other), alpha)


def _check_sub(self: Any, other: Any, alpha: Any = 1) -> None:
    """Source: torch aten/src/ATen/native/BinaryOps.h, sub_check."""
    a, b = dtype_of(self), dtype_of(other)
    if a is bool_ and b is bool_:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if a is bool_ or b is bool_:
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )
    _check_alpha(common_dtype(self, other), alpha)


#: Up to this many elements the exact imitation costs less than the call around it.
_FUSED_LIMIT = 256


def multiply_add(a: Array, b: Any, c: Any) -> Array:
    """``a + b * c``.

    torch's vectorised kernels round this once. numpy has no fused product; imitating it through
    float64 takes ten times as long, so large arrays may differ from torch in the last place.
    """
    if a.itemsize == 2 and a.dtype.kind in "fV":  # float16, bfloat16
        wide = np.add(a, np.multiply(b, c, dtype=np.float32), dtype=np.float32)
        return wide.astype(a.dtype)
    if a.size <= _FUSED_LIMIT:
        return fused(b, c, a)
    product = np.multiply(b, c)
    return np.add(a, product, out=product) if product.shape == a.shape else np.add(a, product)


def _add(a: Array, b: Array, alpha: Any = 1) -> Array:
    if alpha == 1:
        return np.add(a, b)  # type: ignore[no-any-return]
    factor = scalars.checked(alpha, from_numpy(a.dtype))
    if a.dtype == bool:
        return np.logical_or(a, np.logical_and(b, factor))  # type: ignore[no-any-return]
    return multiply_add(a, b, factor)


def _sub(a: Array, b: Array, alpha: Any = 1) -> Array:
    if alpha == 1:
        return np.subtract(a, b)  # type: ignore[no-any-return]
    return multiply_add(a, b, -scalars.checked(alpha, from_numpy(a.dtype)))


def _add_into(a: Array, b: Array, alpha: Any) -> None:
    """``a += alpha * b`` of one shape and float dtype, rounded as :func:`multiply_add` does."""
    factor = scalars.checked(alpha, from_numpy(a.dtype))
    if a.size > _FUSED_LIMIT:
        np.add(a, np.multiply(b, factor), out=a)
    elif a.itemsize == 4:
        wide = np.multiply(b, factor, dtype=np.float64)
        wide += a
        a[...] = wide
    else:
        a[...] = fused(b, factor, a)


def _sub_into(a: Array, b: Array, alpha: Any) -> None:
    _add_into(a, b, -alpha)


def _rsub(a: Array, b: Array, alpha: Any = 1) -> Array:
    return _sub(b, a, alpha)


_ADD_GRAD = {
    "self": lambda g, c: g,
    "other": lambda g, c: g if c.alpha == 1 else g * conj(c.alpha),
}
_SUB_GRAD = {
    "self": lambda g, c: g,
    "other": lambda g, c: -g if c.alpha == 1 else g * -conj(c.alpha),
}
_RSUB_GRAD = {
    "self": lambda g, c: -g if c.alpha == 1 else g * -conj(c.alpha),
    "other": lambda g, c: g,
}


def _only_self(grad: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    return {"self": grad["self"]}


_ADD_META = elementwise("common", 2, cpu={"add_stub": UNSIGNED}, check=_check_add)
_SUB_META = elementwise("common", 2, cpu={"add_stub": UNSIGNED}, check=_check_sub)
_MUL_META = elementwise("common", 2)

op(
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    meta=_ADD_META,
    ufunc=np.add,
    kernel=_add,
    into=_add_into,
    promote="common",
    half=False,
    grad=_ADD_GRAD,
    inplace=True,
    out=True,
    samples="binary_alpha",
    tags=("pointwise",),
)
op(
    "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=_ADD_META,
    kernel=with_number(_add),
    half=False,
    grad=_only_self(_ADD_GRAD),
    inplace=True,
    out="Scalar_out",
    variants="",
    samples="binary_number",
    tags=("pointwise",),
)
op(
    "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    meta=_SUB_META,
    ufunc=np.subtract,
    kernel=_sub,
    into=_sub_into,
    promote="common",
    half=False,
    grad=_SUB_GRAD,
    inplace=True,
    out=True,
    samples="binary_alpha",
    tags=("pointwise",),
)
op(
    "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=_SUB_META,
    kernel=with_number(_sub),
    half=False,
    grad=_only_self(_SUB_GRAD),
    inplace=True,
    out="Scalar_out",
    variants="",
    samples="binary_number",
    tags=("pointwise",),
)
op(
    "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    meta=lambda self, other, alpha: _SUB_META(other, self, alpha),
    kernel=_rsub,
    promote="common",
    half=False,
    grad=_RSUB_GRAD,
    variants="function",
    samples="binary_alpha",
    tags=("pointwise",),
)
op(
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=_SUB_META,
    kernel=with_number(_rsub),
    half=False,
    grad=_only_self(_RSUB_GRAD),
    variants="function",
    samples="binary_number",
    tags=("pointwise",),
)
op(
    "mul.Tensor(Tensor self, Tensor other) -> Tensor",
    meta=_MUL_META,
    ufunc=np.multiply,
    promote="common",
    grad={"self": lambda g, c: g * conj(c.other), "other": lambda g, c: g * conj(c.self)},
    inplace=True,
    out=True,
    samples="binary",
    tags=("pointwise",),
)
op(
    "mul.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_MUL_META,
    kernel=with_number(np.multiply),
    grad={"self": lambda g, c: g * conj(c.other)},
    inplace=True,
    out="Scalar_out",
    variants="",
    samples="binary_number",
    tags=("pointwise",),
)


def _check_mode(self: Any, other: Any, rounding_mode: str | None) -> None:
    """Source: torch aten/src/ATen/native/BinaryOps.cpp, div_Tensor_mode meta."""
    if rounding_mode not in (None, "trunc", "floor"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' "
            f"but found '{rounding_mode}'"
        )


_DIV_META = elementwise("float", 2)
_FLOOR_META = elementwise("common", 2, cpu={"div_floor_cpu": REFUSED_BY_MOST})
_TRUNC_META = elementwise("common", 2, cpu={"div_trunc_cpu": REFUSED_BY_MOST})


def _div_mode_meta(self: Any, other: Any, rounding_mode: str | None) -> Out:
    _check_mode(self, other, rounding_mode)
    if rounding_mode is None:
        return _DIV_META(self, other)
    return (_FLOOR_META if rounding_mode == "floor" else _TRUNC_META)(self, other)


def _as_float(x: Array) -> Array:
    return x if x.dtype.kind not in "iub" else x.astype(get_default_dtype().np)


def _div_mode(a: Any, b: Any, rounding_mode: str | None) -> Array:
    if rounding_mode is None:
        return np.true_divide(_as_float(a), _as_float(b))  # type: ignore[no-any-return]
    return integers.divide(a, b, rounding_mode)


_DIV_GRAD = {
    "self": lambda g, c: g / conj(c.other),
    "other": lambda g, c: -g * conj((c.self / c.other) / c.other),
}
_DIV_MODE_GRAD = {
    "self": lambda g, c: ops.zeros_like(g) if c.rounding_mode else g / conj(c.other),
    "other": lambda g, c: (
        ops.zeros_like(g) if c.rounding_mode else -g * conj((c.self / c.other) / c.other)
    ),
}

op(
    "div.Tensor(Tensor self, Tensor other) -> Tensor",
    meta=_DIV_META,
    ufunc=np.true_divide,
    promote="float",
    grad=_DIV_GRAD,
    inplace=True,
    out=True,
    samples="binary_nonzero",
    tags=("pointwise",),
)
op(
    "div.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_DIV_META,
    kernel=with_number(lambda a, b: _div_mode(a, b, None)),
    grad=_only_self(_DIV_GRAD),
    inplace=True,
    out="Scalar_out",
    variants="",
    samples="binary_number",
    tags=("pointwise",),
)
op(
    "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    meta=_div_mode_meta,
    kernel=_div_mode,
    promote="common",
    grad=_DIV_MODE_GRAD,
    inplace=True,
    out="out_mode",
    samples="binary_rounding",
    tags=("pointwise",),
)
op(
    "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    meta=_div_mode_meta,
    kernel=with_number(_div_mode),
    grad=_only_self(_DIV_MODE_GRAD),
    inplace=True,
    samples="binary_number_rounding",
    tags=("pointwise",),
)
op(
    "floor_divide(Tensor self, Tensor other) -> Tensor",
    meta=_FLOOR_META,
    kernel=integers.floor_divide,
    promote="common",
    inplace=True,
    out=True,
    grad=not_implemented_for("floor_divide", "self", "other"),
    samples="binary_nonzero",
    tags=("pointwise",),
)
op(
    "floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_FLOOR_META,
    kernel=with_number(integers.floor_divide),
    inplace=True,
    grad=not_implemented_for("floor_divide", "self"),
    samples="binary_number",
    tags=("pointwise",),
)

for _name, _kernel, _mode in (
    ("remainder", integers.remainder, "floor"),
    ("fmod", integers.fmod, "trunc"),
):
    _meta = elementwise("common", 2, cpu={f"{_name}_cpu": REFUSED_BY_MOST})
    op(
        f"{_name}.Scalar(Tensor self, Scalar other) -> Tensor",
        meta=_meta,
        kernel=with_number(_kernel),
        grad={"self": lambda g, c: g},
        inplace=True,
        out="Scalar_out",
        samples="binary_number",
        tags=("pointwise",),
    )
    op(
        f"{_name}.Tensor(Tensor self, Tensor other) -> Tensor",
        meta=_meta,
        kernel=_kernel,
        promote="common",
        grad={
            "self": lambda g, c: g,
            "other": (lambda g, c: -g * ops.div(c.self, c.other, rounding_mode="floor"))
            if _mode == "floor"
            else (lambda g, c: -g * ops.div(c.self, c.other, rounding_mode="trunc")),
        },
        inplace=True,
        out="Tensor_out",
        samples="binary_nonzero",
        tags=("pointwise",),
    )
op(
    "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    meta=elementwise("common", 2, cpu={"remainder_cpu": REFUSED_BY_MOST}),
    kernel=with_number(integers.remainder),
    variants="function",
    grad=not_implemented_for("remainder", "other"),
    samples="number_binary",
    tags=("pointwise",),
)

# ------------------------------------------------------------------------- pow


def _is_integral(dtype: DType) -> bool:
    return not (dtype.is_floating_point or dtype.is_complex)


def _power_number(a: Array, exponent: Any) -> Array:
    """Like torch, the common exponents are products and roots, exact where ``pow`` is not."""
    dtype = scalars.promoted(a, exponent)
    a = a.astype(dtype.np, copy=False)
    if _is_integral(dtype):
        return integers.power(a, np.array(scalars.checked(exponent, dtype)))
    if exponent == 2:
        return np.multiply(a, a)  # type: ignore[no-any-return]
    if exponent == 1:
        return a.copy()
    if exponent == 0:
        return np.ones_like(a)
    if exponent == 0.5:
        return np.sqrt(a)  # type: ignore[no-any-return]
    if not dtype.is_complex:
        if exponent == 3:
            return a * a * a
        if exponent == -0.5:
            return 1 / np.sqrt(a)  # type: ignore[no-any-return]
        if exponent == -1:
            return 1 / a
        if exponent == -2:
            return 1 / (a * a)
    return np.power(a, scalars.cast(exponent, a.dtype))  # type: ignore[no-any-return]


def _check_exponent(self: Any, exponent: Any) -> None:
    """Source: torch aten/src/ATen/native/Pow.cpp, pow_Tensor_Scalar meta."""
    if _is_integral(self.dtype) and not isinstance(exponent, (float, complex)) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")


def _pow_base_grad(g: Any, base: Any, exponent: Any) -> Any:
    slope = g * conj(exponent * base.pow(exponent - 1))
    return ops.where(exponent == 0, 0.0, slope)


def _stays_zero(exponent: Any) -> Any:
    """Where a power of zero does not change with its exponent."""
    if exponent.dtype.is_complex:
        return (ops.imag(exponent) == 0) & (ops.real(exponent) >= 0)
    return exponent >= 0


def _pow_exponent_grad(g: Any, base: Any, exponent: Any, result: Any) -> Any:
    flat = (base == 0) & _stays_zero(exponent)
    return g * ops.where(flat, 0.0, conj(result * base.log()))


def _number_pow_grad(g: Any, base: Any, exponent: Any, result: Any) -> Any:
    if base == 0:
        return g * ops.where(_stays_zero(exponent), 0.0, conj(result * -math.inf))
    if isinstance(base, complex):
        return g * conj(result * cmath.log(base))
    return g * conj(result * (math.log(base) if base > 0 else math.nan))


_POW_META = elementwise("common", 2, cpu={"pow": UNSIGNED})
_POW_PLAIN_META = elementwise("common", 2)


def _power_number_meta(self: Any, exponent: Any) -> Out:
    _check_exponent(self, exponent)
    trivial = exponent in (0, 1)  # torch fills or copies, and needs no kernel
    return (_POW_PLAIN_META if trivial else _POW_META)(self, exponent)


def _number_power_meta(self: Any, exponent: Any) -> Out:
    return (_POW_PLAIN_META if self == 1 else _POW_META)(self, exponent)


op(
    "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    meta=_power_number_meta,
    kernel=_power_number,
    grad={
        "self": lambda g, c: (
            ops.zeros_like(c.self)
            if c.exponent == 0
            else g * conj(c.exponent * c.self.pow(c.exponent - 1))
        )
    },
    inplace=True,
    out="Tensor_Scalar_out",
    samples="power_number",
    tags=("pointwise",),
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
    inplace=True,
    out="Tensor_Tensor_out",
    samples="power",
    tags=("pointwise",),
)
op(
    "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
    meta=_number_power_meta,
    kernel=with_number(integers.power),
    grad={"exponent": lambda g, c: _number_pow_grad(g, c.self, c.exponent, c.result)},
    variants="function",
    out="Scalar_out",
    samples="number_power",
    tags=("pointwise",),
)


def _wide(dtype_a: DType, dtype_b: DType) -> str:
    return "complex128" if dtype_a.is_complex or dtype_b.is_complex else "float64"


def _float_power(self: Any, exponent: Any) -> Any:
    import mindtorch

    wide = getattr(mindtorch, _wide(dtype_of(self), dtype_of(exponent)))
    base = self.to(wide) if hasattr(self, "to") else self
    power = exponent.to(wide) if hasattr(exponent, "to") else exponent
    return ops.pow(base, power)


for _schema, _out in (
    ("float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", "Tensor_Tensor_out"),
    ("float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", "Scalar_out"),
    ("float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", "Tensor_Scalar_out"),
):
    op(
        _schema,
        composite=_float_power,
        out=_out,
        variants="function" if "Scalar self" in _schema else "function, method",
        samples="power",
        tags=("pointwise",),
    )
