"""Many small matrices in one call: the oracle's numbers, and what it says of those that fail.

Many go through numpy together, few go to LAPACK one by one. A number may be off by some roundings
of the largest of its matrix.
"""

from __future__ import annotations

from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_torch_error, both

#: Of the largest number of each matrix of a result.
REACH = {"float32": 4e-5, "float64": 1e-13, "complex64": 4e-5, "complex128": 1e-13}
#: So many go together, whatever the size; and there are more than one block of the smallest.
MANY = 700
SIZES = (1, 2, 3, 4, 8, 13)


def _product(t: Any, found: Any) -> Any:
    return (found[0] * found[1].unsqueeze(-2)) @ found[2]


SQUARE = {
    "inv": lambda t, a, p, b: t.linalg.inv(a),
    "inv_ex": lambda t, a, p, b: t.linalg.inv_ex(a),
    "solve": lambda t, a, p, b: t.linalg.solve(a, b),
    "solve of vectors": lambda t, a, p, b: t.linalg.solve(a, b[..., 0]),
    "solve_ex from the right": lambda t, a, p, b: t.linalg.solve_ex(a, b.mT, left=False),
    "solve with all factors": lambda t, a, p, b: t._linalg_solve_ex(a, b),
    "solve of one matrix": lambda t, a, p, b: t.linalg.solve(a[5], b),
    "solve of spread batches": lambda t, a, p, b: t.linalg.solve(a.reshape(7, 100, *a.shape[1:]),
                                                                 b[:100]),
    "det": lambda t, a, p, b: t.linalg.det(a),
    "det of columns": lambda t, a, p, b: t.linalg.det(a.mT),
    "slogdet": lambda t, a, p, b: t.linalg.slogdet(a),
    "lu_factor": lambda t, a, p, b: t.linalg.lu_factor(a),
    "lu": lambda t, a, p, b: t.linalg.lu(a),
    "lu_solve": lambda t, a, p, b: t.linalg.lu_solve(*t.linalg.lu_factor(a), b),
    "lu_solve, adjoint": lambda t, a, p, b: t.linalg.lu_solve(
        *t.linalg.lu_factor(a), b, adjoint=True
    ),
    "lu_solve from the right": lambda t, a, p, b: t.linalg.lu_solve(
        *t.linalg.lu_factor(a), b.mT, left=False
    ),
    "lu_solve, adjoint, from the right": lambda t, a, p, b: t.linalg.lu_solve(
        *t.linalg.lu_factor(a), b.mT, left=False, adjoint=True
    ),
    "cholesky": lambda t, a, p, b: t.linalg.cholesky(p),
    "cholesky_ex, upper": lambda t, a, p, b: t.linalg.cholesky_ex(p, upper=True),
    "cholesky_inverse": lambda t, a, p, b: t.cholesky_inverse(p),
    "cholesky_inverse, upper": lambda t, a, p, b: t.cholesky_inverse(p, upper=True),
    "cholesky_solve": lambda t, a, p, b: t.cholesky_solve(b, p),
    "cholesky_solve, upper": lambda t, a, p, b: t.cholesky_solve(b, p, upper=True),
    "solve_triangular, upper": lambda t, a, p, b: t.linalg.solve_triangular(p, b, upper=True),
    "solve_triangular, lower": lambda t, a, p, b: t.linalg.solve_triangular(p, b, upper=False),
    "solve_triangular, unit": lambda t, a, p, b: t.linalg.solve_triangular(
        a / 16, b, upper=True, unitriangular=True
    ),
    "solve_triangular from the right": lambda t, a, p, b: t.linalg.solve_triangular(
        p, b.mT, upper=True, left=False
    ),
    "solve_triangular, conjugated": lambda t, a, p, b: t.linalg.solve_triangular(
        p.conj(), b, upper=False
    ),
    "triangular_solve, transposed": lambda t, a, p, b: t.triangular_solve(b, p, transpose=True),
    "qr": lambda t, a, p, b: t.linalg.qr(a),
    "qr, r": lambda t, a, p, b: t.linalg.qr(a, "r"),
    "geqrf": lambda t, a, p, b: t.geqrf(a),
    "eigh": lambda t, a, p, b: t.linalg.eigh(p)[0],
    "eigvalsh, upper": lambda t, a, p, b: t.linalg.eigvalsh(p, "U"),
    "eigenvectors": lambda t, a, p, b: (lambda e: (e[1] * e[0].unsqueeze(-2)) @ e[1].mH)(
        t.linalg.eigh(p)
    ),
    "svd": lambda t, a, p, b: _product(t, t.linalg.svd(a)),
    "svdvals": lambda t, a, p, b: t.linalg.svdvals(a),
    "matrix_exp": lambda t, a, p, b: t.linalg.matrix_exp(a / 2),
}  # fmt: skip
OTHERS = {
    "lu_factor": lambda t, a: t.linalg.lu_factor(a),
    "lu": lambda t, a: t.linalg.lu(a),
    "qr": lambda t, a: t.linalg.qr(a),
    "qr, complete": lambda t, a: (lambda f: (f[0] @ f[1], f[1]))(t.linalg.qr(a, "complete")),
    "qr, r": lambda t, a: t.linalg.qr(a, "r"),
    "geqrf": lambda t, a: t.geqrf(a),
    "svd": lambda t, a: _product(t, t.linalg.svd(a, full_matrices=False)),
}


