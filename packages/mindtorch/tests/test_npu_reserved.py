"""Tensors of an NPU that are larger than what the host would promise."""

from __future__ import annotations

import gc

import mindtorch as torch
import pytest
from mindtorch.backends import memory


def _refuse(*_: object) -> None:
    raise MemoryError("the host promises no more")


MAKERS = [
    lambda device: torch.empty(1 << 18, 3, device=device),
    lambda device: torch.empty_strided((3, 1 << 18), (1, 3), device=device),
    lambda device: torch.empty_like(torch.empty(3, 5, device=device).mT),
]


@pytest.mark.parametrize("make", MAKERS)
def test_what_nobody_writes_takes_address_space_only(make, monkeypatch):
    """As on hardware, the device alone says whether it fits; what is written reads the same."""
    gc.collect()
    host, before = make("cpu"), torch.npu.memory_allocated()
    monkeypatch.setattr(memory, "empty_array", _refuse)
    found = make("npu")
    assert found.stride() == host.stride()
    assert found.untyped_storage().nbytes() == host.untyped_storage().nbytes()
    found[1, 2] = 3
    assert found[1, 2].item() == 3
    del found
    assert torch.npu.memory_allocated() == before


def test_what_is_written_is_refused_by_the_host(monkeypatch):
    """To fill more than there is would end the process."""
    gc.collect()
    before = torch.npu.memory_allocated()
    monkeypatch.setattr(memory, "empty_array", _refuse)
    with pytest.raises(MemoryError, match="promises"):
        torch.full((3, 5), 1.5, device="npu")
    assert torch.npu.memory_allocated() == before
