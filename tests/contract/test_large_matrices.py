"""Matrices that are large enough for another way to be worth it: the oracle's numbers all the same.

A number may be off by some roundings of the largest of the result.
"""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_torch_error, both

#: Units in the last place of the result's largest number, times the condition of the matrix.
REACH = {"float32": 2e-5, "float64": 1e-13, "complex64": 4e-5, "complex128": 2e-13}

CALLS = {
    "inv": lambda torch, a, b: torch.linalg.inv(a),
    "inv of columns": lambda torch, a, b: torch.linalg.inv(a.mT),
    "inv of a batch": lambda torch, a, b: torch.linalg.inv(torch.stack((a, a.mT))),
    "upper": lambda torch, a, b: torch.linalg.solve_triangular(a, b, upper=True),
    "lower": lambda torch, a, b: torch.linalg.solve_triangular(a, b, upper=False),
    "unit": lambda torch, a, b: torch.linalg.solve_triangular(
        a / 64, b, upper=True, unitriangular=True
    ),
    "right": lambda torch, a, b: torch.linalg.solve_triangular(a, b.mT, upper=True, left=False),
    "conjugated": lambda torch, a, b: torch.linalg.solve_triangular(a.conj(), b, upper=False),
    "transposed": lambda torch, a, b: torch.triangular_solve(b, a, transpose=True).solution,
    "matrix_exp": lambda torch, a, b: torch.linalg.matrix_exp(a / 16),
    "matrix_exp of large numbers": lambda torch, a, b: torch.linalg.matrix_exp(a),
}


def operands(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)

    def numbers(*shape: int) -> np.ndarray:
        found = rng.standard_normal(shape)
        return found + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else found

    n = 130
    return (numbers(n, n) / n**0.5 + 4 * np.eye(n)).astype(dtype), numbers(n, 3).astype(dtype)


@pytest.mark.parametrize("dtype", REACH)
@pytest.mark.parametrize("name", CALLS)
def test_large_matrices_give_the_oracles_numbers(name, dtype):
    """Inverses, triangular equations and exponentials of more than a hundred rows."""
    a, b = operands(dtype)
    want = CALLS[name](torch, torch.from_numpy(a), torch.from_numpy(b))
    got = CALLS[name](mindtorch, mindtorch.from_numpy(a), mindtorch.from_numpy(b))
    assert (str(got.dtype), tuple(got.shape)) == (str(want.dtype), tuple(want.shape))
    assert got.stride() == want.stride()
    reach = REACH[dtype] * want.abs().max().item()
    assert np.abs(got.numpy() - want.numpy()).max() <= reach


def test_a_large_singular_matrix_is_refused():
    """In the same words as a small one."""
    assert_torch_error(*both(lambda torch: torch.linalg.inv(torch.zeros(100, 100))))
