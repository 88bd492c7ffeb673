"""Elementwise functions of one tensor: roots, exponentials, trigonometry, rounding, signs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, bool_, from_numpy, get_default_dtype
from mindtorch_storage.promotion import can_cast

from ..errors import cannot_cast
from . import special
from .call import conj, ops
from .meta import (
    BOOL,
    COMPLEX,
    NOT_REAL_FLOATING,
    UNSIGNED,
    elementwise,
    out_like,
    refuse,
)
from .row import Out, op

Array = np.ndarray[Any, Any]
Grad = Callable[[Any, Any], Any]


def unary(
    name: str,
    function: Any,
    grad: Grad | None = None,
    *,
    lacks: frozenset[str] = frozenset(),
    cpu: str = "",
    samples: str = "unary",
    promote: str = "float",
    check: Callable[..., None] | None = None,
    inplace: bool = True,
) -> None:
    """The row of ``name(Tensor self) -> Tensor``.

    *function* is a ufunc or a kernel; *cpu* names torch's CPU kernel, *lacks* its missing dtypes.
    """
    ufunc = function if isinstance(function, np.ufunc) else None
    refusals = {cpu or f"{name}_cpu": lacks} if lacks else None
    op(
        f"{name}(Tensor self) -> Tensor",
        meta=elementwise(promote, 1, cpu=refusals, check=check) if refusals or check else None,
        ufunc=ufunc,
        kernel=None if ufunc else function,
        promote=promote,
        grad=None if grad is None else {"self": grad},
        inplace=inplace,
        out=True,
        samples=samples,
        tags=("pointwise",),
    )


def in_float64(ufunc: np.ufunc) -> Callable[[Array], Array]:
    """A kernel that computes float32 in float64: where numpy's float32 loses three units."""

    def kernel(x: Array) -> Array:
        if x.dtype == np.float32:
            return ufunc(x, dtype=np.float64).astype(np.float32)  # type: ignore[no-any-return]
        return ufunc(x)  # type: ignore[no-any-return]

    return kernel


def _zeros(g: Any, c: Any) -> Any:
    return ops.zeros_like(g)


# ------------------------------------------------------------------------- roots, exponentials


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)  # type: ignore[no-any-return]


def _reciprocal(x: Array) -> Array:
    return 1 / x


def _log2(x: Array) -> Array:
    return np.log(x) / math.log(2) if x.dtype.kind == "c" else np.log2(x)


unary("reciprocal", _reciprocal, lambda g, c: -g * conj(c.result * c.result))
unary("sqrt", np.sqrt, lambda g, c: g / conj(2 * c.result), samples="unary_positive")
unary("rsqrt", _rsqrt, lambda g, c: -0.5 * g * conj(c.result.pow(3)), samples="unary_positive")
unary("exp", np.exp, lambda g, c: g * conj(c.result))
unary("exp2", np.exp2, lambda g, c: g * conj(c.result) * math.log(2))
unary("expm1", np.expm1, lambda g, c: g * conj(c.result + 1))
unary("log", np.log, lambda g, c: g / conj(c.self), samples="unary_positive")
unary("log2", _log2, lambda g, c: g / conj(c.self * 0.6931471805599453), samples="unary_positive")
unary(
    "log10",
    np.log10,
    lambda g, c: g / conj(c.self * 2.3025850929940456),
    samples="unary_positive",
)
unary("log1p", np.log1p, lambda g, c: g / conj(c.self + 1), samples="unary_positive")

# ------------------------------------------------------------------------- trigonometry

unary("sin", np.sin, lambda g, c: g * conj(c.self.cos()))
unary("cos", np.cos, lambda g, c: g * conj(-c.self.sin()))
unary("tan", in_float64(np.tan), lambda g, c: g * conj(1 + c.result.pow(2)))
unary(
    "asin",
    in_float64(np.arcsin),
    lambda g, c: g * conj((-c.self * c.self + 1).rsqrt()),
    samples="unary_unit",
)
unary(
    "acos",
    in_float64(np.arccos),
    lambda g, c: g * -conj((-c.self * c.self + 1).rsqrt()),
    samples="unary_unit",
)
unary("atan", np.arctan, lambda g, c: g / conj(c.self * c.self + 1))
unary("sinh", np.sinh, lambda g, c: g * conj(c.self.cosh()))
unary("cosh", np.cosh, lambda g, c: g * conj(c.self.sinh()))


def _tanh_backward(g: Array, result: Array) -> Array:
    slope = 1 - result * result
    return g * (np.conjugate(slope) if slope.dtype.kind == "c" else slope)


