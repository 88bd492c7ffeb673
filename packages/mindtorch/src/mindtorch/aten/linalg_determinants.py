"""Determinants of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import ne
from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from .linalg_common import check_factorable, check_square, refuse_all_but
from .linalg_lu import lu_factors, lu_outs
from .products import product_gradient
from .reflected import differentiated, watched

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _det_meta(A: Any) -> tuple[Out, Out, Out]:
    check_square(A, "linalg.det")
    check_factorable(A, "linalg.det")
    return Out(tuple(A.shape[:-2]), A.dtype), *lu_outs(A)


def _factored(A: Array) -> Callable[[Array], tuple[Array, Array, Array, Array]]:
    """What factors matrices like *A*: the diagonal, which sign the exchanges give, LU, pivots.

    LU as torch has it here: of what lies row by row, the transposed matrix.
    """
    by_rows = A.flags.c_contiguous and A.dtype.kind != "c"
    n, batch = A.shape[-1], A.shape[:-2]
    factors = lu_factors(A.swapaxes(-1, -2) if by_rows else A)
    in_order = np.arange(1, n + 1, dtype=np.int32)
    places, one, minus_one = list(range(1, n + 1)), A.dtype.type(1), A.dtype.type(-1)
    alone = not batch and n <= _FEW

    def factor(A: Array) -> tuple[Array, Array, Array, Array]:
        lu, pivots, _ = factors(A.swapaxes(-1, -2) if by_rows else A)
        if alone:
            odd = sum(map(ne, pivots.tolist(), places)) & 1
            sign = minus_one if odd else one
        else:
            swaps = np.add.reduce(pivots != in_order, -1)
            sign = np.where(swaps & 1, minus_one, one)
        return lu.diagonal(0, -2, -1), sign, lu, pivots

    return factor


#: Pivots of so many rows are compared one by one: faster than numpy starts up.
_FEW = 16


def _prepare_det(A: Array) -> Callable[..., tuple[Array, Array, Array]]:
    factored, product, dtype = _factored(A), np.multiply.reduce, A.dtype
    multiply, empty, batch = np.multiply, np.empty, A.shape[:-2]

    def kernel(A: Array) -> tuple[Array, Array, Array]:
        diagonal, sign, lu, pivots = factored(A)
        return multiply(product(diagonal, -1), sign, empty(batch, dtype)), lu, pivots

    return kernel


def _on_diagonals(weight: Any, A: Any) -> Any:
    """Matrices like *A* with nothing but a number each on their diagonals."""
    return weight.unsqueeze(-1).expand(A.shape[:-1]).diag_embed().transpose(-2, -1)


def _solve_adjoint(A: Any, lu: Any, pivots: Any, b: Any) -> Any:
    """The solution of ``A^H X = B`` by the factors that :func:`_factored` made of A."""
    of_transposed = A.is_contiguous() and not A.is_complex()
    return ops.linalg_lu_solve(lu, pivots, b, adjoint=not of_transposed)


def _det_gradient_by_values(g: Any, A: Any) -> Any:
    """The products of all other singular values, in the singular bases, for singular matrices."""
    u, s, vh = ops.linalg_svd(A)
    turn = (ops.linalg_det(u) * ops.linalg_det(vh)).conj() * g
    others = product_gradient(turn.unsqueeze(-1), s, s.dim() - 1)
    return (u * others.unsqueeze(-2)).matmul(vh)


def _det_gradient(g: Any, c: Any) -> Any:
    """The conjugated cofactors.

    Of singular matrices by factors with something very small in place of nothing; in a backward
    that is recorded itself, by singular values.
    """
    if g[0] is None:
        return None
    A, det = c.A, c.result0
    if not A.numel():
        return ops.zeros_like(A)
    back = _on_diagonals(g[0] * det.conj(), A)
    if not differentiated(A, g[0]):
        lu, pivots = c.result1, c.result2
        diagonal = lu.diagonal(0, -2, -1)
        least = ops.where(diagonal == 0.0, float(ops.finfo(lu.dtype).eps), 0.0)
        return _solve_adjoint(A, lu + least.diag_embed(), pivots, back)
    if watched(A) or A.device.type == "meta":
        return _det_gradient_by_values(g[0], A)
    singular = det == 0
    if not bool(singular.any()):
        return ops.linalg_solve(A.mH, back)
    if bool(singular.all()):
        return _det_gradient_by_values(g[0], A)
    regular = singular.logical_not()
    found = ops.zeros_like(A).index_put(
        (singular,), _det_gradient_by_values(g[0][singular], A[singular])
    )
    return found.index_put((regular,), ops.linalg_solve(A[regular].mH, back[regular]))


op(
    "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)",
    meta=_det_meta,
    prepare=_prepare_det,
    refuses=lambda A: refuse_all_but(A, "lu_cpu", any_empty=True),
    variants="function",
    half=False,
    out=OutForm("result", meta="native"),
    grad={"A": _det_gradient},
    samples="linalg_square",
    tags=("rounds", "one_gradient", "of_matrices"),
)


def _linalg_det(A: Any) -> Any:
    return ops._linalg_det(A)[0]


op(
    "linalg_det(Tensor A) -> Tensor",
    says="""Return the determinant of square matrices.
    Shape ``(*, n, n)`` gives ``(*)``.

    >>> torch.linalg.det(torch.tensor([[1., 2.], [3., 4.]])).round()
    tensor(-2.)
    """,
    composite=_linalg_det,
    module="linalg",
    variants="function",
    out=OutForm(gradient="_linalg_det", meta="native"),
    samples="linalg_square",
)
op(
    "det(Tensor self) -> Tensor",
    says="Return the determinant of square matrices.",
    composite=lambda self: ops.linalg_det(self),
    samples="linalg_square",
)


def _slogdet_meta(A: Any) -> tuple[Out, Out, Out, Out]:
    check_square(A, "linalg.slogdet")
    check_factorable(A, "linalg.slogdet", low=False)
    batch = tuple(A.shape[:-2])
    real = A.dtype.to_real() if A.dtype.is_complex else A.dtype
    return Out(batch, A.dtype), Out(batch, real), *lu_outs(A)


def _prepare_slogdet(A: Array) -> Callable[..., tuple[Array, Array, Array, Array]]:
    factored, product, dtype, batch = _factored(A), np.multiply.reduce, A.dtype, A.shape[:-2]
    multiply, empty, absolute, log, sign_of = np.multiply, np.empty, np.abs, np.log, np.sign
    real, add = A.real.dtype, np.add.reduce

    def kernel(A: Array) -> tuple[Array, Array, Array, Array]:
        diagonal, sign, lu, pivots = factored(A)
        # numpy's sign of a complex number is that number of size one.
        turned = multiply(product(sign_of(diagonal), -1), sign, empty(batch, dtype))
        size = absolute(diagonal)
        logs = empty(batch, real)
        add(log(size, size), -1, real, logs)
        return turned, logs, lu, pivots

    return kernel


def _slogdet_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, slogdet_backward."""
    g_sign, weight = g[0], g[1]
    A, sign = c.A, c.result0
    if A.is_complex() and g_sign is not None:
        turned = 1j * ops.imag(g_sign.conj() * sign)
        weight = -turned if weight is None else weight - turned
    if weight is None:
        return None
    back = _on_diagonals(weight.to(A.dtype), A)
    if differentiated(A, weight):
        return ops.linalg_solve(A.mH, back)
    return _solve_adjoint(A, c.result2, c.result3, back)


