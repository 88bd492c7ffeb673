"""A default device, as ``set_default_device`` or a block: which calls make their tensors there."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch

from .batches import every

#: Calls that name no device, or whose tensors lie somewhere already.
CALLS = [
    "t.tensor([1.0])", "t.tensor(1)", "t.tensor(np.ones(2))", "t.tensor(here)",
    "t.as_tensor([1.0])", "t.as_tensor(np.ones(2))", "t.as_tensor(here)",
    "t.as_tensor(here, dtype=t.float64)", "t.asarray(np.ones(2))", "t.asarray(here)",
    "t.asarray([1])", "t.scalar_tensor(1)", "t.from_numpy(np.ones(2))",
    "t.frombuffer(bytearray(8), dtype=t.float32)", "t.Tensor(2)", "t.Tensor([1.0])",
    "t.empty(2)", "t.empty((2, 3))", "t.zeros(2)", "t.ones(2)", "t.full((2,), 1)", "t.rand(2)",
    "t.randn(2)", "t.randint(3, (2,))", "t.randperm(3)", "t.arange(3)",
    "t.linspace(0, 1, 3)", "t.logspace(0, 1, 3)", "t.eye(3)", "t.tril_indices(3, 3)",
    "t.triu_indices(3, 3)", "t.empty_strided((2, 3), (1, 2))",
    "t.zeros_like(here)", "t.rand_like(here)", "here.new_zeros(2)", "here.new_tensor([1.0])",
    "here.clone()", "here + 1", "t.stack([here, here])", "t.tensor(here, device='cpu')",
    "t.as_tensor(here, device='cpu')", "t.as_tensor(np.ones(2), device='cpu')",
    "t.tensor(np.ones(2), requires_grad=True)", "t.as_tensor(2.5)", "t.nn.Linear(2, 2).weight",
    "t.nn.Parameter(here)", "t.complex(t.ones(2), t.ones(2))",
    "t.cartesian_prod(t.ones(2), t.ones(2))", "t.where(here > 0, 1.0, here)",
]  # fmt: skip


def place(home, call):
    """Where the result lies, or the type of the error."""
    names = {"t": home, "np": np, "here": home.ones(2, device="cpu")}
    try:
        return str(eval(call, names).device)
    except Exception as error:
        return type(error).__name__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", [True, False], ids=["block", "set"])
@every("call", CALLS)
def test_calls_that_name_no_device_use_the_default_one(block, call):
    found = []
    for home in (mindtorch, torch):
        if block:
            with home.device("meta"):
                found.append(place(home, call))
        else:
            home.set_default_device("meta")
            try:
                found.append(place(home, call))
            finally:
                home.set_default_device(None)
    assert found[0] == found[1]
