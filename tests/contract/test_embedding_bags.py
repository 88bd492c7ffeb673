"""Sums, means and maxima of bags: of few rows and of many, with what compares with nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .both_frameworks import agree

_VALUES = (1.0, 2.0, -1.0, 0.0, float("nan"), float("inf"), -float("inf"), 0.25)


@pytest.mark.parametrize("mode", range(3), ids=["sum", "mean", "max"])
@pytest.mark.parametrize("count", [0, 1, 3, 20, 33, 300])
def test_bags_and_their_gradients_are_the_oracles(mode: int, count: int) -> None:
    draw = random.Random(f"{mode} {count}")
    rows, bags, width = draw.randint(1, 9), draw.randint(1, 8), draw.choice([1, 2, 5])
    table = [[draw.choice(_VALUES) for _ in range(width)] for _ in range(rows)]
    indices = [draw.randrange(rows) for _ in range(count)]
    starts = [0, *sorted(draw.randint(0, count) for _ in range(bags - 1))]

    def run(t: Any) -> Any:
        found = []
        for padding in (None, 0):
            weight = t.tensor(table, requires_grad=True)
            ends = t.tensor([*starts, count])
            of = t.tensor(indices, dtype=t.int64)
            bag, *rest = t.embedding_bag(weight, of, ends, False, mode, False, None, True, padding)
            found += [bag.detach(), *rest, *t.autograd.grad(bag.nan_to_num().sum(), weight)]
        # Written out, for NaN equals nothing, and means are rounded otherwise.
        return [[x.shape, *[f"{v:.6g}" for v in x.flatten().tolist()]] for x in found]

    agree(run)
