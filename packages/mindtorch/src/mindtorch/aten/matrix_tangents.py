"""Tangents of factorizations and of equations with matrices.

Some of these ops read one triangle of their argument. Their tangents, as torch's, take the tangent
of the argument as it is: of a hermitian matrix it is expected to be hermitian too. The transposed
gradient would read that one triangle and so differ for all other tangents.

Each rule goes from what a formula sees to the results' tangents, see ``tangent`` of ``call.row``.
"""

from __future__ import annotations

from typing import Any

from ..core.operators import ops

__all__ = ["cholesky_ex", "eigh", "lu_unpack", "matrix_exp", "pinv", "svd", "triangular_solve"]


def _without_diagonal(x: Any) -> Any:
    return x - x.diagonal(0, -2, -1).diag_embed()


def _gaps(values: Any) -> Any:
    """How far each value is from each other one, and 1 from itself, which nothing is divided by."""
    own = ops.ones_like(values).diag_embed()
    return values.unsqueeze(-2) - values.unsqueeze(-1) + own


def eigh(c: Any) -> Any:
    values, vectors = c.result0, c.result1
    if not c.compute_v:
        raise RuntimeError(
            "linalg_eigh: Expected compute_v to be true for the derivative of eigenvalues"
        )
    turned = vectors.mH.matmul(c.tangents["A"]).matmul(vectors)
    diagonal = turned.diagonal(0, -2, -1)
    mixed = _without_diagonal(turned) / _gaps(values)
    return [ops.real(diagonal) if turned.is_complex() else diagonal, vectors.matmul(mixed)]


def svd(c: Any) -> Any:
    """With the phase of both bases, which is open, changed by as much."""
    u, s, vh = c.result0, c.result1, c.result2
    if not c.compute_uv:
        raise RuntimeError("svd: Expected compute_uv to be true for the derivative of its values")
    change = c.tangents["A"]
    k = s.size(-1)
    if c.full_matrices:
        u, vh = u.narrow(-1, 0, k), vh.narrow(-2, 0, k)
    inner = u.mH.matmul(change).matmul(vh.mH)
    diagonal = inner.diagonal(0, -2, -1)
    to_s = ops.real(diagonal) if inner.is_complex() else diagonal
    columns, rows = s.unsqueeze(-2), s.unsqueeze(-1)
    gaps = _gaps(s * s)
    skew = inner - inner.mH
    both = inner * columns + rows * inner.mH
    turn_u = _without_diagonal(both) / gaps
    turn_v = _without_diagonal(inner.mH * columns + rows * inner) / gaps
    if inner.is_complex():
        phase = (skew.diagonal(0, -2, -1) / (4 * s)).diag_embed()
        turn_u, turn_v = turn_u + phase, turn_v - phase
    to_u = u.matmul(turn_u)
    to_v = vh.mH.matmul(turn_v)
    m, n = c.A.size(-2), c.A.size(-1)
    if m > k:
        outside = change.matmul(vh.mH) / columns
        to_u = to_u + outside - u.matmul(u.mH.matmul(outside))
    if n > k:
        outside = change.mH.matmul(u) / columns
        to_v = to_v + outside - vh.mH.matmul(vh.matmul(outside))
    if c.full_matrices:  # the vectors behind the first k are open: they stay
        to_u = ops.constant_pad_nd(to_u, (0, m - k))
        to_v = ops.constant_pad_nd(to_v, (0, n - k))
    return [to_u, to_s, to_v.mH]


def cholesky_ex(c: Any) -> Any:
    low, change = c.result0, c.tangents["self"]
    if c.upper:
        low = low.mH
    solve = ops.linalg_solve_triangular
    inner = solve(low, change, upper=False)
    inner = solve(low.mH, inner, upper=True, left=False)
    lower = inner.tril() - 0.5 * inner.diagonal(0, -2, -1).diag_embed()
    found = low.matmul(lower)
    return [found.mH if c.upper else found, None]


def triangular_solve(c: Any) -> Any:
    x, to_b, to_a = c.result0, c.tangents["self"], c.tangents["A"]
    found: Any = None
    if to_a is not None:
        found = -(to_a.mT if c.transpose else to_a).matmul(x)
    if to_b is not None:
        found = to_b if found is None else to_b + found
    solved = ops.triangular_solve(found, c.A, c.upper, c.transpose, c.unitriangular)[0]
    return [solved, None if to_a is None else to_a]


def lu_unpack(c: Any) -> Any:
    change = c.tangents["LU_data"]
    m, n = change.size(-2), change.size(-1)
    k = min(m, n)
    return [None, change.tril(-1).narrow(-1, 0, k), change.triu().narrow(-2, 0, k)]


def matrix_exp(c: Any) -> Any:
    """The upper right block of the exponential of ``[[A, T], [0, A]]``."""
    a, change = c.self, c.tangents["self"]
    n = a.size(-1)
    top = ops.cat([a, change], -1)
    bottom = ops.cat([ops.zeros_like(a), a], -1)
    whole = ops.linalg_matrix_exp(ops.cat([top, bottom], -2))
    return whole.narrow(-2, 0, n).narrow(-1, n, n)


def pinv(c: Any) -> Any:
    """What changes in the row space, in the column space, and in the inverse itself."""
    a, change, inverse = c.self, c.tangents["self"], c.result
    wide = a.size(-2) <= a.size(-1)
    gram, turned = inverse.mH.matmul(inverse), change.mH
    outside = turned - inverse.matmul(a.matmul(turned))
    if wide:
        back = inverse.mH.matmul(turned)
        inner = back - back.matmul(a).matmul(inverse) - change.matmul(inverse)
        return outside.matmul(gram) + inverse.matmul(inner)
    across = turned - turned.matmul(a).matmul(inverse)
    inner = inverse.matmul(inverse.mH).matmul(across)
    return outside.matmul(gram) + inner - inverse.matmul(change).matmul(inverse)
