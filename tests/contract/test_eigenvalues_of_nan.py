"""Eigenvalues of hermitian matrices with numbers that are not finite: LAPACK's, or its failure."""

from __future__ import annotations

import itertools
from typing import Any

import mindtorch
import pytest
import torch

#: Where such a number stands in a matrix of *n* rows.
PLACES = {
    "everywhere": lambda a, n: a,
    "on the diagonal": lambda a, n: a[n // 2, n // 2],
    "above it": lambda a, n: a[0, n - 1],
    "below it": lambda a, n: a[n - 1, 0],
    "last": lambda a, n: a[n - 1, n - 1],
    "first": lambda a, n: a[0, 0],
}
CALLS = {
    "eigh": lambda t, a: t.linalg.eigh(a),
    "upper": lambda t, a: t.linalg.eigh(a, UPLO="U"),
    "of a batch": lambda t, a: t.linalg.eigh(t.stack([t.eye(len(a), dtype=a.dtype), a])),
    "eigvalsh": lambda t, a: (t.linalg.eigvalsh(a),),
    "of batches": lambda t, a: (t.linalg.eigvalsh(t.stack([a.new_zeros(a.shape), a])[None]),),
}


def found(t: Any, call: str, n: int, number: float, place: str, dtype: str) -> Any:
    """Where results are NaN, and how they lie; or the error."""
    a = t.eye(n, dtype=getattr(t, dtype))
    PLACES[place](a, n).fill_(number)
    try:
        results = CALLS[call](t, a)
    except RuntimeError as error:
        return type(error).__name__, str(error)
    return [(r.isnan().tolist(), tuple(r.shape), r.stride()) for r in results]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_they_are_as_in_the_oracle(call: str, n: int) -> None:
    """What is above the diagonal is not looked at."""
    numbers = (float("nan"), float("inf"), -float("inf"))
    for number, place, dtype in itertools.product(numbers, PLACES, ("float32", "complex128")):
        case = (call, n, number, place, dtype)
        assert found(mindtorch, *case) == found(torch, *case), case
