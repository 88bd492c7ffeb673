"""Rounding to integers and to decimals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import BOOL, COMPLEX, NOT_REAL_FLOATING, out_like, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..functionality.formulas import zeros
from .unary import OF_ITS_DTYPE, Array, unary


def rounding(name: str, ufunc: np.ufunc, complex_text: bool = True, **facts: Any) -> None:
    """The row of floor, ceil, trunc or round: integers come back as they are."""

    def check(self: Any) -> None:
        if complex_text and self.dtype.is_complex:
            raise NotImplementedError(f"{name} is not supported for complex inputs")

    def kernel(x: Array) -> Array:
        return x.copy() if x.dtype.kind in "iu" else ufunc(x)

    unary(
        name,
        kernel,
        zeros,
        lacks=BOOL | COMPLEX,
        cpu=f"{name}_vml_cpu",
        promote="common",
        check=check,
        scalar=f"{ufunc.__name__}(self)",
        **facts,
    )


rounding("floor", np.floor, out=OF_ITS_DTYPE, says="Round each element down to a whole number.")
rounding("ceil", np.ceil, out=OF_ITS_DTYPE, says="Round each element up to a whole number.")
rounding("trunc", np.trunc, out=OF_ITS_DTYPE, says="Round each element towards zero.")
rounding(
    "round",
    np.rint,
    complex_text=False,
    says="""Round each element to the nearest number with the given decimals, halves to even.

    >>> torch.round(torch.tensor([0.5, 1.5, -2.5]))
    tensor([ 0.,  2., -2.])
    >>> torch.round(torch.tensor([3.14159]), decimals=2)
    tensor([3.1400])
    """,
)


def _round_decimals(x: Array, decimals: int) -> Array:
    scale = x.dtype.type(10.0 ** abs(decimals))
    if decimals == 0:
        return np.rint(x)
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
    grad={"self": zeros},
    inplace=True,
    out=OutForm("decimals_out", dtype="same"),
    samples="round_decimals",
    tags=("pointwise",),
    node=1,
)
unary(
    "frac",
    lambda x: x - np.trunc(x),
    lambda g, c: g,
    lacks=NOT_REAL_FLOATING,
    promote="common",
    out=OF_ITS_DTYPE,
    says="""Return the part of each element behind the decimal point, with its sign.

    >>> torch.frac(torch.tensor([1.25, -1.25]))
    tensor([ 0.2500, -0.2500])
    """,
    scalar="self - trunc(self)",
)
