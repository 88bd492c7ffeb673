"""How a call finds its kernel: the table, what empties it, what a thread's state changes."""

from __future__ import annotations

import threading

import mindtorch as torch
import pytest
from mindtorch_dispatch import DispatchKey, registry


def test_a_registered_kernel_takes_over_and_gives_back():
    """Registering empties the call table, removing brings the row's own kernel back."""
    x = torch.tensor([1.0, -2.0])
    assert (-x).tolist() == [-1.0, 2.0]
    handle = registry.register_kernel("aten::neg", DispatchKey.CPU, lambda self: self * 10)
    try:
        assert (-x).tolist() == [10.0, -20.0]
        assert torch.neg(x).tolist() == [10.0, -20.0]
    finally:
        registry.remove(handle)
    assert (-x).tolist() == [-1.0, 2.0]


def test_a_kernel_at_autograd_is_called_without_requires_grad():
    """As in torch: the Autograd key belongs to every tensor."""
    seen = []

    def wrapper(self):
        seen.append(self.shape)
        return self + 0

    handle = registry.register_kernel("aten::abs", DispatchKey.Autograd, wrapper)
    try:
        torch.tensor([1.0]).abs()
    finally:
        registry.remove(handle)
    assert seen == [(1,)]


def test_default_dtype_reaches_calls_that_were_resolved_before():
    """Resolved calls have the default dtype built in and are forgotten when it changes."""
    whole = torch.tensor([1, 2])
    assert (whole / 2).dtype is torch.float32
    torch.set_default_dtype(torch.float64)
    try:
        assert (whole / 2).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert (whole / 2).dtype is torch.float32


def test_a_thread_starts_with_grad_mode_on():
    """no_grad in one thread says nothing about another."""
    x = torch.ones(2, requires_grad=True)
    found = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: found.append((x * 2).requires_grad))
        thread.start()
        thread.join()
        assert not (x * 2).requires_grad
    assert found == [True]


@pytest.mark.parametrize("device", ["cpu", "npu", "meta"])
def test_results_stay_on_the_device(device):
    """A factory takes its device argument, an op that of its tensors."""
    x = torch.ones((2,), device=device)
    assert (x + x).device.type == device
    assert (x + x).relu().sum().shape == ()


def test_tensors_on_two_devices_are_refused():
    """Only 0-d host tensors follow the others."""
    x = torch.ones(2, device="npu")
    assert (x * torch.tensor(3.0)).tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="two devices, npu:0 and cpu"):
        x + torch.ones(2)


def test_an_unknown_device_says_so():
    """torch's error for a build without CUDA."""
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.ones(2, device="cuda")


def test_a_full_sum_owns_memory_that_can_be_changed():
    """A small sum is an array of its own, not numpy's scalar, which nobody could write to."""
    assert torch.ones(2).sum().add_(1).item() == 3
    assert torch.ones(2, 3).sum((0, 1)).mul_(2).item() == 12
