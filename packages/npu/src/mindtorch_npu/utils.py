"""``torch.npu.utils``: what torch_npu has beyond ``torch.cuda``."""

from __future__ import annotations

from math import isfinite
from typing import Any

from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.backend import allocator
from mindtorch_npu.block import Block
from mindtorch_npu.naming import TYPE
from mindtorch_npu.streams import Stream

__all__ = ["_erase_stream", "is_support_inf_nan", "npu_check_overflow"]


def _erase_stream(tensor: Any, stream: Any) -> None:
    """Take a ``record_stream`` back: the stream's work with the tensor is known to be over.

    Raises TypeError for what is no stream, RuntimeError for a tensor of another device.
    """
    if not isinstance(stream, Stream):
        raise TypeError(f"stream should be a torch.{TYPE}.Stream, got {type(stream).__name__}")
    block = getattr(tensor.untyped_storage(), "block", None)
    if not isinstance(block, Block):
        raise RuntimeError("_erase_stream: expected a tensor on an NPU")
    if block.nbytes:
        owner = allocator(block.device_index)
        if isinstance(owner, CachingAllocator):
            owner.erase_stream(block, stream.npu_stream)


def is_support_inf_nan() -> bool:
    """True: an overflow gives infinity, and what is undefined NaN."""
    return True


def npu_check_overflow(grad: Any) -> bool:
    """Whether a tensor, or a number, has infinity or NaN in it."""
    total = float(grad.float().sum()) if hasattr(grad, "float") else float(grad)
    return not isfinite(total)