def numbers(dtype: str, *shape: int, seed: int = 3) -> np.ndarray:
    """Normal numbers."""
    rng = np.random.default_rng(seed)
    found = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        found = found + 1j * rng.standard_normal(shape)
    return found.astype(dtype)


def results(t: Any, call: Any, *arrays: np.ndarray) -> list[Any]:
    """The tensors that *call* gives."""
    found = call(t, *[t.from_numpy(a.copy()) for a in arrays])
    return list(found) if isinstance(found, tuple) else [found]


def steps(x: Any) -> list[int]:
    """The strides of dimensions with more than one element."""
    return [step for step, size in zip(x.stride(), x.shape, strict=True) if size > 1]


def assert_alike(call: Any, dtype: str, *arrays: np.ndarray) -> None:
    """Both frameworks give the same: layouts and integers to the bit, numbers nearly."""
    for got, want in zip(
        results(mindtorch, call, *arrays), results(torch, call, *arrays), strict=True
    ):
        assert (str(got.dtype), tuple(got.shape)) == (str(want.dtype), tuple(want.shape))
        assert steps(got) == steps(want)
        g, w = got.resolve_conj().numpy(), want.resolve_conj().numpy()
        if w.dtype.kind == "i":
            assert (g == w).all()
            continue
        axes = tuple(range(1, w.ndim))
        largest = np.maximum(np.abs(w).max(axes, initial=1), 1) if w.size else np.ones(len(w))
        off = np.abs(g - w).max(axes, initial=0) / largest
        assert off.max(initial=0) <= REACH[dtype]


def conditioned(dtype: str, n: int) -> tuple[np.ndarray, ...]:
    """Matrices far from singular whose rows are exchanged, positive ones, right-hand sides."""
    a = numbers(dtype, MANY, n, n) / n**0.5 + 2 * np.eye(n)
    order = np.random.default_rng(5).permuted(np.tile(np.arange(n), (MANY, 1)), axis=1)
    a = np.take_along_axis(a, order[..., None], 1)
    p = a @ a.conj().swapaxes(-1, -2) + np.eye(n)
    return a.astype(dtype), p.astype(dtype), numbers(dtype, MANY, n, 2, seed=4)


@pytest.mark.filterwarnings("ignore:torch.triangular_solve")
@pytest.mark.parametrize("dtype", REACH)
@pytest.mark.parametrize("name", SQUARE)
def test_many_matrices_give_the_oracles_numbers(name, dtype):
    """Also its pivots, and its layouts."""
    for n in SIZES:
        assert_alike(SQUARE[name], dtype, *conditioned(dtype, n))


@pytest.mark.parametrize("dtype", REACH)
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("shape", [(1, 3), (3, 5), (5, 3), (8, 9), (2, 1)])
def test_many_matrices_that_are_not_square(name, shape, dtype):
    """Factors of all lines and columns."""
    a = numbers(dtype, MANY, *shape) + 2 * np.eye(*shape)
    assert_alike(OTHERS[name], dtype, a.astype(dtype))


def odd_ones(dtype: str, n: int) -> np.ndarray:
    """Singular matrices, some that nearly are, some that are not finite: among many others."""
    a = numbers(dtype, MANY, n, n) + 3 * np.eye(n).astype(dtype)
    a[3] = 0
    a[10] = np.arange(n * n).reshape(n, n) + 1
    a[11] = 1
    a[40, :, -1] = a[40, :, 0]
    a[50, -1] = a[50, 0] * 0.3 + a[50, 1] * 0.7
    a[60, 0, 0] = np.inf
    a[61, -1, -1] = np.nan
    a[62] *= 1e-30
    a[63] *= 1e30
    a[64] = -0.0
    a[65] = np.triu(a[65], 1)
    a[90:120] = np.random.default_rng(1).integers(-1, 2, (30, n, n))
    return a


