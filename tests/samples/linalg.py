"""Samples of linear algebra: factorizations, equations, eigenvalues, norms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import Call, Maker, call

Calls = Iterator[Call]


def _numbers(make: Maker, *shape: int, seed: int = 0) -> Any:
    rng = np.random.default_rng([11, seed, *shape])
    found = rng.uniform(-1, 1, shape)
    return found + 1j * rng.uniform(-1, 1, shape) if make.kind == "complex" else found


def matrix_of(make: Maker, *shape: int, seed: int = 0) -> Any:
    """Any matrices, far from singular if they are square."""
    a = _numbers(make, *shape, seed=seed)
    return make(values=a + 2 * np.eye(*shape[-2:]) if shape[-2:] != () else a)


def positive(make: Maker, *shape: int) -> Any:
    """Hermitian matrices with positive eigenvalues, none near another."""
    a = _numbers(make, *shape)
    steps = np.diag(np.arange(1.0, shape[-1] + 1))
    return make(values=a @ np.swapaxes(a, -1, -2).conj() + 2 * steps)


def triangle(make: Maker, *shape: int, upper: bool = False) -> Any:
    """Triangular matrices, far from singular."""
    a = _numbers(make, *shape)
    a = (np.triu(a) if upper else np.tril(a)) + 2 * np.eye(shape[-1])
    return make(values=a)


def nothing(make: Maker, *shape: int) -> Any:
    return make(*shape)


def bad_matrices(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(2, 3))
    yield call(make(3, 3, dtype="int64"))
    yield call(make(3, 3, dtype="bool"))
    yield call(make(3, 3, dtype="float16"))
    yield call(make(2, 2, 3))


def linalg_square(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 2, 2))
    yield call(matrix_of(make, 3, 3).transpose(0, 1))
    yield call(make(2, 0, 0))
    yield call(make(0, 3, 3))


bad_linalg_square = bad_matrices


def linalg_positive(make: Maker) -> Calls:
    yield call(positive(make, 3, 3))
    yield call(positive(make, 3, 3), upper=True)
    yield call(positive(make, 2, 2, 2).transpose(-1, -2))
    yield call(make(2, 0, 0))


def bad_linalg_positive(make: Maker) -> Calls:
    yield from bad_matrices(make)
    yield call(make(values=np.zeros((2, 3, 3))))
    yield call(make(values=-np.eye(2)))


def _linalg_check_errors(make: Maker) -> Calls:
    if make.dtype == "float32":
        yield call(make(values=[0, 0], dtype="int32"), "linalg.inv", is_matrix=False)


def bad__linalg_check_errors(make: Maker) -> Calls:
    one, two = make(values=1, dtype="int32"), make(values=[0, 2], dtype="int32")
    for name in (
        "linalg.inv",
        "linalg.cholesky",
        "torch.linalg.solve",
        "linalg.eigh",
        "linalg.svd",
    ):
        yield call(one, name, is_matrix=True)
        yield call(two, name, is_matrix=False)


def cholesky(make: Maker) -> Calls:
    yield call(positive(make, 3, 3))
    yield call(positive(make, 2, 2, 2), True)


bad_cholesky = bad_linalg_positive


def cholesky_inverse(make: Maker) -> Calls:
    yield call(triangle(make, 3, 3))
    yield call(triangle(make, 2, 2, 2, upper=True), True)


def bad_cholesky_inverse(make: Maker) -> Calls:
    yield from bad_matrices(make)
    yield call(make(values=np.zeros((2, 3, 3))))


def linalg_lu_factor(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 2, 3))
    yield call(matrix_of(make, 4, 2))


bad_linalg_lu_factor = bad_matrices


def lu_with_info(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 2, 3))


def _packed(make: Maker, *shape: int) -> Any:
    pivots = np.array([2, 2, 3][: min(shape[-2:])])
    pivots = np.broadcast_to(pivots, (*shape[:-2], min(shape[-2:])))
    return matrix_of(make, *shape), make(values=pivots.copy(), dtype="int32")


def lu_unpack(make: Maker) -> Calls:
    if make.kind in ("float", "complex") and make.dtype not in ("float16", "bfloat16"):
        yield call(*_packed(make, 3, 3))
        yield call(*_packed(make, 2, 2, 3))
        yield call(*_packed(make, 3, 2))
        yield call(*_packed(make, 3, 3), unpack_pivots=False)
        yield call(*_packed(make, 3, 3), unpack_data=False)


def linalg_lu_solve(make: Maker) -> Calls:
    yield call(*_packed(make, 3, 3), matrix_of(make, 3, 2))
    yield call(*_packed(make, 2, 3, 3), matrix_of(make, 3, 2), adjoint=True)
    yield call(*_packed(make, 3, 3), matrix_of(make, 2, 3), left=False)
    yield call(*_packed(make, 3, 3), matrix_of(make, 2, 3), left=False, adjoint=True)


def lu_solve(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 2), *_packed(make, 3, 3))


def linalg_qr(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 4, 2))
    yield call(matrix_of(make, 2, 2, 3))
    yield call(matrix_of(make, 3, 3), "complete")
    yield call(matrix_of(make, 2, 3), mode="complete")


def bad_linalg_qr(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3, 3, dtype="int64"))
    yield call(make(3, 3, dtype="float16"))
    yield call(make(3, 3), "x")


def qr(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2))
    yield call(matrix_of(make, 2, 3, 3), False)


def geqrf(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 4, 2))


def householder_product(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), make(3))
    yield call(matrix_of(make, 2, 4, 2), make(2, 2))
    yield call(matrix_of(make, 4, 3), make(2))


def bad_householder_product(make: Maker) -> Calls:
    yield call(make(3), make(3))
    yield call(make(2, 3), make(2))
    yield call(make(3, 2), make(3))
    yield call(make(2, 3, 3), make(3))
    yield call(make(3, 3), make(3, dtype="float64"))


def ormqr(make: Maker) -> Calls:
    if not make.grad:
        yield call(matrix_of(make, 3, 3), make(3), matrix_of(make, 3, 2))
        yield call(matrix_of(make, 3, 3), make(3), matrix_of(make, 2, 3), False)
        yield call(matrix_of(make, 2, 3, 3), make(2, 3), matrix_of(make, 2, 3, 2), True, True)


def _linalg_solve_ex(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), matrix_of(make, 3, 2))


def linalg_solve(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), matrix_of(make, 3, 2))
    yield call(matrix_of(make, 2, 3, 3), matrix_of(make, 3, 2))
    yield call(matrix_of(make, 3, 3), matrix_of(make, 2, 3, 2))
    yield call(matrix_of(make, 3, 3), make(3))
    yield call(matrix_of(make, 2, 3, 3), make(2, 3))
    yield call(matrix_of(make, 2, 3, 3), matrix_of(make, 2, 3), left=False)
    yield call(make(0, 3, 3), make(0, 3, 2))


def bad_linalg_solve(make: Maker) -> Calls:
    a, b = matrix_of(make, 3, 3), make(3, 2)
    yield call(make(3), b)
    yield call(make(3, 2), b)
    yield call(a, make(4, 2))
    yield call(a, b, left=False)
    yield call(a, make(3, 2, dtype="float64"))
    yield call(make(3, 3, dtype="int64"), make(3, 2, dtype="int64"))
    yield call(make(values=np.zeros((3, 3))), b)
    yield call(make(values=np.zeros((2, 3, 3))), b)
    yield call(make(2, 3, 3), make(3, 3, 2))


def linalg_solve_triangular(make: Maker) -> Calls:
    b = make(3, 2)
    yield call(triangle(make, 3, 3), b, upper=False)
    yield call(triangle(make, 2, 3, 3, upper=True), b, upper=True)
    yield call(triangle(make, 3, 3), make(2, 2, 3), upper=False, left=False)
    yield call(triangle(make, 3, 3), b, upper=False, unitriangular=True)
    yield call(triangle(make, 3, 3, upper=True), make(2, 3), upper=True, left=False)


def bad_linalg_solve_triangular(make: Maker) -> Calls:
    a, b = make(3, 3), make(3, 2)
    yield call(make(3), b, upper=True)
    yield call(make(3, 2), b, upper=True)
    yield call(a, make(4, 2), upper=True)
    yield call(a, b, upper=True, left=False)
    yield call(a, make(3), upper=True)
    yield call(a, make(3, 2, dtype="float64"), upper=True)


def triangular_solve(make: Maker) -> Calls:
    b = make(3, 2)
    yield call(b, triangle(make, 3, 3, upper=True))
    yield call(b, triangle(make, 2, 3, 3), False)
    yield call(b, triangle(make, 3, 3), False, True)
    yield call(b, triangle(make, 3, 3), False, False, True)


def bad_triangular_solve(make: Maker) -> Calls:
    a, b = make(3, 3), make(3, 2)
    yield call(b, make(3))
    yield call(make(3), a)
    yield call(b, make(3, 2))
    yield call(make(4, 2), a)
    yield call(make(3, 2, dtype="float64"), a)


def cholesky_solve(make: Maker) -> Calls:
    b = make(3, 2)
    yield call(b, triangle(make, 3, 3))
    yield call(b, triangle(make, 2, 3, 3, upper=True), True)
    yield call(make(2, 3, 2), triangle(make, 3, 3))


bad_cholesky_solve = bad_triangular_solve


def linalg_lstsq(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), make(3, 2))
    yield call(matrix_of(make, 2, 2, 3), make(2, 2, 2))


def bad_linalg_lstsq(make: Maker) -> Calls:
    a, b = make(3, 3), make(3, 2)
    yield call(make(3), b)
    yield call(a, make())
    yield call(a, make(4, 2))
    yield call(a, make(3, 2, dtype="float64"))
    yield call(a, make(2, 3, 2))
    yield call(a, b, driver="gel")
    yield call(make(3, 3, dtype="int64"), make(3, 2, dtype="int64"))


def _linalg_eigh(make: Maker) -> Calls:
    yield call(positive(make, 3, 3), "L", True)


def linalg_eigh(make: Maker) -> Calls:
    yield call(positive(make, 3, 3))
    yield call(positive(make, 2, 2, 2), "U")
    yield call(make(2, 0, 0))


def bad_linalg_eigh(make: Maker) -> Calls:
    yield from bad_matrices(make)
    yield call(make(3, 3), "X")


def linalg_eig(make: Maker) -> Calls:
    yield call(positive(make, 3, 3))
    yield call(positive(make, 2, 2, 2))


bad_linalg_eig = bad_matrices


def _linalg_svd(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), False, True)


def linalg_svd(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 4, 2), False)
    yield call(matrix_of(make, 2, 4, 5), full_matrices=False)


def bad_linalg_svd(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3, 3, dtype="int64"))
    yield call(make(3, 3, dtype="float16"))
    yield call(make(values=np.full((2, 2), np.nan)))


def linalg_svdvals(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 4, 2))
    yield call(make(2, 0, 3))


bad_linalg_svdvals = bad_linalg_svd


def svd(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2))
    yield call(matrix_of(make, 2, 4, 5))
    yield call(matrix_of(make, 4, 2), True, False)


def linalg_pinv(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 2, 3), rtol=1e-3)
    yield call(matrix_of(make, 4, 2), atol=1e-3)
    yield call(positive(make, 3, 3), hermitian=True)
    yield call(make(2, 0, 3))


def bad_linalg_pinv(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3, 3, dtype="int64"))


def linalg_pinv_tensor(make: Maker) -> Calls:
    small = make(values=1e-3, dtype="float64")
    yield call(matrix_of(make, 3, 3))
    yield call(matrix_of(make, 2, 3), atol=small, rtol=small)


def linalg_pinv_rcond(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2), 1e-3)


def linalg_pinv_rcond_tensor(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2), make(values=1e-3, dtype="float64"))


def pinverse(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2))
    yield call(matrix_of(make, 2, 3), 1e-3)


def linalg_rank(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2))
    yield call(make(values=np.ones((2, 3, 3))))
    yield call(positive(make, 3, 3), hermitian=True)
    yield call(matrix_of(make, 4, 2), atol=1.0, rtol=0.1)


def linalg_rank_tensor(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2), atol=make(values=1.0, dtype="float64"))


def linalg_rank_tol(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2), 0.5)


def linalg_rank_tol_tensor(make: Maker) -> Calls:
    yield call(matrix_of(make, 4, 2), make(values=0.5, dtype="float64"))


def matrix_power(make: Maker) -> Calls:
    for n in (0, 1, 2, 3, 5, -2):
        yield call(matrix_of(make, 3, 3), n)
    yield call(matrix_of(make, 2, 2, 2), 2)


def bad_matrix_power(make: Maker) -> Calls:
    yield call(make(3), 2)
    yield call(make(2, 3), 2)


def multi_dot(make: Maker) -> Calls:
    a, b, c = matrix_of(make, 3, 2), matrix_of(make, 2, 4), matrix_of(make, 4, 2)
    yield call([a, b])
    yield call([a, b, c])
    yield call([make(3), a, b, make(4)])


def bad_multi_dot(make: Maker) -> Calls:
    a = make(3, 2)
    yield call([a])
    yield call([make(2, 3, 2), a])
    yield call([a, make(2, 2, 2), a])
    yield call([a, make(2, 2, dtype="float64")])


def vecdot(make: Maker) -> Calls:
    yield call(make(3), make(3))
    yield call(make(2, 3), make(2, 3))
    yield call(make(2, 3), make(2, 1), dim=0)


def vander(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(2, 3), N=4)


def bad_vander(make: Maker) -> Calls:
    yield call(make())
    yield call(make(3), N=1)


def linalg_diagonal(make: Maker) -> Calls:
    yield call(make(2, 3, 3))
    yield call(make(2, 3, 3), offset=1, dim1=0, dim2=2)


_ORDERS = (1, -1, 2, -2, float("inf"), -float("inf"))


def linalg_matrix_norm(make: Maker) -> Calls:
    for ord in _ORDERS:
        yield call(matrix_of(make, 2, 3, 3), ord)
    yield call(matrix_of(make, 2, 3, 4), 1, (0, 2), True)
    yield call(matrix_of(make, 2, 3, 4), 2, (2, 0), True)


def bad_linalg_matrix_norm(make: Maker) -> Calls:
    yield call(make(3), 1)
    yield call(make(3, 3), 3)
    yield call(make(3, 3), 1, (0,))
    yield call(make(3, 3), 1, (0, 0))
    yield call(make(3, 3, dtype="int64"), 1)


def linalg_matrix_norm_named(make: Maker) -> Calls:
    yield call(matrix_of(make, 2, 3, 3))
    yield call(matrix_of(make, 3, 3), "nuc")
    yield call(matrix_of(make, 2, 3, 4), "nuc", (0, 2), True)
    yield call(matrix_of(make, 2, 3, 4), "fro", (0, 2), True)


def bad_linalg_matrix_norm_named(make: Maker) -> Calls:
    yield call(make(3, 3), "x")


def linalg_norm(make: Maker) -> Calls:
    yield call(make(3))
    yield call(matrix_of(make, 2, 3, 3))
    yield call(make(3), 3)
    yield call(matrix_of(make, 3, 3), 2)
    yield call(matrix_of(make, 2, 3, 3), 1, dim=(0, 1))
    yield call(matrix_of(make, 2, 3, 3), 1, dim=0, keepdim=True)


def bad_linalg_norm(make: Maker) -> Calls:
    yield call(make(2, 3, 3), 2)
    yield call(make(2, 3, 3), 2, (0, 1, 2))


def linalg_norm_named(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), "fro")
    yield call(matrix_of(make, 2, 3, 3), "nuc", dim=(0, 1))


def linalg_cond(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3))
    for ord in _ORDERS:
        yield call(matrix_of(make, 2, 3, 3), ord)
    yield call(matrix_of(make, 3, 2))


def bad_linalg_cond(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3, 2), 1)


def linalg_cond_named(make: Maker) -> Calls:
    yield call(matrix_of(make, 3, 3), "fro")
    yield call(matrix_of(make, 2, 3, 3), "nuc")


def tensorinv(make: Maker) -> Calls:
    yield call(_cube(make, 2, 3, 6))
    yield call(_cube(make, 6, 2, 3), 1)


def _cube(make: Maker, *shape: int) -> Any:
    a = _numbers(make, 6, 6) + 2 * np.eye(6)
    return make(values=a.reshape(shape))


def bad_tensorinv(make: Maker) -> Calls:
    yield call(make(2, 3, 6), 0)
    yield call(make(2, 3, 5))


def tensorsolve(make: Maker) -> Calls:
    yield call(_cube(make, 2, 3, 6), make(2, 3))
    yield call(_cube(make, 6, 2, 3), make(6))


def bad_tensorsolve(make: Maker) -> Calls:
    yield call(make(2, 3, 6), make(2, 2))
