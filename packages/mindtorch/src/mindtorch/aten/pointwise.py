"""Arithmetic on two tensors: add, sub, mul."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, bool_, from_numpy

from ..call.elementwise_meta import UNSIGNED, common_dtype, dtype_of, elementwise
from ..call.forms import OutForm
from ..call.row import op
from ..core.half_precision import in_single
from ..core.operators import conj
from . import scalars
from .blocks import writing_in_blocks

Array = np.ndarray[Any, Any]


def with_number(
    kernel: Any = None,
    *,
    prepare: Callable[..., Callable[..., Array]] | None = None,
    choose: Callable[[Array], Callable[..., Array]] | None = None,
) -> Callable[..., Callable[..., Array]]:
    """``prepare`` of a ``.Scalar`` overload, by the kernel of the tensors: promote, then compute.

    *prepare* stands in place of the kernel, as in ``op``; *choose* is given the array alone, so the
    kernel serves all numbers.

    The ``.Scalar`` overloads of add, sub, mul and div have no function: torch's parser lets a
    number stand for the tensor there. They are for ``torch.ops``.
    """

    def prepare_with_number(a: Any, b: Any, *rest: Any) -> Callable[..., Array]:
        first = isinstance(a, np.ndarray)
        array, number = (a, b) if first else (b, a)
        dtype = scalars.promoted(array, number).np
        wider = array.dtype != dtype
        if choose is not None:
            run = choose(array)
        elif prepare is None:
            run = kernel
        else:
            both = array.astype(dtype, copy=False), np.asarray(scalars.cast(number, dtype))
            run = prepare(*both if first else reversed(both))
        # The last number and what became of it, exchanged as one: other threads may call.
        memo: tuple[Any, Any] = (None, None)

        def scalar_kernel(a: Any, b: Any, *rest: Any) -> Array:
            nonlocal memo
            array, number = (a, b) if first else (b, a)
            known = memo
            if known[0] is not number:
                known = memo = number, scalars.cast(number, dtype)
            if wider:
                array = array.astype(dtype)
            return run(array, known[1], *rest) if first else run(known[1], array, *rest)

        return scalar_kernel

    return prepare_with_number


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


def check_add(self: Any, other: Any, alpha: Any = 1) -> None:
    _check_alpha(common_dtype(self, other), alpha)


def check_sub(self: Any, other: Any, alpha: Any = 1) -> None:
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


def multiply_add(a: Array, b: Any, c: Any) -> Array:
    """``a + b * c``, rounded twice; float16 and bfloat16 once, from float32."""
    if a.itemsize == 2 and a.dtype.kind in "fV":
        return _multiply_add_in_single(a, b, c)
    product = np.multiply(b, c)
    fits = a.ndim and product.shape == a.shape  # a product of 0-d arrays is no array
    return np.add(a, product, out=product if fits else None)


_multiply_add_in_single = in_single(lambda a, b, c: np.add(a, np.multiply(b, c, dtype=np.float32)))
_add, _subtract = in_single(np.add), in_single(np.subtract)


def scaled_sum(a: Array, b: Array, alpha: Any = 1) -> Array:
    """``a + alpha * b``; complex numbers are multiplied by 1, too, which infinities show."""
    if alpha == 1 and a.dtype.kind != "c":
        return _add(a, b) if a.itemsize == 2 else np.add(a, b)
    factor = scalars.checked(alpha, from_numpy(a.dtype))
    if a.dtype == bool:
        return np.logical_or(a, np.logical_and(b, factor))
    return multiply_add(a, b, factor)


def _sub(a: Array, b: Array, alpha: Any = 1) -> Array:
    if alpha == 1 and a.dtype.kind != "c":
        return _subtract(a, b) if a.itemsize == 2 else np.subtract(a, b)
    dtype = from_numpy(a.dtype)
    if dtype.is_complex:  # -1 has no imaginary part, that of -(1+0j) is -0.0
        return multiply_add(a, b, scalars.checked(-alpha, dtype))
    return multiply_add(a, b, -scalars.checked(alpha, dtype))


def _with_alpha(
    kernel: Callable[..., Array], sign: int, a: Array, b: Array, alpha: Any = 1
) -> Callable[..., Array]:
    """*kernel* of these rows, with the factor of *b* as an array that computes quickly."""
    if alpha == 1 or a.dtype.char not in "fd":
        return kernel
    factor = np.asarray(sign * scalars.checked(alpha, from_numpy(a.dtype)), a.dtype)
    whole = bool(b.ndim) and np.broadcast_shapes(a.shape, b.shape) == b.shape
    add, multiply = np.add, np.multiply

    def with_factor(a: Array, b: Array, alpha: Any = 1) -> Array:
        product = multiply(b, factor)
        return add(a, product, product) if whole else add(a, product)

    return with_factor


@writing_in_blocks
def _add_into(product: Array, a: Array, b: Array, alpha: Any) -> None:
    """``a += alpha * b`` of one shape and float dtype."""
    np.multiply(b, scalars.checked(alpha, from_numpy(a.dtype)), product)
    np.add(a, product, a)


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


def only_self(grad: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """The formulas of an overload whose other operand is a number."""
    return {"self": grad["self"]}


_ADD_META = elementwise("common", 2, cpu={"add_stub": UNSIGNED}, check=check_add)
_SUB_META = elementwise("common", 2, cpu={"add_stub": UNSIGNED}, check=check_sub)
_MUL_META = elementwise("common", 2)

op(
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    says="""Add the second operand, multiplied by alpha, to the first.

    >>> torch.add(torch.tensor([1, 2]), torch.tensor([[10], [20]]), alpha=2)
    tensor([[21, 22],
            [41, 42]])
    """,
    meta=_ADD_META,
    ufunc=np.add,
    prepare=partial(_with_alpha, scaled_sum, 1),
    into=_add_into,
    promote="common",
    half=False,
    grad=_ADD_GRAD,
    inplace=True,
    out=True,
    samples="binary_alpha",
    tags=("pointwise", "takes_numbers", "ufunc of reals"),
    tangent="linear",
    scalar="self + alpha * other",
)
op(
    "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=_ADD_META,
    prepare=with_number(scaled_sum),
    half=False,
    grad=only_self(_ADD_GRAD),
    inplace=True,
    out=OutForm("Scalar_out", function=False),
    variants="",
    samples="binary_number",
    tags=("pointwise",),
    scalar="self + alpha * other",
    node=1,
)
op(
    "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    says="""Subtract the second operand, multiplied by alpha, from the first.

    >>> torch.sub(torch.tensor([5, 6]), 1)
    tensor([4, 5])
    """,
    meta=_SUB_META,
    ufunc=np.subtract,
    prepare=partial(_with_alpha, _sub, -1),
    into=_sub_into,
    promote="common",
    half=False,
    grad=_SUB_GRAD,
    inplace=True,
    out=True,
    samples="binary_alpha",
    tags=("pointwise", "takes_numbers", "ufunc of reals"),
    tangent="linear",
    scalar="self - alpha * other",
)
op(
    "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=_SUB_META,
    prepare=with_number(_sub),
    half=False,
    grad=only_self(_SUB_GRAD),
    inplace=True,
    out=OutForm("Scalar_out", function=False),
    variants="",
    samples="binary_number",
    tags=("pointwise",),
    scalar="self - alpha * other",
    node=1,
)
op(
    "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    says="Subtract the first operand, multiplied by alpha, from the second.",
    meta=lambda self, other, alpha: _SUB_META(other, self, alpha),
    kernel=_rsub,
    promote="common",
    half=False,
    grad=_RSUB_GRAD,
    variants="function",
    samples="binary_alpha",
    tags=("pointwise", "on_meta: other, self"),
    tangent="linear",
    scalar="other - alpha * self",
)
op(
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=_SUB_META,
    prepare=with_number(_rsub),
    half=False,
    grad=only_self(_RSUB_GRAD),
    variants="function",
    samples="binary_number",
    tags=("pointwise",),
    scalar="other - alpha * self",
    node=1,
)
op(
    "mul.Tensor(Tensor self, Tensor other) -> Tensor",
    says="""Multiply two operands element by element.

    >>> torch.mul(torch.tensor([[1], [2]]), torch.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """,
    meta=_MUL_META,
    ufunc=np.multiply,
    promote="common",
    grad={"self": lambda g, c: g * conj(c.other), "other": lambda g, c: g * conj(c.self)},
    inplace=True,
    out=True,
    samples="binary",
    tags=("pointwise", "takes_numbers"),
)
op(
    "mul.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_MUL_META,
    prepare=with_number(np.multiply),
    grad={"self": lambda g, c: g * conj(c.other)},
    inplace=True,
    out=OutForm("Scalar_out", function=False),
    variants="",
    samples="binary_number",
    tags=("pointwise",),
    scalar="self * other",
    node=1,
)
