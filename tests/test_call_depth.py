"""How many Python frames a warm call takes: the count is stable where times are not.

A small op costs about as much as the frames it enters; these limits keep the call path short.
"""

from __future__ import annotations

import itertools
import sys

import mindtorch as torch
import pytest


def frames(fn) -> int:
    """The Python frames that a warm *fn* enters, its own not counted."""
    for _ in range(9):
        fn()
    count = -1

    def profiler(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(profiler)
    try:
        fn()
    finally:
        sys.setprofile(None)
    return count


A, B = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
W = torch.tensor([1.0, 2.0], requires_grad=True)
NUMBERS = itertools.cycle((0.5, 1.5))


@pytest.mark.parametrize(
    "fn, limit",
    [
        (lambda: A + B, 2),
        (lambda: A + 1.0, 3),
        (lambda: A + next(NUMBERS), 3),
        (lambda: A * B, 2),
        (lambda: A.relu(), 2),
        (lambda: A.sum(), 3),
        (lambda: A.view(2, 1), 2),
        (lambda: torch.add(A, B), 4),
        (lambda: A + W, 7),
    ],
    ids=[
        "add",
        "add a number",
        "add other numbers",
        "mul",
        "relu",
        "sum",
        "view",
        "torch.add",
        "add with grad",
    ],
)
def test_a_warm_call_enters_few_frames(fn, limit):
    """Dispatch, autograd and numpy included."""
    assert frames(fn) <= limit
