"""Elementwise functions of one tensor, from numpy ufuncs: roots, exponentials, trigonometry."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import from_numpy

from ..call.elementwise_meta import elementwise, kept_layout
from ..call.forms import InplaceForm, OutForm
from ..call.row import Out, op
from ..core.operators import conj, of, ops
from .blocks import blockwise
from .derivatives import no_formula_for
from .factory import like
from .reflected import less

#: The ``out=`` form of ops that give the dtype of their argument, where meta is as strict.
OF_ITS_DTYPE = OutForm(dtype="same", meta="exact")

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
    out: OutForm | None = None,
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
        out=out or (OutForm(dtype="same") if promote == "common" else True),
        samples=samples,
        tags=("pointwise",),
        **facts,
    )


# ------------------------------------------------------------------------- roots, exponentials


def _prepare_rsqrt(x: Array) -> Callable[[Array], Array]:
    one, sqrt, divide = np.array(1, x.dtype), np.sqrt, np.divide
    return lambda x: divide(one, sqrt(x))


def _prepare_reciprocal(x: Array) -> Callable[[Array], Array]:
    one, divide = np.array(1, x.dtype), np.divide
    return lambda x: divide(one, x)


def parts_divided(x: Array, by: Any) -> Array:
    """Complex numbers by real ones, part by part: an infinite part makes no NaN of the other."""
    out = np.empty_like(x)
    np.divide(x.real, by, out.real)
    np.divide(x.imag, by, out.imag)
    return out


def _log2(x: Array) -> Array:
    return parts_divided(np.log(x), math.log(2)) if x.dtype.kind == "c" else np.log2(x)


def _reciprocal_grad(g: Any, c: Any) -> Any:
    result = c.result
    square = conj(result * result)
    return -g * square


def _rsqrt_grad(g: Any, c: Any) -> Any:
    cube = conj(c.result.pow(3))
    return -0.5 * g * cube


unary(
    "reciprocal",
    None,
    _reciprocal_grad,
    prepare=_prepare_reciprocal,
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
    None,
    _rsqrt_grad,
    prepare=_prepare_rsqrt,
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


def _sinc_of_complex(x: Array) -> Array:
    angle = x * x.dtype.type(math.pi)
    return np.where(x == 0, x.dtype.type(1), np.sin(angle) / np.where(x == 0, 1, angle)).astype(
        x.dtype, copy=False
    )


def _prepare_sinc(x: Array) -> Callable[[Array], Array]:
    if x.dtype.kind == "c":
        return _sinc_of_complex
    pi, least = np.array(math.pi, x.dtype), np.array(np.finfo(x.dtype).tiny, x.dtype)
    sin, multiply, absolute, larger = np.sin, np.multiply, np.absolute, np.maximum

    def kernel(x: Array) -> Array:
        # The function is even, and one at the least angle, too.
        angle = larger(absolute(multiply(x, pi)), least)
        wave = sin(angle)
        wave /= angle
        return wave

    return kernel


def _sinc_grad(g: Any, c: Any) -> Any:
    angle = c.self * math.pi
    square = c.self * c.self * math.pi
    sine = angle.sin()
    slope = g * conj((angle * angle.cos() - sine) / square)
    zero = of("scalar_tensor")(0.0, slope.dtype, slope.layout, slope.device, None)
    return of("where.self")(square == 0.0, zero, slope)


unary(
    "sinc",
    None,
    _sinc_grad,
    prepare=_prepare_sinc,
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


#: From so many elements on, a look whether there is anything to replace is quick beside that.
_FEW = 2048


@blockwise
def _prepare_nan_to_num(
    x: Array, nan: float | None, posinf: float | None, neginf: float | None
) -> Callable[..., Array]:
    dtype = x.dtype
    if dtype.kind in "iub":
        return lambda x, *_: x.copy()
    if dtype.kind == "c":
        return _each_part(_prepare_nan_to_num(x.real, nan, posinf, neginf), x)
    largest = _LIMITS.get(from_numpy(dtype).name)
    if largest is None:
        largest = float(np.finfo(dtype).max)
    of_nan, of_inf, of_minus_inf, inf, minus_inf = (
        np.array(dtype.type(n), dtype)
        for n in (
            0.0 if nan is None else nan,
            largest if posinf is None else posinf,
            -largest if neginf is None else neginf,
            *(np.inf, -np.inf),
        )
    )
    isnan, equal, put, many = np.isnan, np.equal, np.putmask, x.size > _FEW

    def kernel(x: Array, *_: Any) -> Array:
        result = x.copy("K")
        if many and np.isfinite(x).all():
            return result
        put(result, isnan(x), of_nan)
        put(result, equal(x, inf), of_inf)
        put(result, equal(x, minus_inf), of_minus_inf)
        return result

    return kernel


def _each_part(kernel: Callable[[Array], Array], x: Array) -> Callable[..., Array]:
    """*kernel* of the real and of the imaginary parts of complex arrays like *x*."""
    dtype, real, shape = x.dtype, x.real.dtype, x.shape
    if x.flags.c_contiguous and x.ndim and x.size:
        return lambda x, *_: kernel(x.view(real)).view(dtype)

    def of_parts(x: Array, *_: Any) -> Array:
        result = np.empty(shape, dtype)
        result.real, result.imag = kernel(x.real), kernel(x.imag)
        return result

    return of_parts


def _holds_integers(self: Any, *rest: Any) -> bool:
    return not (self.is_floating_point() or self.is_complex())


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
    prepare=_prepare_nan_to_num,
    half=False,
    grad={"self": lambda g, c: g * ops.isfinite(c.self)},
    inplace=InplaceForm(idle=_holds_integers),
    out=OutForm(text="nan_to_num: dtype of out: {out} should be same as input: {result}"),
    samples="nan_to_num",
    tags=("pointwise", "real_only"),
)
