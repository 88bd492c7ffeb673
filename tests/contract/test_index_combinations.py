"""Sizes, strides and refusals of what subscripts give, over combinations of items.

Sizes of 0 and of 1 beside each other: their strides say in which order torch's loop ran.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import mindtorch
import torch

from .batches import every
from .rows import report

SIZES = ((1, 4), (4, 1), (3,), (1,), (), (1, 1), (0, 3), (3, 0), (1, 0), (2, 1, 3))
ITEMS = {
    "None": lambda t: None,
    "...": lambda t: ...,
    ":": lambda t: slice(None),
    "False": lambda t: False,
    "True": lambda t: True,
    "0": lambda t: 0,
    "-1": lambda t: -1,
    "1:": lambda t: slice(1, None),
    "::2": lambda t: slice(None, None, 2),
    "0:0": lambda t: slice(0, 0),
    "number": lambda t: t.tensor(0),
    "no": lambda t: t.tensor(False),
    "list": lambda t: [0],
    "nothing": lambda t: [],
    "numbers": lambda t: t.tensor([0, 0]),
    "matrix": lambda t: t.tensor([[0]]),
    "empty matrix": lambda t: t.empty((0, 1), dtype=t.int64),
    "expanded": lambda t: t.tensor([0]).expand(2),
}


def read(t: Any, size: tuple[int, ...], items: tuple[str, ...]) -> Any:
    """Where the result lies in memory, or the error."""
    try:
        got = t.zeros(size)[tuple(ITEMS[item](t) for item in items)]
    except (IndexError, RuntimeError) as error:
        return type(error).__name__, str(error)
    return tuple(got.shape), got.stride(), got.storage_offset(), got._is_view()


@every("size", SIZES)
def test_each_pair_of_items_gives_the_sizes_and_strides_of_the_oracle(size: Any) -> None:
    """And a draw of triples; what follows a second ``...`` is refused."""
    draw = random.Random(repr(size))
    triples = draw.sample(list(product(ITEMS, repeat=3)), 150)
    lines = []
    for items in (*product(ITEMS), *product(ITEMS, repeat=2), *triples):
        ours, oracle = read(mindtorch, size, items), read(torch, size, items)
        if ours != oracle:
            lines.append(f"{size}[{', '.join(items)}]: {ours}, torch {oracle}")
    report(lines)
