"""Numbers and arrays of numpy as arguments of operators that a schema declares."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from .both_frameworks import same

pytestmark = pytest.mark.oracle
_numbers = itertools.count()

VALUES = {
    "int": [
        np.int64(3),
        np.float32(2),
        np.float64(2),
        np.bool_(True),
        np.array(3),
        np.array([1, 2]),
    ],
    "SymInt": [np.int64(3), np.float64(2), np.bool_(True), 3, True],
    "float": [np.float32(1), np.float64(1), np.int64(1), np.array(1.0), np.array([1.0, 2.0]), 1],
    "bool": [np.bool_(True), np.int64(1), True],
    "Scalar": [np.float64(1), np.int64(1), np.bool_(True), 2.5, 1j, np.complex128(1j)],
    "int?": [np.int64(1), np.float64(1), None],
    "float?": [np.float64(1), np.int64(1), None],
    "int[]": [[np.int64(2)], [1, np.int32(2)], np.array([1, 2]), range(3), [np.float64(2)]],
    "SymInt[]": [[np.int64(2)], (np.int64(1),), np.array([1, 2]), range(2), [np.array(3)]],
    "float[]": [[np.float32(1)], [np.int64(1)], np.array([1.0]), np.array([[1.0]]), (1, 2)],
    "bool[]": [[np.bool_(True)], np.array([True, False])],
    "int[2]": [[np.int64(1), 2], 1, [1]],
    "Scalar[]": [[np.float64(1)], [1, 2.5]],
}
CASES = [(kind, value) for kind, values in VALUES.items() for value in values]


@pytest.mark.parametrize(
    ("kind", "value"), CASES, ids=[f"{k}-{type(v).__name__}-{i}" for i, (k, v) in enumerate(CASES)]
)
def test_numbers_of_numpy_are_taken_as_torch_takes_them(kind, value):
    """What the kernel is given, or the type of the refusal."""
    name = f"numpy_numbers_{next(_numbers)}"

    def run(t):
        library = t.library.Library(name, "DEF")
        library.define(f"take(Tensor x, {kind} value) -> Tensor")
        seen = []
        library.impl("take", lambda x, value: (seen.append(value), x.clone())[1], "CPU")
        try:
            getattr(t.ops, name).take(t.ones(1), value)
        except RuntimeError as error:
            return str(error).partition("Position")[0]
        (given,) = seen
        values = given if isinstance(given, (list, tuple)) else [given]
        return [(type(v).__name__, v) for v in values]

    same(run)
