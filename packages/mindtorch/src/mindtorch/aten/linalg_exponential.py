"""The exponential of a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.row import Out, op
from ..core.operators import ops
from . import matrix_tangents
from .linalg_common import Together, by_matrix, check_factorable, check_square, lapack

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _exp_meta(self: Any) -> Out:
    check_square(self, "linalg.matrix_exp")
    check_factorable(self, "linalg.matrix_exp")
    return Out(tuple(self.shape), self.dtype)


#: Coefficients of the rational function that stands for the exponential of a small matrix, and
#: how large its sums of columns may be: in double precision, and in single.
#: Source: Higham, The Scaling and Squaring Method, 2005.
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0,
    960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_LARGEST = 5.371920351148152
_PADE_SINGLE = (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0)
_LARGEST_SINGLE = 3.925724783138660
#: Matrices with fewer rows cost so little that all are computed in double precision.
_FEW = 128
#: About so many calls of numpy exponentiate many matrices.
_CALLS_TOGETHER = 100


def _ratio(a: Array, eye: Array) -> tuple[Array, Array]:
    """The even and the odd part of the numerator in double precision."""
    b, dot = _PADE, np.matmul
    a2 = dot(a, a)
    a4 = dot(a2, a2)
    a6 = dot(a4, a2)
    odd = dot(a6, b[13] * a6 + b[11] * a4 + b[9] * a2)
    odd = dot(a, odd + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * eye)
    even = dot(a6, b[12] * a6 + b[10] * a4 + b[8] * a2)
    even += b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * eye
    return even, odd


def _ratio_single(a: Array, eye: Array) -> tuple[Array, Array]:
    """The same in single precision, which takes fewer powers."""
    b, dot = _PADE_SINGLE, np.matmul
    a2 = dot(a, a)
    a4 = dot(a2, a2)
    a6 = dot(a4, a2)
    odd = dot(a, b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * eye)
    return b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * eye, odd


def _prepare_exp(self: Array) -> Callable[..., Array]:
    """Scaled down by a power of 2, and squared as often afterwards."""
    shape, dtype, n = self.shape, self.dtype, self.shape[-1]
    if not self.size:
        return lambda self: self.copy()
    single = dtype.char in "fF" and n >= _FEW
    wide = dtype if single else np.dtype(np.complex128 if dtype.kind == "c" else np.float64)
    eye = np.eye(n, dtype=wide)
    ratio, largest = (_ratio_single, _LARGEST_SINGLE) if single else (_ratio, _LARGEST)
    solve, dot, ones = lapack("gesv", eye), np.dot, np.ones(n)

    def one(a: Array) -> tuple[Array]:
        a = a.astype(wide)
        norm = float(np.maximum.reduce(ones.dot(np.abs(a))))
        squarings = 0
        if norm > largest and norm < math.inf:
            squarings = max(0, math.ceil(math.log2(norm / largest)))
            a *= 0.5**squarings
        even, odd = ratio(a, eye)
        out = solve(even - odd, even + odd)[2]
        for _ in range(squarings):
            out = dot(out, out)
        return (out,)

    def many(a: Array) -> tuple[tuple[Array], Array]:
        a = a.astype(wide)
        norms = np.maximum.reduce(np.add.reduce(np.abs(a), -2), -1)
        lost = ~(norms < math.inf)
        a[lost] = 0
        squarings = np.ceil(np.log2(np.maximum(np.where(lost, 1, norms) / largest, 1)))
        a *= 0.5 ** squarings[:, None, None]
        even, odd = ratio(a, eye)
        out = np.linalg.solve(even - odd, even + odd)
        for i in range(int(squarings.max())):
            more = (squarings > i).nonzero()[0]
            some = out[more]
            out[more] = np.matmul(some, some)
        return (out,), lost

    together = Together(many, _CALLS_TOGETHER)
    run = by_matrix(one, shape[:-2], [((n, n), wide)], together=together)
    return lambda self: run(self)[0].astype(dtype, "C")


def _exp_gradient(g: Any, c: Any) -> Any:
    """The upper right block of the exponential of ``[[A^H, G], [0, A^H]]``."""
    a = c.self.mH
    n = a.size(-1)
    top = ops.cat([a, g], -1)
    bottom = ops.cat([ops.zeros_like(a), a], -1)
    whole = ops.linalg_matrix_exp(ops.cat([top, bottom], -2))
    return whole.narrow(-2, 0, n).narrow(-1, n, n)


op(
    "linalg_matrix_exp(Tensor self) -> Tensor",
    says="Return the exponential of square matrices.",
    meta=_exp_meta,
    prepare=_prepare_exp,
    module="linalg",
    variants="function",
    grad={"self": _exp_gradient},
    samples="linalg_square",
    tangent=matrix_tangents.matrix_exp,
    tags=("of_matrices",),
)
op(
    "matrix_exp(Tensor self) -> Tensor",
    says="Return the exponential of square matrices.",
    composite=lambda self: ops.linalg_matrix_exp(self),
    samples="linalg_square",
)