ODD = {
    "inv_ex": lambda t, a: t.linalg.inv_ex(a),
    "solve_ex": lambda t, a: t.linalg.solve_ex(a, a.new_ones(a.shape[-1])),
    "lu_factor_ex": lambda t, a: t.linalg.lu_factor_ex(a),
    "lu": lambda t, a: t.linalg.lu(a),
    "det": lambda t, a: t.linalg.det(a),
    "slogdet": lambda t, a: t.linalg.slogdet(a),
    "cholesky_ex": lambda t, a: t.linalg.cholesky_ex(a @ a.mH),
    "solve_triangular": lambda t, a: t.linalg.solve_triangular(
        a, a.new_ones(a.shape[:-1]).unsqueeze(-1), upper=True
    ),
    "cholesky_solve": lambda t, a: t.cholesky_solve(a.new_ones(a.shape[:-1]).unsqueeze(-1), a),
    "matrix_exp": lambda t, a: t.linalg.matrix_exp(a),
    "qr, r": lambda t, a: t.linalg.qr(a, "r")[1],
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", REACH)
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("n", [2, 3, 6])
def test_odd_matrices_among_many_are_as_each_alone(n, name, dtype):
    """Of what hangs on the last bit LAPACK is asked, as for one matrix."""
    a = odd_ones(dtype, n)
    together = results(mindtorch, ODD[name], a)
    places = [3, 10, 11, 40, 50, 60, 61, 62, 63, 64, 65, *range(90, 120)]
    for i in places:
        alone = results(mindtorch, ODD[name], a[i])
        for got, want in zip(together, alone, strict=True):
            g, w = got[i].numpy(), want.numpy()
            if w.dtype.kind == "i":
                assert (g == w).all()
                continue
            finite = np.isfinite(w)
            assert (np.isfinite(g) == finite).all()
            reach = REACH[dtype] * max(1, np.abs(w[finite]).max(initial=0))
            assert (np.abs(np.where(finite, g - w, 0)) <= reach).all()


FAILING = {
    "inv": lambda t, a: t.linalg.inv(a),
    "solve": lambda t, a: t.linalg.solve(a, a),
    "lu_factor": lambda t, a: t.linalg.lu_factor(a),
    "cholesky": lambda t, a: t.linalg.cholesky(a),
    "cholesky_ex": lambda t, a: t.linalg.cholesky_ex(a, check_errors=True),
    "inv_ex": lambda t, a: t.linalg.inv_ex(a, check_errors=True),
    "cholesky_inverse": lambda t, a: t.cholesky_inverse(a),
    "eigh": lambda t, a: t.linalg.eigh(a / 0.0),
    "svd": lambda t, a: t.linalg.svd(a / 0.0),
}


@pytest.mark.parametrize("name", FAILING)
def test_the_first_of_many_that_fails_is_named(name):
    """In the oracle's words."""

    def program(t):
        a = t.eye(3).repeat(MANY, 1, 1)
        a[623, 1, 1] = a[629, 0, 0] = 0
        return FAILING[name](t, a)

    assert_torch_error(*both(program))


GRADIENTS = {
    "inv": lambda t, a: t.linalg.inv(a),
    "solve": lambda t, a: t.linalg.solve(a, a.mT * a),
    "det": lambda t, a: t.linalg.det(a),
    "slogdet": lambda t, a: t.linalg.slogdet(a)[1],
    "cholesky": lambda t, a: t.linalg.cholesky(a @ a.mH),
    "lu": lambda t, a: t.linalg.lu(a)[2],
    "qr": lambda t, a: t.linalg.qr(a)[1],
    "matrix_exp": lambda t, a: t.linalg.matrix_exp(a / 4),
}


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_of_many_matrices_are_the_oracles(name, dtype):
    """They are made of the same operators."""

    def call(t, a, p, b):
        x = a.clone().requires_grad_()
        found = GRADIENTS[name](t, x)
        (found * found.conj()).real.sum().backward()
        return (x.grad / (1 + x.grad.abs().amax((-1, -2), keepdim=True))).contiguous()

    for n in (2, 4):
        assert_alike(call, dtype, *conditioned(dtype, n))
