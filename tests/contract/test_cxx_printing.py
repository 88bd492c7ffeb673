"""Tensors in messages that torch's C++ prints: ``meshgrid`` shows what it refuses."""

from __future__ import annotations

import pytest

from .helpers import assert_torch_error, both

TENSORS = """
t.ones(2, 2)
t.tensor([[1.5, -2], [3, 4]])
t.tensor([[1, 200], [-3, 4]])
t.tensor([[1234567, 1], [2, 3]])
t.tensor([[1e10, 2]])
t.tensor([[1e-5, 2]])
t.tensor([[123456.5, 2]])
t.tensor([[1.5e120, 1.0]], dtype=t.float64)
t.tensor([[1234567891234.0]])
t.tensor([[0.001, 0.0002], [0.0003, -0.0001]])
t.tensor([[1500000.5, -2e6]])
t.tensor([[float("nan"), 1.0], [float("inf"), 2.5]])
t.tensor([[float("inf"), 1.0]])
t.tensor([[float("nan")]])
t.tensor([[True, False]])
t.ones(2, 2, dtype=t.float16)
t.ones(2, 2, dtype=t.bfloat16)
t.ones(2, 2, dtype=t.uint8)
t.ones(2, 2, requires_grad=True)
t.zeros(2, 3).t()
t.ones(2, 30)
t.arange(60.0).view(2, 30) / 7
t.arange(60.0).view(2, 30) * 1234567.5
t.arange(12.0).view(2, 2, 3)
t.arange(12.0).view(2, 2, 3) / 70000
t.arange(120.0).view(2, 2, 30) / 7
t.ones(2, 3, 1, 2)
t.ones(1, 1, 1, 1, 1)
t.ones(0, 3)
t.ones(2, 0, 3)
""".strip().splitlines()


@pytest.mark.parametrize("text", TENSORS)
def test_a_refused_tensor_is_shown_as_the_oracle_shows_it(text):
    """Numbers, columns, scales, slices, type and sizes, letter by letter."""
    refuse = both(lambda torch: torch.meshgrid(eval(text, {"t": torch}), indexing="ij"))
    assert_torch_error(*refuse)
