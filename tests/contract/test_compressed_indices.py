"""Indices of compressed layouts, looked at by the operator that does only that."""

from __future__ import annotations

import pytest

from .both_frameworks import same

CASES = {
    "fine": ([0, 1, 2], [0, 1]),
    "batches": ([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 1]]),
    "begin": ([1, 1, 2], [0, 1]),
    "end": ([0, 1, 3], [0, 1]),
    "too many": ([0, 3, 2], [0, 1]),
    "falling": ([0, 2, 1], [0, 1]),
    "too large": ([0, 1, 2], [0, 5]),
    "negative": ([0, 1, 2], [0, -1]),
    "twice": ([0, 2, 2], [1, 1]),
    "lines": ([0, 1, 2, 2], [0, 1]),
    "elements": ([0, 1, 2], [0, 1, 1]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rows", [True, False])
@pytest.mark.parametrize("kinds", [("int64", "int64"), ("int32", "int32"), ("int64", "int32")])
def test_indices_are_looked_at(case, rows, kinds):
    def looked(t):
        made = [t.tensor(v, dtype=getattr(t, k)) for v, k in zip(CASES[case], kinds, strict=True)]
        return t._validate_compressed_sparse_indices(rows, *made, 2, 2, 2)

    same(looked)


@pytest.mark.parametrize("kind", ["int16", "float32"])
def test_other_dtypes_are_refused(kind):
    def looked(t):
        starts, columns = (t.tensor(v).to(getattr(t, kind)) for v in CASES["fine"])
        return t._validate_compressed_sparse_indices(True, starts, columns, 2, 2, 2)

    same(looked)
