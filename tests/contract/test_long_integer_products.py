"""Products of matrices of bytes are exact whatever is summed."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("width", [514, 515, 1024, 1025, 3000])
@pytest.mark.parametrize("extreme", [False, True])
def test_sums_of_many_products_are_exact(dtype, width, extreme):
    """The largest products have the largest sums, of which float32 holds a few hundred."""
    low, high = (-128, 128) if dtype == "int8" else (0, 256)
    drawn = np.random.default_rng(0)
    a, b = drawn.integers(low, high, (3, width)), drawn.integers(-128, 128, (5, width))
    if extreme:
        a[:], b[:] = high - 1 if low == 0 else low, -128
    found = [
        t._int_mm(
            t.tensor(a.tolist(), dtype=getattr(t, dtype)), t.tensor(b.tolist(), dtype=t.int8).t()
        ).tolist()
        for t in (mindtorch, torch)
    ]
    assert found == [(a @ b.T).tolist()] * 2
