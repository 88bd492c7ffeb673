"""Places in sequences that have NaN, or are looked for NaN, and in unsorted ones."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from .both_frameworks import agree

NAN, INF = float("nan"), float("inf")
SEQUENCES = [
    [0.0, 1.0, NAN],
    [0.0, NAN, NAN, NAN],
    [NAN, NAN],
    [-INF, 1.0, INF],
    [NAN, 0.0, 1.0],
    [],
]
VALUES = [0.0, NAN, 2.5, INF, -INF, 1.0]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("right", [False, True])
def test_a_binary_search_passes_what_is_not_larger(dtype: str, right: bool) -> None:
    for row, shape in product(SEQUENCES, [(6,), (2, 3), ()]):

        def program(t: Any, row: Any = row, shape: Any = shape) -> Any:
            kind = getattr(t, dtype)
            sequence = t.tensor(row, dtype=kind)
            values = t.tensor(VALUES if shape else VALUES[1], dtype=kind).reshape(shape)
            rows = sequence.expand(2, len(row)).contiguous()
            return (
                t.searchsorted(sequence, values, right=right),
                t.bucketize(values, sequence, right=right, out_int32=True),
                t.searchsorted(sequence, NAN, right=right),
                t.searchsorted(rows, values.reshape(-1)[:2].reshape(2, 1), right=right)
                if shape
                else None,
            )

        agree(program)