unary("tanh", np.tanh, lambda g, c: ops.tanh_backward(g, c.result))
unary("asinh", np.arcsinh, lambda g, c: g * conj((c.self.pow(2) + 1).rsqrt()))
unary(
    "acosh",
    np.arccosh,
    lambda g, c: g * conj((c.self - 1).rsqrt() * (c.self + 1).rsqrt()),
    samples="unary_above_one",
)
unary("atanh", np.arctanh, lambda g, c: g * conj(1 / (1 - c.self.pow(2))), samples="unary_unit")


def _sinc(x: Array) -> Array:
    angle = x * x.dtype.type(math.pi)
    return np.where(x == 0, x.dtype.type(1), np.sin(angle) / np.where(x == 0, 1, angle)).astype(
        x.dtype, copy=False
    )


def _sinc_grad(g: Any, c: Any) -> Any:
    angle = c.self * math.pi
    slope = (angle * angle.cos() - angle.sin()) / (angle * c.self)
    return ops.where(angle * c.self == 0, 0.0, g * conj(slope))


unary("sinc", _sinc, _sinc_grad)

# ------------------------------------------------------------------------- special functions

unary(
    "erf",
    special.erf,
    lambda g, c: 2.0 / math.sqrt(math.pi) * (-(c.self.pow(2))).exp() * g,
    lacks=COMPLEX,
    cpu="erf_vml_cpu",
)
unary(
    "erfc",
    special.erfc,
    lambda g, c: -2.0 / math.sqrt(math.pi) * (-(c.self.pow(2))).exp() * g,
    lacks=COMPLEX,
    cpu="erfc_vml_cpu",
)
unary(
    "erfinv",
    special.erfinv,
    lambda g, c: 0.5 * math.sqrt(math.pi) * c.self.erfinv().pow(2).exp() * g,
    lacks=COMPLEX,
    cpu="erfinv_vml_cpu",
    samples="unary_unit",
)
unary(
    "lgamma",
    special.lgamma,
    lambda g, c: g * ops.digamma(c.self),
    lacks=COMPLEX,
    cpu="lgamma_vml_cpu",
    samples="unary_positive",
)
unary(
    "digamma",
    special.digamma,
    lambda g, c: g * ops.polygamma(1, c.self),
    lacks=COMPLEX,
    cpu="digamma",
    samples="unary_positive",
)


def _check_polygamma(n: int, self: Any) -> None:
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")


def _polygamma_meta(n: int, self: Any) -> Out:
    _check_polygamma(n, self)
    kernel = ("digamma", "trigamma")[n] if n < 2 else "polygamma"
    return elementwise("float", 1, cpu={kernel: COMPLEX})(self)


op(
    "polygamma(int n, Tensor self) -> Tensor",
    meta=_polygamma_meta,
    kernel=special.polygamma,
    promote="float",
    grad={"self": lambda g, c: g * ops.polygamma(c.n + 1, c.self)},
    out=True,
    samples="polygamma",
    tags=("pointwise",),
)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))  # type: ignore[no-any-return]


unary("sigmoid", _sigmoid, lambda g, c: ops.sigmoid_backward(g, c.result))


def _sigmoid_backward(g: Array, result: Array) -> Array:
    if g.dtype.kind == "c":
        return g * np.conjugate((1 - result) * result)
    return g * (1 - result) * result


op(
    "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
    meta=elementwise("common", 2),
    kernel=_sigmoid_backward,
    promote="common",
    module="nn",
    grad={
        "grad_output": lambda g, c: ops.sigmoid_backward(g, c.output),
        "output": lambda g, c: conj(c.grad_output) * g * conj(1 - 2 * c.output),
    },
    variants="",
    out="grad_input",
    samples="",
    tags=("pointwise",),
)
op(
    "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
    meta=elementwise("common", 2),
    kernel=_tanh_backward,
    promote="common",
    module="nn",
    grad={
        "grad_output": lambda g, c: ops.tanh_backward(g, c.output),
        "output": lambda g, c: conj(c.grad_output) * g * conj(-2 * c.output),
    },
    variants="",
    out="grad_input",
    samples="",
    tags=("pointwise",),
)


def _logit_meta(self: Any, eps: float | None) -> Out:
    return elementwise("float", 1, cpu={"logit_cpu": COMPLEX})(self)


def _logit(x: Array, eps: float | None) -> Array:
    if x.dtype.kind in "iub":
        x = x.astype(get_default_dtype().np)
    one = x.dtype.type(1)
    if eps is not None:
        low = x.dtype.type(eps)
        x = np.where(x < low, low, np.minimum(x, one - low))
    return np.log(x / (one - x))  # type: ignore[no-any-return]


def _logit_grad(g: Any, c: Any) -> Any:
    slope = g / (c.self * (1.0 - c.self))
    if c.eps is None:
        return ops.where((c.self < 0) | (c.self > 1), math.nan, slope)
    return ops.where((c.self < c.eps) | (c.self > 1.0 - c.eps), 0.0, slope)


