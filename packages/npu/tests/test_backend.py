"""What a framework asks for on a device that is not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend, dry_run
from mindtorch_npu.errors import AcceleratorError


@pytest.mark.parametrize(
    "ask",
    [
        lambda index: backend.allocate(16, index),
        lambda index: backend.launch(index, "op", print),
        backend.current_queue,
    ],
    ids=["allocate", "launch", "current_queue"],
)
def test_a_device_that_is_not_there_is_refused(ask: Callable[[int], Any]) -> None:
    """As every function of CUDA refuses an ordinal, also in a thread that was used before."""
    backend.current_queue(0)
    with pytest.raises(AcceleratorError, match="^NPU error: invalid device ordinal"):
        ask(npu.device_count())


@pytest.mark.skipif(sys.platform != "linux", reason="how much can be reserved differs")
def test_dry_mode_has_room_for_tensors_larger_than_the_machine() -> None:
    """Half a terabyte in one piece, of which no page is touched; it reads as zeros."""
    block = SimpleNamespace(nbytes=1 << 39, data_ptr=0x7F00_0000_0000)
    space, offset = dry_run.address_space(cast(Any, block))
    assert len(space) - offset >= block.nbytes
    assert space[offset + block.nbytes - 1] == 0
