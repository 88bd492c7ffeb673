"""Elementwise functions of one tensor, from numpy ufuncs: roots, exponentials, trigonometry."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import from_numpy

from ..call.elementwise_meta import elementwise, kept_layout
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import conj, of, ops
from .derivatives import no_formula_for
from .factory import like
from .number_first import less

Array = np.ndarray[Any, Any]
Grad = Callable[[Any, Any], Any]


def unary(
    name: str,
    function: Any = None,
    grad: Grad | None = None,
    *,
    prepare: Callable[[Array], Callable[[Array], Array]] | None = None,
    lacks: frozenset[str] = frozenset(),
    cpu: str = "",
    samples: str = "unary",
    promote: str = "float",
    check: Callable[..., None] | None = None,
    inplace: bool = True,
    inplace_grad: dict[str, Any] | None = None,
    variants: str = "function, method",
    module: str = "",
    kept: bool = False,
    says: str = "",
    **facts: Any,
) -> None:
    """The row of ``name(Tensor self) -> Tensor``.

    *function* is a ufunc or a kernel, if there is no *prepare*; *cpu* names torch's CPU kernel,
    *lacks* its missing dtypes. *kept*: the result keeps all strides of ``self``. *facts* are
    further fields of the row.
    """
    ufunc = function if isinstance(function, np.ufunc) else None
    refusals = {cpu or f"{name}_cpu": lacks} if lacks else None
    meta = elementwise(promote, 1, cpu=refusals, check=check)
    op(
        f"{name}(Tensor self) -> Tensor",
        says=says,
        meta=kept_layout(meta) if kept else meta if refusals or check else None,
        ufunc=ufunc,
        kernel=None if ufunc else function,
        prepare=prepare,
        promote=promote,
        grad=None if grad is None else {"self": grad},
        variants=variants,
        module=module,
        inplace=inplace,
        inplace_grad=inplace_grad,
        out=OutForm(dtype="same") if promote == "common" else True,
        samples=samples,
        tags=("pointwise",),
        **facts,
    )


# ------------------------------------------------------------------------- roots, exponentials


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _reciprocal(x: Array) -> Array:
    return 1 / x


def _log2(x: Array) -> Array:
    return np.log(x) / math.log(2) if x.dtype.kind == "c" else np.log2(x)


def _reciprocal_grad(g: Any, c: Any) -> Any:
    result = c.result
    square = conj(result * result)
    return -g * square


def _rsqrt_grad(g: Any, c: Any) -> Any:
    cube = conj(c.result.pow(3))
    return -0.5 * g * cube


unary(
    "reciprocal",
    _reciprocal,
    _reciprocal_grad,
    says="Return one divided by each element.",
    scalar="1 / self",
    autocast=("", "float32"),
)
unary(
    "sqrt",
    np.sqrt,
    lambda g, c: g / conj(2 * c.result),
    samples="unary_positive",
    says="Return the square root of each element.",
)
unary(
    "rsqrt",
    _rsqrt,
    _rsqrt_grad,
    samples="unary_positive",
    says="Return one divided by the square root of each element.",
    scalar="1 / sqrt(self)",
    autocast=("", "float32"),
)
unary(
    "exp",
    np.exp,
    lambda g, c: g * conj(c.result),
    says="Return e to the power of each element.",
    autocast=("", "float32"),
)
unary(
    "exp2",
    np.exp2,
    lambda g, c: g * conj(c.result) * math.log(2),
    says="Return two to the power of each element.",
)
unary(
    "expm1",
    np.expm1,
    lambda g, c: g * conj(c.result + 1),
    says="Return exp(x) - 1 of each element, accurate near zero.",
    autocast=("", "float32"),
)
unary(
    "log",
    np.log,
    lambda g, c: g / conj(c.self),
    samples="unary_positive",
    says="Return the natural logarithm of each element.",
    autocast=("", "float32"),
)
unary(
    "log2",
    _log2,
    lambda g, c: g / (conj(c.self) * 0.6931471805599453),
    samples="unary_positive",
    says="Return the logarithm to base 2 of each element.",
    scalar="log2(self)",
    autocast=("", "float32"),
)
unary(
    "log10",
    np.log10,
    lambda g, c: g / (conj(c.self) * 2.3025850929940456),
    samples="unary_positive",
    says="Return the logarithm to base 10 of each element.",
    autocast=("", "float32"),
)
unary(
    "log1p",
    np.log1p,
    lambda g, c: g / conj(c.self + 1),
    samples="unary_positive",
    says="Return log(1 + x) of each element, accurate near zero.",
    autocast=("", "float32"),
)

# ------------------------------------------------------------------------- trigonometry

unary("sin", np.sin, lambda g, c: g * conj(c.self.cos()), says="Return the sine of each element.")
unary(
    "cos", np.cos, lambda g, c: g * conj(-c.self.sin()), says="Return the cosine of each element."
)
unary(
    "tan",
    np.tan,
    lambda g, c: g * conj(1 + c.result.pow(2)),
    says="Return the tangent of each element.",
    autocast=("", "float32"),
)
unary(
    "asin",
    np.arcsin,
    lambda g, c: g * conj((-c.self * c.self + 1).rsqrt()),
    samples="unary_unit",
    says="Return the inverse sine of each element.",
    autocast=("", "float32"),
)
unary(
    "acos",
    np.arccos,
    lambda g, c: g * -conj((-c.self * c.self + 1).rsqrt()),
    samples="unary_unit",
    says="Return the inverse cosine of each element.",
    autocast=("", "float32"),
)
unary(
    "atan",
    np.arctan,
    lambda g, c: g / conj(c.self * c.self + 1),
    says="Return the inverse tangent of each element.",
)
unary(
    "sinh",
    np.sinh,
    lambda g, c: g * conj(c.self.cosh()),
    says="Return the hyperbolic sine of each element.",
    autocast=("", "float32"),
)
unary(
    "cosh",
    np.cosh,
    lambda g, c: g * conj(c.self.sinh()),
    says="Return the hyperbolic cosine of each element.",
    autocast=("", "float32"),
)


def tanh_backward(g: Array, result: Array) -> Array:
    slope = 1 - result * result
    return g * (np.conjugate(slope) if slope.dtype.kind == "c" else slope)


def _atanh_grad(g: Any, c: Any) -> Any:
    bottom = conj(less(1, c.self.pow(2)))
    return g * 1 / bottom


def _acosh_grad(g: Any, c: Any) -> Any:
    x = c.self
    if x.is_complex():
        return g * conj((x - 1).rsqrt() * (x + 1).rsqrt())
    return g * (x * x - 1).rsqrt()


unary(
    "tanh",
    np.tanh,
    lambda g, c: ops.tanh_backward(g, c.result),
    says="Return the hyperbolic tangent of each element.",
)
unary(
    "asinh",
    np.arcsinh,
    lambda g, c: g * conj((c.self.pow(2) + 1).rsqrt()),
    inplace_grad=no_formula_for("inplace version of asinh", "self"),
    says="Return the inverse hyperbolic sine of each element.",
    node=(0, 1),
)
unary(
    "acosh",
    np.arccosh,
    _acosh_grad,
    inplace_grad=no_formula_for("inplace version of acosh", "self"),
    samples="unary_above_one",
    says="Return the inverse hyperbolic cosine of each element.",
    node=(0, 1),
)
unary(
    "atanh",
    np.arctanh,
    _atanh_grad,
    inplace_grad=no_formula_for("inplace version of atanh", "self"),
    samples="unary_unit",
    says="Return the inverse hyperbolic tangent of each element.",
    node=(0, 1),
)


def _sinc(x: Array) -> Array:
    angle = x * x.dtype.type(math.pi)
    return np.where(x == 0, x.dtype.type(1), np.sin(angle) / np.where(x == 0, 1, angle)).astype(
        x.dtype, copy=False
    )


def _sinc_grad(g: Any, c: Any) -> Any:
    angle = c.self * math.pi
    square = c.self * c.self * math.pi
    sine = angle.sin()
    slope = g * conj((angle * angle.cos() - sine) / square)
    zero = of("scalar_tensor")(0.0, slope.dtype, slope.layout, slope.device, None)
    return of("where.self")(square == 0.0, zero, slope)


unary(
    "sinc",
    _sinc,
    _sinc_grad,
    says="Return sin(pi x) / (pi x) of each element, one at zero.",
    scalar="1 if self == 0 else sin(pi * self) / (pi * self)",
)

# ------------------------------------------------------------------------- the rest


def _angles(name: str, factor: float, says: str) -> None:
    def check(self: Any) -> None:
        if self.dtype.is_complex:
            raise RuntimeError(f"{name} is not supported for complex tensors.")

    def kernel(x: Array) -> Array:
        return np.multiply(x, x.dtype.type(factor))

    def grad(g: Any, c: Any) -> Any:
        return g * factor

    scalar = f"self * {factor!r}"
    unary(name, kernel, grad, check=check, kept=True, scalar=scalar, says=says)


_angles("deg2rad", math.pi / 180, says="Convert each angle from degrees to radians.")
_angles("rad2deg", 180 / math.pi, says="Convert each angle from radians to degrees.")

_LIMITS = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38}


def _nan_to_num(x: Array, nan: float | None, posinf: float | None, neginf: float | None) -> Array:
    if x.dtype.kind in "iub":
        return x.copy()
    if x.dtype.kind == "c":
        parts = x.view(x.real.dtype) if x.flags.c_contiguous and x.ndim and x.size else None
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
    return like(self)


op(
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    says="""Replace NaN and the infinities by finite numbers.
    Without numbers given NaN becomes zero, the infinities the largest and smallest numbers.

    >>> torch.nan_to_num(torch.tensor([1.0, float('nan'), float('-inf')]), nan=0.0,
    ...     neginf=-1.0)
    tensor([ 1.,  0., -1.])
    """,
    meta=_nan_to_num_meta,
    kernel=_nan_to_num,
    half=False,
    grad={"self": lambda g, c: g * ops.isfinite(c.self)},
    inplace=True,
    out=OutForm(text="nan_to_num: dtype of out: {out} should be same as input: {result}"),
    samples="nan_to_num",
    tags=("pointwise", "real_only"),
)
