"""What a tensor answers about its memory format, and what follows from the answer."""

from __future__ import annotations

import random
from typing import Any

import mindtorch
import pytest
import torch

from .helpers import assert_same_value, both

FORMATS = ("contiguous_format", "channels_last", "channels_last_3d")


def made(t: Any, seed: int) -> Any:
    """A tensor with odd strides: permuted, perhaps in another format, sliced, with a new dim."""
    draw = random.Random(seed)
    n = draw.choice((3, 4, 4, 4, 5, 5))
    order = draw.sample(range(n), n)
    x = t.zeros([draw.choice((1, 1, 2, 3, 4)) for _ in order]).permute(order)
    wanted = draw.choice(FORMATS)
    if n == {"channels_last": 4, "channels_last_3d": 5}.get(wanted, n):
        x = x.contiguous(memory_format=getattr(t, wanted))
    x = x[tuple(slice(None, None, draw.choice((1, 1, 1, 2))) for _ in order)]
    return x[0][None] if draw.random() < 0.3 and x.shape[0] else x


@pytest.mark.parametrize("first", range(0, 2000, 200))
def test_a_tensor_knows_its_memory_format(first: int) -> None:
    """And copies that keep the format lay their elements out as the oracle's."""

    def answers(t: Any, seed: int) -> Any:
        x = made(t, seed)
        copies = x.clone(), x.to(t.float64), t.empty_like(x), x.type(t.int32), x + 1, x.relu()
        asked = [x.is_contiguous(memory_format=getattr(t, name)) for name in FORMATS]
        return x.shape, x.stride(), asked, [copy.stride() for copy in copies]

    for seed in range(first, first + 200):
        assert answers(mindtorch, seed) == answers(torch, seed), seed


def test_slices_and_single_channels() -> None:
    """Gaps are no channels_last; sizes of one may have any stride."""

    def answers(t: Any) -> Any:
        x = t.empty(4, 3, 8, 8).contiguous(memory_format=t.channels_last)
        return [
            y.is_contiguous(memory_format=t.channels_last)
            for y in (x, x[..., ::2, ::2], x[0][None], t.empty(10, 3, 1, 1))
        ]

    assert_same_value(*both(answers))
