"""Calls without tensors mean the same each time, whatever was called before with equal values."""

from __future__ import annotations

from typing import Any

import mindtorch
import torch

from .batches import every
from .helpers import assert_same_value, assert_torch_error, both

#: Calls that are equal in part: as values, or as keys of a dict.
CALLS = (
    "full((2,), 0.0)", "full((2,), -0.0)", "full((2,), 0)", "full((2,), False)",
    "full((2,), 1)", "full((2,), True)", "full((2,), 1.0)", "full((2,), float('nan'))",
    "full([2], 1.0)", "full(torch.Size([2]), 1.0)", "full((2,), 1.0, requires_grad=True)",
    "full((2,), 1.0, dtype=torch.float64)", "full((2,), 1, dtype=torch.bool)",
    "full((2,), 1.0, dtype=float)", "full(size=(2,), fill_value=1.0)", "full((2.0,), 1.0)",
    "full((2,), 1e300)", "full((2,), -1e300)", "full((2,), 1e300, dtype=torch.float64)",
    "full((2,), float('-inf'))", "full((2,), 300, dtype=torch.uint8)", "full((2,), 2 ** 62)",
    "full((2,), 7, dtype=torch.uint8)", "full((2,), 2 ** 63)", "full((2,), 2 ** 64)",
    "full((2,), -2 ** 63)", "full((2,), -2 ** 63 - 1)", "full((2,), 2 ** 64, dtype=torch.float64)",
    "full((2,), 2 ** 63, dtype=torch.float64)", "full((2,), 2.5, dtype=torch.int32)",
    "full((2,), fill_value=2.5)", "full((2,), fill_value=3)", "full([], 2.5)", "full([3], 2.5)",
    "full((True,), 1.0)", "full((1,), 1.0)", "full(((2,),), 1.0)", "full(([2],), 1.0)",
    "zeros(2)", "zeros(2.0)", "zeros(True)", "zeros(1)", "zeros(2, 1)", "zeros((2, 1))",
    "zeros([2, 1])", "zeros([2, True])", "zeros([2.0, 1])", "zeros([])", "zeros([[2]])",
    "zeros(2, device='cpu', dtype=torch.int64)",
    "zeros((2, 1.0))", "zeros((2, True))", "zeros(-1)", "zeros(2, requires_grad=True)",
    "zeros(2, device='cpu')", "zeros(2, device=torch.device('cpu'))", "zeros(2, device='meta')",
    "zeros(2, device=torch.device('meta'))", "zeros(2, dtype=torch.int32)", "zeros(2, dtype=None)",
    "zeros(2, layout=torch.strided)", "zeros(())", "zeros(torch.Size([2, 1]))", "zeros(2, bad=1)",
    "arange(3)", "arange(3.0)", "arange(0, 3)", "arange(0.0, 3)", "arange(-0.0, 3.0)",
    "arange(0, 3, 1.0)", "arange(True)", "arange(3, dtype=torch.int32)", "arange(3, step=0)",
    "eye(2)", "eye(2, 3)", "eye(2.0)", "cat((torch.ones(1), torch.ones(1)))", "cat(())",
    "linspace(0, 1, 3)", "linspace(0.0, 1.0, 3)", "linspace(0, 1, 3.0)",
    "empty(2, memory_format=torch.channels_last)",
    "empty((1, 2, 1, 2), memory_format=torch.channels_last).stride()",
)  # fmt: skip


def compare(call: str) -> None:
    """A value or an error as torch's."""

    def made(t: Any) -> Any:
        result = eval("torch." + call, {"torch": t})
        return result, getattr(result, "requires_grad", None)

    ours, theirs = both(made)
    try:
        theirs()
    except Exception:  # compared below
        assert_torch_error(ours, theirs)
    else:
        assert_same_value(ours, theirs)


@every("order", (1, -1, 1))
def test_equal_values_of_other_types_are_other_calls(order: int) -> None:
    """Each call after all others, twice, forwards and backwards."""
    for call in CALLS[::order]:
        compare(call)
        compare(call)


def test_what_is_taken_where_nothing_is_named_is_found_anew() -> None:
    """The default dtype and device, grad mode and modes that see the call."""

    class Seen(mindtorch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            names.append(func.__name__)
            return func(*args, **(kwargs or {}))

    names: list[str] = []
    for _ in range(3):
        assert mindtorch.ones(2, 1).dtype is mindtorch.float32
        mindtorch.set_default_dtype(mindtorch.float64)
        try:
            assert mindtorch.ones(2, 1).dtype is mindtorch.float64
        finally:
            mindtorch.set_default_dtype(mindtorch.float32)
        with mindtorch.device("meta"):
            assert mindtorch.ones(2, 1).device.type == "meta"
        with Seen():
            mindtorch.ones(2, 1)
        with mindtorch.inference_mode():
            assert mindtorch.ones(2, 1).is_inference()
        assert not mindtorch.ones(2, 1).is_inference()
    assert names == ["ones"] * 3


def test_each_result_has_memory_of_its_own() -> None:
    """What is written into one is not in the next; random numbers go on."""
    for t in (mindtorch, torch):
        t.manual_seed(3)
        drawn = []
        for _ in range(3):
            t.zeros(2).add_(1)
            assert t.zeros(2).tolist() == [0.0, 0.0]
            drawn += t.rand(2).tolist()
        assert len(set(drawn)) == 6


def test_many_sizes_in_turn() -> None:
    """More than are remembered."""
    for _ in range(2):
        assert [mindtorch.zeros(n, 1).shape[0] for n in range(600)] == list(range(600))
