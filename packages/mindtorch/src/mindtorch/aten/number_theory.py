"""Divisors, multiples, and neighbours among the floats: ``gcd``, ``lcm``, ``nextafter``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    FLOATING,
    NOT_REAL_FLOATING,
    UNSIGNED,
    elementwise,
)
from ..call.row import op
from ..core.operators import ops
from .reflected import zeros_of

__all__: list[str] = []

Array = np.ndarray[Any, Any]
_NOT_INTEGERS = FLOATING | COMPLEX | BOOL | UNSIGNED


def _lcm(a: Array, b: Array) -> Array:
    result = np.lcm(a, b)
    # What overflows turns positive again where C computes in the dtype itself.
    return np.abs(result) if result.dtype.itemsize > 2 else result


for _name, _ufunc, _kernel, _says in (
    (
        "gcd",
        np.gcd,
        None,
        """Return the greatest common divisor of two integers.

    >>> torch.gcd(torch.tensor([12, 18]), torch.tensor([8, 27]))
    tensor([4, 9])
    """,
    ),
    (
        "lcm",
        None,
        _lcm,
        """Return the least common multiple of two integers.

    >>> torch.lcm(torch.tensor([4, 6]), torch.tensor([6, 9]))
    tensor([12, 18])
    """,
    ),
):
    op(
        f"{_name}(Tensor self, Tensor other) -> Tensor",
        says=_says,
        meta=elementwise("common", 2, cpu={f"{_name}_cpu": _NOT_INTEGERS}),
        ufunc=_ufunc,
        kernel=_kernel,
        promote="common",
        inplace=True,
        out=True,
        samples="integer_pairs",
        tags=("pointwise",),
    )
op(
    "nextafter(Tensor self, Tensor other) -> Tensor",
    says="Return the next floating-point number after each element in the direction of other.",
    meta=elementwise("common", 2, cpu={"nextafter_cpu": NOT_REAL_FLOATING}),
    ufunc=np.nextafter,
    promote="common",
    half=False,
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: ops.where(c.self != c.other, g, 0),
        "other": lambda g, c: zeros_of(g, tuple(c.other_facts.shape)),
    },
    samples="binary",
    tags=("pointwise", "loops: inplace"),
)
