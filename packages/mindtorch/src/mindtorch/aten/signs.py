"""Signs, absolute values, and questions on each element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, bool_
from mindtorch_storage.output_layout import elementwise_strides as elementwise_layout

from ..backends.dtype_support import refuse_scarce
from ..call.elementwise_meta import BOOL, UNSIGNED, cast_onto, elementwise, kept_layout
from ..call.forms import InplaceForm, OutForm
from ..call.row import Out, op
from ..core import signature
from ..core.operators import of, ops
from ..core.signature import SCARCE
from ..functionality.formulas import zeros
from .activation_row import FEW, with_sizes
from .blocks import blockwise
from .unary import OF_ITS_DTYPE, Array, parts_divided, unary


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
    tangent="linear",
    says="Negate each element.",
)


def _positive(self: Any) -> Any:
    if self.dtype is bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


op(
    "positive(Tensor(a) self) -> Tensor(a)",
    says="Return the tensor itself; bool is refused.",
    composite=_positive,
    samples="unary",
    tangent="linear",
)


def _real_dtype(dtype: DType) -> DType:
    return dtype.to_real() if dtype.is_complex else dtype


_abs_meta = kept_layout(
    elementwise("common", 1, cpu={"abs_cpu": BOOL | UNSIGNED}, dtype=_real_dtype),
    lambda self: self.dtype.is_complex,
)


def _abs_out_meta(target: Any, self: Any) -> Out:
    out = _abs_meta(self)
    if not self.dtype.is_complex:
        return out
    if target is self:
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    return cast_onto(target, out)


def _no_complex_abs(self: Any) -> None:
    """torch aten/src/ATen/native/UnaryOps.cpp, abs_."""
    if self.dtype.is_complex:
        raise RuntimeError("In-place abs is not supported for complex tensors.")


op(
    "abs(Tensor self) -> Tensor",
    says="Return the absolute value of each element.",
    meta=_abs_meta,
    out_meta=_abs_out_meta,
    ufunc=np.absolute,
    promote="common",
    grad={"self": lambda g, c: g * c.self.sgn()},
    inplace=InplaceForm(check=_no_complex_abs, when=signature.COMPLEX),
    out=OF_ITS_DTYPE,
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


@blockwise
def _prepare_sign(x: Array) -> Callable[[Array], Array]:
    """That of NaN is zero."""
    kind, zero, dtype = x.dtype.kind, np.zeros((), x.dtype), x.dtype
    if kind == "b":
        return lambda x: x.copy("K")
    if kind in "iu":
        return np.sign
    if x.size <= FEW:
        sign, put, isnan = np.sign, np.putmask, np.isnan

        def of_few(x: Array) -> Array:
            out = sign(x)
            put(out, isnan(x), zero)
            return out

        return with_sizes(of_few, x)
    greater, less, byte = np.greater, np.less, np.int8

    def kernel(x: Array) -> Array:
        return (greater(x, zero).view(byte) - less(x, zero).view(byte)).astype(dtype)

    return kernel


def _prepare_sgn(x: Array) -> Callable[[Array], Array]:
    if x.dtype.kind != "c":
        return _prepare_sign(x)
    one = np.array(1, x.real.dtype)

    def kernel(x: Array) -> Array:
        size = np.abs(x)
        zero = size == 0
        np.copyto(size, one, "no", zero)
        out = parts_divided(x, size)
        np.putmask(out, zero, 0)  # whatever the signs of its parts
        return out

    return with_sizes(kernel, x)


def _sgn_grad(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, sgn_backward."""
    x = c.self
    sgn = c.result
    if not x.dtype.is_complex:
        return of("_efficientzerotensor")(x.shape, g.dtype, g.layout, g.device, None)
    size = x.abs()
    twice = 2.0 * size
    back = g.conj()
    turned = sgn * sgn * back
    return ((g - turned) / twice).masked_fill_(size == 0.0, 0.0)


