"""Gradients of what was changed in place by numbers of another dtype have their leaf's dtype."""

from __future__ import annotations

from typing import Any

import pytest

from .both_frameworks import agree

CHANGES = (
    "add_ sub_ mul_ div_ true_divide_ pow_ atan2_ fmod_ remainder_ copysign_ xlogy_ copy_ "
    "float_power_"
).split()
#: From the one dtype to the other, in which the formulas then compute.
DTYPES = [
    ("float32", "float64"),
    ("float16", "float32"),
    ("float32", "bfloat16"),
    ("complex64", "complex128"),
    ("complex64", "float64"),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("dtype", "other"), DTYPES)
def test_a_gradient_has_the_dtype_of_its_leaf(change: str, dtype: str, other: str) -> None:
    """For the first calls and for known ones, of one shape and of a broadcast one."""

    def program(t: Any) -> Any:
        found = []
        for turn in range(6):
            x = t.full((2, 3), 0.5, dtype=getattr(t, dtype), requires_grad=True)
            w = t.full((2, 3) if turn % 2 else (3,), 1.5, dtype=getattr(t, other))
            y = x.neg().neg()
            try:
                getattr(y, change)(w.requires_grad_(change not in ("mul_", "div_", "pow_")))
                y.sum().backward(t.ones((), dtype=y.dtype))
            except (RuntimeError, NotImplementedError) as error:
                found.append(str(error)[:60])
            else:
                facts = [None if g is None else str(g.dtype)[-9:] for g in (x.grad, w.grad)]
                found.append((facts, None if x.grad is None else repr(x.grad)))
        return found

    agree(program)
