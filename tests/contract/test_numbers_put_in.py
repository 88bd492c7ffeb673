"""Numbers put into tensors of each dtype: kept, rounded, or refused where they do not fit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

INTEGERS = ("uint8", "int8", "int16", "int32", "int64", "bool")
DTYPES = (*INTEGERS, "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
NUMBERS = (
    *(300, -129, 256, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, True, -1),
    *(70000.0, 1e39, 1e300, 2.0**63, -(2.0**63) - 1025, 2.7, -0.5, float("inf"), float("nan")),
    *(1j, 1e300j, complex(2, 0)),
    *(np.int64(5), np.uint8(3), np.float32(2), np.float64(2), np.bool_(True), np.complex64(1j)),
)
#: What is no number.
OTHERS = (np.ones(1), np.ones(()), "a", None, [1], (1, 2), {}, object(), np.str_("a"))

Put = Callable[[Any, Any, Any], Any]


def _item(t: Any, x: Any, v: Any) -> None:
    x[0] = v


def _slice(t: Any, x: Any, v: Any) -> None:
    x[1:] = v


def _mask(t: Any, x: Any, v: Any) -> None:
    x[t.tensor([True, False, True])] = v


WAYS: dict[str, Put] = {
    "item": _item,
    "slice": _slice,
    "mask": _mask,
    "fill_": lambda t, x, v: x.fill_(v),
    "fill": lambda t, x, v: t.fill(x, v),
    "full": lambda t, x, v: t.full((2,), v, dtype=x.dtype),
    "new_full": lambda t, x, v: x.new_full((2,), v),
    "full_like": lambda t, x, v: t.full_like(x, v),
    "scalar_tensor": lambda t, x, v: t.scalar_tensor(v, dtype=x.dtype),
    "masked_fill": lambda t, x, v: x.masked_fill(t.tensor([True, False, True]), v),
    "index_fill": lambda t, x, v: x.index_fill(0, t.tensor([0]), v),
}


def _seen(t: Any, put: Put, dtype: str, value: Any) -> str:
    x = t.zeros(3, dtype=getattr(t, dtype))
    try:
        made = put(t, x, value)
    except Exception as error:
        text = str(error).splitlines()[0].replace("mindtorch", "torch")
        return f"{type(error).__name__}: {text}, {x.tolist()}"
    return f"{x.tolist()} {None if made is None else made.tolist()}"


@pytest.mark.parametrize("way", WAYS)
def test_numbers_are_kept_or_refused_as_the_oracle_does(way):
    """Nothing wraps around silently, and what is refused leaves the tensor as it was."""
    # torch's parser of a call speaks otherwise of what is no number; see the tests of wrong calls.
    values = (*NUMBERS, *OTHERS) if way in ("item", "slice", "mask") else NUMBERS[:21]
    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype in DTYPES:
            for value in values:
                got, want = (_seen(t, WAYS[way], dtype, value) for t in (mindtorch, torch))
                if got != want:
                    lines.append(f"{dtype} {value!r}: {got}\n  torch: {want}")
    assert not lines, "\n".join(lines)
