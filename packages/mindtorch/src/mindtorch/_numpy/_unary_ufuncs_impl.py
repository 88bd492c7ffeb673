"""The universal functions of one array, on tensors: torch's functions under numpy's names."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import (
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctanh,
    bitwise_not,
    ceil,
    cos,
    cosh,
    deg2rad,
    exp,
    exp2,
    expm1,
    floor,
    isfinite,
    isinf,
    isnan,
    log,
    log1p,
    log2,
    log10,
    logical_not,
    negative,
    rad2deg,
    reciprocal,
    sign,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
    trunc,
)
from ..aten.torch import conj_physical as conjugate
from ..aten.torch import round as rint

conj = conjugate
degrees = rad2deg
fix = rint
invert = bitwise_not
radians = deg2rad


def cbrt(x: Any) -> Any:
    """The third root, of negative numbers, too."""
    return torch.pow(x, 1 / 3)


def positive(x: Any) -> Any:
    """The array itself."""
    return +x


def absolute(x: Any) -> Any:
    """The absolute value; bools have none but themselves."""
    return x if x.dtype == torch.bool else torch.abs(x)


def fabs(x: Any) -> Any:
    """The absolute value; bools are refused."""
    return torch.abs(x)


abs = absolute

#: The functions by the names that numpy has for them.
FUNCTIONS = {
    "abs": absolute,
    "absolute": absolute,
    "arccos": arccos,
    "arccosh": arccosh,
    "arcsin": arcsin,
    "arcsinh": arcsinh,
    "arctan": arctan,
    "arctanh": arctanh,
    "bitwise_not": bitwise_not,
    "cbrt": cbrt,
    "ceil": ceil,
    "conj": conj,
    "conjugate": conjugate,
    "cos": cos,
    "cosh": cosh,
    "deg2rad": deg2rad,
    "degrees": degrees,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "fabs": fabs,
    "fix": fix,
    "floor": floor,
    "invert": invert,
    "isfinite": isfinite,
    "isinf": isinf,
    "isnan": isnan,
    "log": log,
    "log10": log10,
    "log1p": log1p,
    "log2": log2,
    "logical_not": logical_not,
    "negative": negative,
    "positive": positive,
    "rad2deg": rad2deg,
    "radians": radians,
    "reciprocal": reciprocal,
    "rint": rint,
    "sign": sign,
    "signbit": signbit,
    "sin": sin,
    "sinh": sinh,
    "sqrt": sqrt,
    "square": square,
    "tan": tan,
    "tanh": tanh,
    "trunc": trunc,
}
