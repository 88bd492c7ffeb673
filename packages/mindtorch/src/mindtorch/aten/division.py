"""Division of two tensors, its roundings, and remainders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from ..call.elementwise_meta import REFUSED_BY_MOST, elementwise
from ..call.forms import DeviceRule, InplaceForm, OutForm
from ..call.row import Out, op
from ..core.operators import conj, ops
from . import device_rules, integers
from .derivatives import not_implemented_for
from .pointwise import only_self, with_number
from .reflected import zeros_in

Array = np.ndarray[Any, Any]


def _quotient_back(g: Any, a: Any, b: Any, mode: str) -> Any:
    quotient = ops.div(a, b, rounding_mode=mode)
    return -g * quotient


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
        return np.true_divide(_as_float(a), _as_float(b))
    return integers.divide(a, b, rounding_mode)


def _prepare_div_mode(a: Array, b: Array, rounding_mode: str | None) -> Callable[..., Array]:
    if rounding_mode != "floor":
        return _div_mode
    floor_divide = integers.prepare_floor_divide(a, b)
    return lambda a, b, _: floor_divide(a, b)


def _by_minus(factor: Any, g: Any) -> Any:
    """``-g * factor``, with *factor* computed first, as C++ does it."""
    return -g * factor


_DIV_GRAD = {
    "self": lambda g, c: g / conj(c.other),
    "other": lambda g, c: _by_minus(conj((c.self / c.other) / c.other), g),
}


def _mode_grad(g: Any, c: Any) -> Any:
    other = c.other  # in any case, so that a change of it is seen
    return zeros_in(g) if c.rounding_mode else g / conj(other)


def _mode_other_grad(g: Any, c: Any) -> Any:
    x, other = c.self, c.other
    return zeros_in(g) if c.rounding_mode else _by_minus(conj((x / other) / other), g)


_DIV_MODE_GRAD = {"self": _mode_grad, "other": _mode_other_grad}

op(
    "div.Tensor(Tensor self, Tensor other) -> Tensor",
    says="""Divide two operands; with rounding_mode "trunc" or "floor" the quotient is rounded.
    Integers give the default floating-point dtype unless they are rounded.

    >>> torch.div(torch.tensor([-7, 7]), 2)
    tensor([-3.5000,  3.5000])
    >>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode='floor')
    tensor([-4,  3])
    """,
    meta=_DIV_META,
    ufunc=np.true_divide,
    promote="float",
    grad=_DIV_GRAD,
    inplace=True,
    out=True,
    samples="binary_nonzero",
    tags=("pointwise", "takes_numbers"),
)
op(
    "div.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_DIV_META,
    prepare=with_number(lambda a, b: _div_mode(a, b, None)),
    grad=only_self(_DIV_GRAD),
    inplace=True,
    out=OutForm("Scalar_out", function=False),
    variants="",
    samples="binary_number",
    tags=("pointwise",),
    scalar="self / other",
    node=1,
)
op(
    "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    meta=_div_mode_meta,
    prepare=_prepare_div_mode,
    promote="common",
    grad=_DIV_MODE_GRAD,
    inplace=True,
    out="out_mode",
    samples="binary_rounding",
    tags=("pointwise", "takes_numbers"),
    devices=DeviceRule(meta=device_rules.of_floor_divisor),
    node=2,
)
op(
    "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    meta=_div_mode_meta,
    prepare=with_number(_div_mode),
    grad=only_self(_DIV_MODE_GRAD),
    inplace=True,
    samples="binary_number_rounding",
    tags=("pointwise",),
)
op(
    "floor_divide(Tensor self, Tensor other) -> Tensor",
    says="""Divide two operands and round the quotient down.

    >>> torch.floor_divide(torch.tensor([-7, 7]), 2)
    tensor([-4,  3])
    """,
    meta=_FLOOR_META,
    prepare=integers.prepare_floor_divide,
    promote="common",
    inplace=InplaceForm(overload="Tensor"),
    out=OutForm(direct=True),
    grad=not_implemented_for("floor_divide", "self", "other"),
    inplace_grad=not_implemented_for("floor_divide_", "self", "other"),
    samples="binary_nonzero",
    tags=("pointwise", "takes_numbers", "loops: inplace"),
    devices=DeviceRule(meta=device_rules.of_divisor),
)
op(
    "floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_FLOOR_META,
    prepare=with_number(prepare=integers.prepare_floor_divide),
    inplace=True,
    grad=not_implemented_for("floor_divide", "self"),
    inplace_grad=not_implemented_for("floor_divide_", "self"),
    samples="binary_number",
    tags=("pointwise",),
)

for _name, _prepare, _mode, _says in (
    (
        "remainder",
        integers.prepare_remainder,
        "floor",
        """Return the remainder of a division rounded down: it has the sign of the divisor.

        >>> torch.remainder(torch.tensor([-7, 7]), 3)
        tensor([2, 1])
        """,
    ),
    (
        "fmod",
        integers.prepare_fmod,
        "trunc",
        """Return the remainder of a division rounded towards zero: it has the sign of the
        dividend.

        >>> torch.fmod(torch.tensor([-7, 7]), 3)
        tensor([-1,  1])
        """,
    ),
):
    _meta = elementwise("common", 2, cpu={f"{_name}_cpu": REFUSED_BY_MOST})
    op(
        f"{_name}.Scalar(Tensor self, Scalar other) -> Tensor",
        says=_says,
        meta=_meta,
        prepare=with_number(prepare=_prepare),
        grad={"self": lambda g, c: g},
        inplace=True,
        out=OutForm("Scalar_out", dtype="cast"),
        samples="binary_number",
        tags=("pointwise", "loops: inplace"),
    )
    op(
        f"{_name}.Tensor(Tensor self, Tensor other) -> Tensor",
        meta=_meta,
        prepare=_prepare,
        promote="common",
        grad={
            "self": lambda g, c: g,
            "other": (lambda g, c: _quotient_back(g, c.self, c.other, "floor"))
            if _mode == "floor"
            else (lambda g, c: _quotient_back(g, c.self, c.other, "trunc")),
        },
        inplace=True,
        out="Tensor_out",
        node=1,
        samples="binary_nonzero",
        tags=("pointwise", "loops: inplace"),
    )
op(
    "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    meta=elementwise("common", 2, cpu={"remainder_cpu": REFUSED_BY_MOST}),
    prepare=with_number(prepare=integers.prepare_remainder),
    variants="function",
    grad=not_implemented_for("remainder", "other"),
    samples="number_binary",
    tags=("pointwise",),
)