op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    meta=_logit_meta,
    kernel=_logit,
    half=False,  # torch rounds each step
    promote="float",
    grad={"self": _logit_grad},
    inplace=True,
    out=True,
    samples="logit",
    tags=("pointwise",),
)

# ------------------------------------------------------------------------- signs and absolutes


def _check_neg(self: Any) -> None:
    """Source: torch aten/src/ATen/native/UnaryOps.cpp, neg meta."""
    if self.dtype is bool_:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )


unary(
    "neg",
    np.negative,
    lambda g, c: -g,
    lacks=UNSIGNED,
    promote="common",
    check=_check_neg,
)


def _positive(self: Any) -> Any:
    if self.dtype is bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


op("positive(Tensor(a) self) -> Tensor(a)", composite=_positive, samples="unary")


def _real_dtype(dtype: DType) -> DType:
    return dtype.to_real() if dtype.is_complex else dtype


_abs_meta = elementwise("common", 1, cpu={"abs_cpu": BOOL | UNSIGNED}, dtype=_real_dtype)


def _abs_out_meta(target: Any, self: Any) -> Out:
    out = _abs_meta(self)
    if not self.dtype.is_complex:
        return out
    if target is self:
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    if not can_cast(out.dtype, target.dtype):
        raise cannot_cast(out.dtype, target.dtype)
    return Out(out.shape, target.dtype, out.strides)


op(
    "abs(Tensor self) -> Tensor",
    meta=_abs_meta,
    out_meta=_abs_out_meta,
    ufunc=np.absolute,
    promote="common",
    grad={"self": lambda g, c: g * c.self.sgn()},
    inplace=True,
    out=True,
    samples="unary",
    tags=("pointwise",),
)


def _check_sign(self: Any) -> None:
    """Source: torch aten/src/ATen/native/UnaryOps.cpp, sign meta."""
    if self.dtype.is_complex:
        raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. "
            "Please use torch.sgn instead."
        )


def _sign(x: Array) -> Array:
    if x.dtype.kind in "ub":
        return (x > 0).astype(x.dtype)
    return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)  # type: ignore[no-any-return]


def _sgn(x: Array) -> Array:
    if x.dtype.kind != "c":
        return _sign(x)
    size = np.abs(x)
    return np.where(size == 0, x.dtype.type(0), x / np.where(size == 0, 1, size)).astype(x.dtype)


def _sgn_grad(g: Any, c: Any) -> Any:
    if not c.self.dtype.is_complex:
        return ops.zeros_like(g)
    size = c.self.abs()
    part = g / size - ops.real(g / c.self) * c.self.sgn()
    return part.masked_fill(size == 0.0, 0.0)


unary("sign", _sign, _zeros, lacks=UNSIGNED, promote="common", check=_check_sign)
unary("sgn", _sgn, _sgn_grad, lacks=UNSIGNED, cpu="sign_cpu", promote="common")


def _square(self: Any) -> Any:
    return self.pow(2)


op("square(Tensor self) -> Tensor", composite=_square, samples="unary", tags=("pointwise",))
op(
    "square_(Tensor(a!) self) -> Tensor(a!)",
    composite=lambda self: self.pow_(2),
    variants="function, method",
    tags=("pointwise",),
)


def _signbit_check(self: Any) -> None:
    if self.dtype.is_complex:
        raise NotImplementedError("signbit is not implemented for complex tensors.")


def _signbit(x: Array) -> Array:
    return x < 0 if x.dtype.kind in "iub" else np.signbit(x)  # bfloat16 is of kind "V"


def to_bool(name: str, kernel: Any, *, check: Any = None, out: bool = True) -> None:
    """The row of a test ``name(Tensor self) -> Tensor`` with a bool result."""
    op(
        f"{name}(Tensor self) -> Tensor",
        meta=elementwise("bool", 1, check=check),
        kernel=kernel,
        half=False,
        out=out,
        samples="unary_specials",
        tags=("pointwise",),
    )


def no_complex_input(name: str) -> Callable[..., None]:
    """A check with the text of ``isposinf`` and ``isneginf``."""

    def check(self: Any) -> None:
        if self.dtype.is_complex:
            raise RuntimeError(f"{name} does not support complex inputs.")

    return check


def _is_exact(x: Array) -> bool:
    return x.dtype.kind in "iub"


def _isnan(x: Array) -> Array:
    return np.zeros(x.shape, bool) if _is_exact(x) else np.isnan(x)


def _isinf(x: Array) -> Array:
    return np.zeros(x.shape, bool) if _is_exact(x) else np.isinf(x)


