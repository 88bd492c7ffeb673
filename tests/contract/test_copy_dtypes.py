"""``copy_`` from every dtype into every other, and ``~`` of each."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from .helpers import assert_same_value, assert_torch_error, both

NAMES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
    "complex32 complex64 complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
).split()


def agree(work: Any) -> None:
    """Both frameworks return the same, or refuse with the same error."""
    try:
        work(torch)
    except Exception:
        assert_torch_error(*both(work))
    else:
        assert_same_value(*both(work))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", NAMES)
def test_a_copy_keeps_what_the_target_can_hold(source: str) -> None:
    """Into memory of each dtype, whole, strided and broadcast."""
    for target in NAMES:

        def work(t: Any, target: str = target) -> Any:
            wide = t.complex128 if source.startswith("complex") else t.float64
            numbers = t.tensor([0, 1, 2.5, -3], dtype=wide)
            if source.startswith("complex"):
                numbers = numbers + t.tensor([1j, 0, -2j, 0.5j])
            if source.startswith("uint"):
                numbers = numbers.abs()
            src = numbers.to(getattr(t, source))
            kept = t.complex128 if target.startswith("complex") else t.float64
            made = [
                t.zeros(*shape, dtype=getattr(t, target))[place].copy_(src).to(kept)
                for shape, place in (((4,), ...), ((8,), slice(None, None, 2)), ((2, 4), ...))
            ]
            return (*made, src.to(getattr(t, target)).to(kept))

        agree(work)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("where", ["cpu", "meta"])
def test_inverting_refuses_other_than_whole_numbers(name: str, where: str) -> None:
    """With a text of its own, which the function ``bitwise_not`` does not have."""
    agree(lambda t: ~t.zeros(2, dtype=getattr(t, name), device=where))
