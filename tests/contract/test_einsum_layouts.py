"""How the results of ``einsum`` lie in memory, over equations drawn at random."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .helpers import assert_same_value, both


def _drawn(rng: random.Random) -> tuple[str, list[tuple[int, ...]]]:
    """An equation and the shapes of its operands; some dimensions have size one."""
    sizes = {letter: rng.choice((1, 2, 3, 4)) for letter in "abcdefg"}
    operands = [
        rng.sample("abcdefg", rng.randint(1, 4)) for _ in range(rng.choice((1, 2, 2, 2, 3)))
    ]
    named = sorted({letter for operand in operands for letter in operand})
    output = rng.sample(named, rng.randint(0, len(named)))
    equation = ",".join(map("".join, operands)) + "->" + "".join(output)
    return equation, [tuple(sizes[letter] for letter in operand) for operand in operands]


@pytest.mark.parametrize("seed", range(20))
def test_strides(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        equation, shapes = _drawn(rng)

        def run(t: Any, equation: str = equation, shapes: Any = shapes) -> Any:
            made = [t.arange(t.ones(s).numel(), dtype=t.float64).view(s) for s in shapes]
            return equation, shapes, t.einsum(equation, *made)

        assert_same_value(*both(run))