def _isfinite(x: Array) -> Array:
    return np.ones(x.shape, bool) if _is_exact(x) else np.isfinite(x)


def _isposinf(x: Array) -> Array:
    return np.zeros(x.shape, bool) if _is_exact(x) else np.isinf(x) & (x > 0)


def _isneginf(x: Array) -> Array:
    return np.zeros(x.shape, bool) if _is_exact(x) else np.isinf(x) & (x < 0)


to_bool("signbit", _signbit, check=_signbit_check)
to_bool("isnan", _isnan, out=False)
to_bool("isinf", _isinf, out=False)
to_bool("isfinite", _isfinite, out=False)
to_bool("isposinf", _isposinf, check=no_complex_input("isposinf"))
to_bool("isneginf", _isneginf, check=no_complex_input("isneginf"))

# ------------------------------------------------------------------------- rounding


def rounding(name: str, ufunc: np.ufunc, complex_text: bool = True) -> None:
    """The row of floor, ceil, trunc or round: integers come back as they are."""

    def check(self: Any) -> None:
        if complex_text and self.dtype.is_complex:
            raise NotImplementedError(f"{name} is not supported for complex inputs")

    def kernel(x: Array) -> Array:
        return x.copy() if x.dtype.kind in "iu" else ufunc(x)

    unary(
        name,
        kernel,
        _zeros,
        lacks=BOOL | COMPLEX,
        cpu=f"{name}_vml_cpu",
        promote="common",
        check=check,
    )


rounding("floor", np.floor)
rounding("ceil", np.ceil)
rounding("trunc", np.trunc)
rounding("round", np.rint, complex_text=False)


def _round_decimals(x: Array, decimals: int) -> Array:
    scale = x.dtype.type(10.0 ** abs(decimals))
    if decimals == 0:
        return np.rint(x)  # type: ignore[no-any-return]
    return np.rint(x * scale) / scale if decimals > 0 else np.rint(x / scale) * scale


def _round_decimals_meta(self: Any, decimals: int) -> Out:
    if decimals == 0:
        refuse(self.dtype, {"round_vml_cpu": NOT_REAL_FLOATING}, self)
    refuse(self.dtype, {"round_cpu": NOT_REAL_FLOATING}, self)
    return out_like(self.dtype, self)


op(
    "round.decimals(Tensor self, *, int decimals) -> Tensor",
    meta=_round_decimals_meta,
    kernel=_round_decimals,
    promote="common",
    grad={"self": _zeros},
    inplace=True,
    out="decimals_out",
    samples="round_decimals",
    tags=("pointwise",),
)
unary(
    "frac",
    lambda x: x - np.trunc(x),
    lambda g, c: g,
    lacks=NOT_REAL_FLOATING,
    promote="common",
)

# ------------------------------------------------------------------------- the rest


def _angles(name: str, factor: float) -> None:
    def check(self: Any) -> None:
        if self.dtype.is_complex:
            raise RuntimeError(f"{name} is not supported for complex tensors.")

    def kernel(x: Array) -> Array:
        return np.multiply(x, x.dtype.type(factor))  # type: ignore[no-any-return]

    unary(name, kernel, lambda g, c: g * factor, check=check)


_angles("deg2rad", math.pi / 180)
_angles("rad2deg", 180 / math.pi)

_LIMITS = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38}


def _nan_to_num(x: Array, nan: float | None, posinf: float | None, neginf: float | None) -> Array:
    if x.dtype.kind in "iub":
        return x.copy()
    if x.dtype.kind == "c":
        parts = x.view(x.real.dtype) if x.flags.c_contiguous and x.ndim else None
        if parts is not None:
            return _nan_to_num(parts, nan, posinf, neginf).view(x.dtype)
        result = np.empty(x.shape, x.dtype)
        result.real = _nan_to_num(x.real, nan, posinf, neginf)
        result.imag = _nan_to_num(x.imag, nan, posinf, neginf)
        return result
    kind = x.dtype.type
    largest = _LIMITS.get(from_numpy(x.dtype).name)
    if largest is None:
        largest = float(np.finfo(x.dtype).max)
    result = np.where(np.isnan(x), kind(0.0 if nan is None else nan), x)
    result[x == np.inf] = kind(largest if posinf is None else posinf)
    result[x == -np.inf] = kind(-largest if neginf is None else neginf)
    return result


def _nan_to_num_meta(self: Any, *rest: Any) -> Out:
    return out_like(self.dtype, self)


op(
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    meta=_nan_to_num_meta,
    kernel=_nan_to_num,
    half=False,
    grad={"self": lambda g, c: g * ops.isfinite(c.self)},
    inplace=True,
    out=True,
    samples="nan_to_num",
    tags=("pointwise",),
)