unary(
    "sign",
    None,
    zeros,
    prepare=_prepare_sign,
    lacks=UNSIGNED,
    promote="common",
    out=OF_ITS_DTYPE,
    check=_check_sign,
    says="Return the sign of each element: -1, 0 or 1.",
    scalar="1 if self > 0 else -1 if self < 0 else 0",
)
unary(
    "sgn",
    None,
    _sgn_grad,
    prepare=_prepare_sgn,
    lacks=UNSIGNED,
    cpu="sign_cpu",
    promote="common",
    out=OF_ITS_DTYPE,
    says="Return the sign of each element; of a complex number x, x / |x|.",
)


def _square(self: Any) -> Any:
    return self.pow(2)


op(
    "square(Tensor self) -> Tensor",
    says="Return the square of each element.",
    composite=_square,
    out=True,
    out_kernel=lambda target, self: ops.pow(self, 2, out=target),
    samples="unary",
    tags=("pointwise",),
)
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


def to_bool(
    name: str,
    kernel: Any = None,
    *,
    says: str,
    check: Any = None,
    out: bool = True,
    meta: Any = None,
    **facts: Any,
) -> None:
    """The row of a test ``name(Tensor self) -> Tensor`` with a bool result."""
    op(
        f"{name}(Tensor self) -> Tensor",
        says=says,
        meta=meta or elementwise("bool", 1, check=check),
        kernel=kernel,
        half=False,
        out=out and OutForm(text=f"{name} does not support non-boolean outputs.", meta="exact"),
        samples="unary_specials",
        tags=("pointwise",),
        **facts,
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


def _isinf_meta(self: Any) -> Out:
    """Source: torch aten/src/ATen/native/TensorCompare.cpp, isinf."""
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        return _zeros_meta(self)
    shape = tuple(self.shape)  # it is ``abs() == inf``, of each part
    size = elementwise_layout(shape, [(shape, tuple(self.stride()))])
    return Out(shape, bool_, elementwise_layout(shape, [(shape, size), ((), ())]))


_zeros_meta = kept_layout(elementwise("bool", 1))


def _is_number(number: float) -> Callable[[Array], Callable[[Array], Array]]:
    """``prepare`` of whether each element is a *number* that no integer is."""

    def prepare(x: Array) -> Callable[[Array], Array]:
        if _is_exact(x):
            return lambda x: np.zeros(x.shape, bool)
        equal, wanted = np.equal, np.array(number, x.dtype)
        return lambda x: equal(x, wanted)

    return prepare


to_bool(
    "signbit",
    _signbit,
    check=_signbit_check,
    says="""Return whether the sign bit of each element is set; that of -0.0 is.

    >>> torch.signbit(torch.tensor([-0.0, 0.0, -1.0]))
    tensor([ True, False,  True])
    """,
    scalar="signbit(self)",
)
to_bool(
    "isnan", _isnan, out=False, says="Return whether each element is NaN.", scalar="isnan(self)"
)
to_bool(
    "isinf",
    _isinf,
    out=False,
    meta=_isinf_meta,
    says="Return whether each element is infinite.",
    scalar="isinf(self)",
)
to_bool(
    "isposinf",
    prepare=_is_number(math.inf),
    check=no_complex_input("isposinf"),
    says="Return whether each element is positive infinity.",
    scalar="self == inf",
)
to_bool(
    "isneginf",
    prepare=_is_number(-math.inf),
    check=no_complex_input("isneginf"),
    says="Return whether each element is negative infinity.",
    scalar="self == -inf",
)


def _isfinite(self: Any) -> Any:
    """Source: torch aten/src/ATen/native/TensorCompare.cpp, isfinite."""
    if self._sig_ & SCARCE:
        refuse_scarce("isfinite", self)
        if self.dtype.name == "float8_e8m0fnu":  # which has no infinities
            return self == self
    if self.dtype.is_complex:
        return _isfinite(self.real).__iand__(_isfinite(self.imag))
    if not self.dtype.is_floating_point:
        return ops.ones_like(self, dtype=bool_, memory_format=ops.preserve_format)
    bounded = ops.abs(self) != math.inf
    return (self == self) * bounded


op(
    "isfinite(Tensor self) -> Tensor",
    says="Return whether each element is neither infinite nor NaN.",
    composite=_isfinite,
    samples="unary_specials",
    tags=("pointwise",),
)
