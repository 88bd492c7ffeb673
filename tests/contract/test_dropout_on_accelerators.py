"""Dropout on an accelerator is one operator that keeps a mask of bytes, as on CUDA."""

from __future__ import annotations

from typing import Any

import mindtorch
import pytest
from mindtorch.nn import functional as F


def ones(*size: int, **options: Any) -> Any:
    return mindtorch.ones(*size, device="npu", **options)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
def test_a_mask_of_bytes_is_kept(dtype: str) -> None:
    x = ones(64, 512, dtype=getattr(mindtorch, dtype), requires_grad=True)
    before = mindtorch.npu.memory_allocated()
    y = F.dropout(x, 0.25)
    assert mindtorch.npu.memory_allocated() - before == x.numel() * (x.element_size() + 1)
    assert type(y.grad_fn).__name__ == "NativeDropoutBackward0"
    (grad,) = mindtorch.autograd.grad(y.sum(), x)
    assert mindtorch.equal(grad, y.detach())
    assert abs(y.float().mean().item() - 1) < 0.02


@pytest.mark.parametrize(
    ("p", "train", "want"), [(0.0, True, 1.0), (0.5, False, 1.0), (1.0, True, 0.0)]
)
def test_what_draws_nothing_is_as_on_the_host(p: float, train: bool, want: float) -> None:
    x = ones(4, requires_grad=True)
    y = F.dropout(x, p, train)
    assert y.tolist() == [want] * 4
    assert (y is x) is (p == 0 or not train)


def test_the_seed_decides_and_every_call_draws_anew() -> None:
    drawn = []
    for _ in range(2):
        mindtorch.manual_seed(5)
        drawn.append([F.dropout(ones(64), 0.5).tolist() for _ in range(2)])
    assert drawn[0] == drawn[1] and drawn[0][0] != drawn[0][1]


def test_under_vmap_samples_differ_or_not_as_they_shall() -> None:
    def run(x: Any) -> Any:
        return F.dropout(x, 0.5)

    same = mindtorch.func.vmap(run, randomness="same")(ones(3, 64)).tolist()
    other = mindtorch.func.vmap(run, randomness="different")(ones(3, 64)).tolist()
    assert same[0] == same[1] and other[0] != other[1]