op(
    "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
    meta=_slogdet_meta,
    prepare=_prepare_slogdet,
    variants="function",
    half=False,
    out="sign",
    grad={"A": _slogdet_gradient},
    samples="linalg_square",
    tags=("rounds", "no_gradient: 2", "of_matrices"),
)


def _linalg_slogdet(A: Any) -> tuple[Any, Any]:
    sign, logs, _, _ = ops._linalg_slogdet(A)
    return sign, logs


op(
    "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
    says="Return sign and logarithm of the absolute value of determinants.",
    composite=_linalg_slogdet,
    module="linalg",
    variants="function",
    out=OutForm(gradient="_linalg_slogdet"),
    samples="linalg_square",
)
op(
    "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
    says="Return sign and logarithm of the absolute value of determinants.",
    composite=lambda self: tuple(ops.linalg_slogdet(self)),
    out=OutForm(gradient="_linalg_slogdet"),
    samples="linalg_square",
)


def _logdet(A: Any) -> Any:
    check_square(A, "logdet")
    check_factorable(A, "logdet", low=False)
    sign, logs = ops.linalg_slogdet(A)
    if A.is_complex():
        return sign.log() + logs
    return ops.where(sign == -1.0, math.nan, logs)  # the same NaN: others are never equal


op(
    "logdet(Tensor self) -> Tensor",
    says="Return the logarithm of determinants, NaN where they are negative.",
    composite=_logdet,
    samples="linalg_square",
)
