"""Linear algebra of many small matrices at once: numpy over the matrices, a loop over their rows.

LAPACK is called once a matrix from Python, which takes longer than all that it does to a few
numbers. Here the place of a number in its matrix comes first and the matrix last, so that each
step of a factorization is one numpy call for all matrices of a block: *lanes*, of shape
``(rows, columns, matrices)``.

The steps are LAPACK's, down to which row is a pivot. What they say of a matrix that is singular
or nearly so, or that is not finite, hangs on the last bit of each step: such matrices are named as
*doubtful*, and LAPACK is asked about them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .linalg_common import Together

__all__ = [
    "MOST_ROWS",
    "cholesky",
    "from_lanes",
    "lu_factors",
    "not_finite",
    "order_of",
    "orthonormal",
    "permuted",
    "permuted_back",
    "permuted_units",
    "reflected",
    "solved_cholesky",
    "solved_factors",
    "solved_factors_turned",
    "solved_triangle",
    "to_lanes",
    "together",
    "units",
]

Array = np.ndarray[Any, Any]

#: Matrices of more rows keep LAPACK busy for longer than it takes to call.
MOST_ROWS = 16
#: A pivot that is so many roundings smaller than the largest one is doubtful.
_ROUNDINGS = 64


def together(
    run: Callable[..., Any], shape: tuple[int, int], *, exchanges: bool = False
) -> Together | None:
    """*run* of matrices of this *shape*, of which rows are exchanged or not; None of large ones."""
    rows = max(shape)
    if rows > MOST_ROWS:
        return None
    return Together(run, 12 * rows + (5 * rows * rows if exchanges else 0))


def to_lanes(a: Array) -> Array:
    """Matrices of shape ``(matrices, rows, columns)``, as a copy in lanes."""
    return a.transpose(1, 2, 0).copy()


def from_lanes(lanes: Array) -> Array:
    """Lanes as matrices again: a view."""
    return lanes.transpose(2, 0, 1)


def units(n: int, columns: int, like: Array) -> Array:
    """A unit matrix in each lane of *like*."""
    out = np.zeros((n, columns, like.shape[-1]), like.dtype)
    for i in range(min(n, columns)):
        out[i, i] = 1
    return out


def not_finite(a: Array) -> Array:
    """In which lanes the numbers are not finite, or too large to be added."""
    return ~np.isfinite(np.add.reduce(a.reshape(-1, a.shape[-1]), 0))


def _size(a: Array) -> Array:
    """How large numbers are, as LAPACK compares them."""
    return np.abs(a.real) + np.abs(a.imag) if a.dtype.kind == "c" else np.abs(a)


# -- pivots --------------------------------------------------------------------------------------


def _swap(a: Array, b: Array, where: Array) -> None:
    """Exchange *a* and *b* in the lanes *where*: bit by bit, which asks nothing of each lane."""
    parts = a.itemsize // 8 or 1
    whole = np.dtype(np.int64 if a.itemsize >= 8 else np.int32)
    mask = np.negative(where, dtype=whole, casting="unsafe")
    if parts > 1:
        mask = mask.repeat(parts)
    one, other = a.view(whole), b.view(whole)
    difference = one ^ other
    difference &= mask
    one ^= difference
    other ^= difference


def lu_factors(a: Array) -> tuple[Array, Array]:
    """Factor lanes in place: the pivots, counted from one, and which lanes are doubtful."""
    m, n, lanes = a.shape
    k = min(m, n)
    pivots = np.empty((k, lanes), np.int32)
    found = np.zeros(lanes, bool)
    with np.errstate(all="ignore"):
        for i in range(k):
            pivots[i] = i + 1
            if i + 1 < m:
                tied = _exchange(a, i, pivots[i])
                if i:  # else no number has been rounded yet
                    found |= tied
                below = a[i + 1 :, i]
                below /= a[i, i]
                if i + 1 < n:
                    a[i + 1 :, i + 1 :] -= below[:, None] * a[i, i + 1 :]
    return pivots, found | _doubtful(a, k)


def _exchange(a: Array, i: int, pivots: Array) -> Array:
    """Bring the first of the largest numbers of column *i* from row *i* on into that row.

    :returns: in which lanes several are as large, give or take some roundings.
    """
    sizes = _size(a[i:, i])
    largest = np.maximum.reduce(sizes, 0)
    least = largest * (1 - np.finfo(sizes.dtype).eps * _ROUNDINGS)
    tied = np.add.reduce(sizes >= least, 0, np.int8) > 1
    elsewhere = sizes[0] != largest
    for row in range(1, len(sizes)):
        here = sizes[row] == largest
        here &= elsewhere
        elsewhere ^= here
        _swap(a[i], a[i + row], here)
        pivots += here * np.int32(row)
    return tied


def _doubtful(factors: Array, k: int) -> Array:
    """In which lanes a pivot is next to nothing, or a number is not finite."""
    sizes = _size(factors[range(k), range(k)])
    least = np.finfo(sizes.dtype).eps * _ROUNDINGS
    found = np.minimum.reduce(sizes, 0) <= np.maximum.reduce(sizes, 0) * least
    found |= not_finite(factors)
    return found


def order_of(pivots: Array, rows: int) -> Array:
    """Which row comes to stand in each of so many *rows* by the exchanges, counted from zero."""
    lanes = np.arange(pivots.shape[-1])
    order = np.repeat(np.arange(rows)[:, None], len(lanes), 1)
    for i, pivot in enumerate(pivots - 1):
        there = order[pivot, lanes]
        order[pivot, lanes] = order[i]
        order[i] = there
    return order


def permuted(b: Array, pivots: Array) -> Array:
    """*b* with rows exchanged as *pivots* say."""
    return np.take_along_axis(b, order_of(pivots, len(b))[:, None], 0)


def permuted_back(b: Array, pivots: Array) -> Array:
    """What :func:`permuted` would make *b* of."""
    out = np.empty_like(b)
    np.put_along_axis(out, order_of(pivots, len(b))[:, None], b, 0)
    return out


def permuted_units(pivots: Array, like: Array) -> Array:
    """The same of unit matrices as large as *like*."""
    n = len(like)
    places = np.arange(n)[:, None]
    return (order_of(pivots, n)[:, None] == places).astype(like.dtype)


# -- equations -----------------------------------------------------------------------------------


def solved_triangle(a: Array, b: Array, upper: bool, *, unit: bool = False) -> Array:
    """Solve ``A X = B`` in place of *b*, where *a* is a triangle (of which *unit* has ones).

    :returns: which lanes are doubtful: those of which the solution is not finite.
    """
    n = len(a)
    with np.errstate(all="ignore"):
        for i in reversed(range(n)) if upper else range(n):
            if not unit:
                b[i] /= a[i, i]
            rest = slice(0, i) if upper else slice(i + 1, n)
            if rest.start < rest.stop:
                b[rest] -= a[rest, i][:, None] * b[i]
        return not_finite(b)


def solved_factors(lu: Array, b: Array) -> Array:
    """Solve ``L U X = B`` in place of *b*, whose rows have been exchanged; what is doubtful."""
    solved_triangle(lu, b, upper=False, unit=True)
    return solved_triangle(lu, b, upper=True)


def solved_factors_turned(lu: Array, b: Array) -> Array:
    """Solve ``(L U)^T X = B`` in place of *b*; its rows are yet to be exchanged."""
    turned = lu.swapaxes(0, 1)
    doubtful = solved_triangle(turned, b, upper=False)
    solved_triangle(turned, b, upper=True, unit=True)
    return doubtful | not_finite(b)


# -- positive definite matrices ------------------------------------------------------------------


def cholesky(a: Array) -> Array:
    """Put the lower factors in place of *a*, whose lower triangle is read; what is doubtful.

    A lane is doubtful where what is left of a number on the diagonal is next to nothing, or less.
    """
    n = len(a)
    places = range(n)
    least = a.real[places, places] * (np.finfo(a.dtype).eps * _ROUNDINGS)
    found = not_finite(a)
    with np.errstate(all="ignore"):
        for i in places:
            pivot = a[i, i].real
            found |= ~(pivot > least[i])
            root = np.sqrt(pivot)
            a[i, i] = root
            below = a[i + 1 :, i]
            below /= root
            a[i, i + 1 :] = 0
            if i + 1 < n:
                a[i + 1 :, i + 1 :] -= below[:, None] * np.conjugate(below)
    return found


def solved_cholesky(low: Array, b: Array) -> Array:
    """Solve ``L L^H X = B`` in place of *b*; what is doubtful."""
    solved_triangle(low, b, upper=False)
    return solved_triangle(np.conjugate(low.swapaxes(0, 1)), b, upper=True)


# -- reflections ---------------------------------------------------------------------------------


def reflected(a: Array) -> tuple[Array, Array]:
    """Put R and the vectors of Householder reflections in place of *a*, as LAPACK's geqrf does.

    :returns: the factor of each reflection, and which lanes are doubtful: those where so little
        is left of a column that rounding decides.
    """
    m, n, lanes = a.shape
    k = min(m, n)
    factors = np.zeros((k, lanes), a.dtype)
    norms = np.empty((k, lanes), a.real.dtype)
    firsts = np.empty_like(norms)
    found = not_finite(a)
    with np.errstate(all="ignore"):
        for i in range(k):
            np.abs(a[i, i].real, out=firsts[i])
            norms[i] = _reflect(a[i:, i:], factors[i])
    limits = np.finfo(norms.dtype)
    largest, smallest = np.maximum.reduce(norms, 0), np.minimum.reduce(norms, 0)
    # The sign of a number that is left of larger ones is the sign of its reflection.
    if k > 1:
        smallest = np.minimum(smallest, np.minimum.reduce(firsts[1:], 0))
    found |= smallest <= largest * (limits.eps * _ROUNDINGS)
    found |= ~(largest < limits.max**0.5) | (smallest < limits.tiny**0.25)
    return factors, found


def _reflect(a: Array, factor: Array) -> Array:
    """Reflect the first column of *a* onto its first number, all others with it; its norm."""
    first, below = a[0, 0].copy(), a[1:, 0]
    size = _square(first)
    rest = np.add.reduce(_square(below), 0)
    norm = np.sqrt(size + rest)
    beta = np.copysign(norm, -first.real)
    there = rest != 0
    if a.dtype.kind == "c":
        there |= first.imag != 0
    difference = beta - first
    np.divide(difference, beta, out=factor, where=there)
    below /= np.where(there, -difference, 1)
    np.copyto(a[0, 0], beta, where=there)
    if a.shape[1] > 1:
        _apply(below, np.conjugate(factor), a[:, 1:])
    return norm


def _square(a: Array) -> Array:
    if a.dtype.kind == "c":
        squares: Array = a.real * a.real + a.imag * a.imag
        return squares
    return a * a


def _apply(below: Array, factor: Array, to: Array) -> None:
    """Reflect *to* in place by the vector of one and *below*."""
    if len(below):
        inner = np.add.reduce(np.conjugate(below)[:, None] * to[1:], 0)
        inner += to[0]
        inner *= factor
        to[1:] -= below[:, None] * inner
    else:
        inner = to[0] * factor
    to[0] -= inner


def orthonormal(vectors: Array, factors: Array, columns: int) -> Array:
    """The first *columns* of the product of reflections."""
    m = len(vectors)
    out = units(m, columns, vectors)
    for i in reversed(range(len(factors))):
        _apply(vectors[i + 1 :, i], factors[i], out[i:, i:])
    return out
