"""What a framework asks for on a device that is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend
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
