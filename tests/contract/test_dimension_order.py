"""The order of dimensions in memory, of tensors that lie in all ways, against torch."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import mindtorch
import pytest
import torch

SIZES = {2: (0, 1, 2, 3), 3: (0, 1, 2), 4: (1, 2), 5: (1, 2)}
#: Orders from the outermost dimension to the innermost; all of them up to four dimensions.
OF_FIVE = [(0, 1, 2, 3, 4), (0, 2, 3, 4, 1), (4, 3, 2, 1, 0), (1, 0, 2, 3, 4), (0, 2, 3, 1, 4)]


def _layouts(ndim: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Shapes and strides: dense ones, and ones whose outermost dimension is broadcast."""
    found = []
    for shape in product(SIZES[ndim], repeat=ndim):
        for order in permutations(range(ndim)) if ndim < 5 else OF_FIVE:
            strides, step = [0] * ndim, 1
            for dim in reversed(order):
                strides[dim] = step
                step *= max(shape[dim], 1)
            found.append((shape, tuple(strides)))
            strides[order[0]] = 0
            found.append((shape, tuple(strides)))
    return found


def _orders(t: Any, layouts: Any, ambiguity_check: Any) -> list[Any]:
    found = []
    for shape, strides in layouts:
        try:
            order = t.empty_strided(shape, strides).dim_order(ambiguity_check=ambiguity_check(t))
        except RuntimeError as error:
            order = str(error)
        found.append((shape, strides, order))
    return found


@pytest.mark.parametrize("ndim", SIZES)
@pytest.mark.parametrize(
    "ambiguity_check",
    [
        lambda t: False,
        lambda t: True,
        lambda t: [],
        lambda t: [t.contiguous_format],
        lambda t: [t.contiguous_format, t.channels_last],
    ],
    ids=["false", "true", "none", "contiguous", "two"],
)
def test_order_is_torchs(ndim: int, ambiguity_check: Any) -> None:
    """Whatever the layout; where it is open, it is refused as torch refuses it."""
    layouts = _layouts(ndim)
    ours = _orders(mindtorch, layouts, ambiguity_check)
    assert ours == _orders(torch, layouts, ambiguity_check)
