"""Reductions with ``dtype=``: elements are rounded to it first, half types add up in float32."""

from __future__ import annotations

import mindtorch
import torch

from .batches import every

GIVEN = "float32 float64 int64 int8 bool complex64 float16 bfloat16".split()
ASKED = "bfloat16 float16 float32 float64 int64 bool complex64".split()
#: 257, 259 and 513 are no numbers of bfloat16.
VALUES = [[257, 3, 1.5], [-259, 513, 2]]
ALL = ("sum", "prod", "mean", "nansum")
ALONG = (*ALL, "cumsum", "cumprod")


def reduced(home, given, asked):
    """What each reduction gives, or its error."""
    x = home.tensor(VALUES)
    x = (x / 4 if given == "int8" else x).to(getattr(home, given))
    dtype, found = getattr(home, asked), {}
    calls = [(name, ()) for name in ALL] + [(name, (dim,)) for name in ALONG for dim in (0, 1)]
    for name, dim in calls:
        try:
            made = getattr(x, name)(*dim, dtype=dtype)
            found[name, dim] = str(made.dtype), made.tolist()
        except (RuntimeError, NotImplementedError) as error:
            found[name, dim] = type(error).__name__, str(error)
    return found


@every("asked", ASKED)
@every("given", GIVEN)
def test_elements_are_rounded_first(given, asked):
    assert reduced(mindtorch, given, asked) == reduced(torch, given, asked)
