"""Formats of tensors: the hardware's private ones, of which the simulator has none.

All memory is ND, as on hardware where ``torch.npu.config.allow_internal_format`` is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mindtorch.aten import torch
from mindtorch_storage import ACCELERATOR

__all__ = [
    "copy_memory_",
    "empty_with_format",
    "get_npu_format",
    "npu_dtype_cast",
    "npu_format_cast",
    "npu_format_cast_",
]

#: ACL_FORMAT_ND.
ND: Final = 2


def get_npu_format(self: Any) -> int:
    """The number of a tensor's format: 2, ND."""
    return ND


def npu_format_cast(self: Any, acl_format: Any) -> Any:
    """The tensor in another format, which keeps its numbers: the tensor itself."""
    return self


def npu_format_cast_(self: Any, src: Any) -> Any:
    """The tensor, whose format would become that of *src*, a tensor or a number."""
    return self


def npu_dtype_cast(self: Any, dtype: Any) -> Any:
    """The tensor in *dtype*; gradients come back in its own."""
    return self.to(dtype)


def copy_memory_(self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Copy *src*, of the same dtype and device, into the tensor."""
    return self.copy_(src, non_blocking)


def empty_with_format(
    size: Sequence[int],
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool | None = None,
    acl_format: int = ND,
) -> Any:
    """A tensor whose numbers are not written, on the current NPU by default."""
    where = ACCELERATOR if device is None else device
    return torch.empty(size, dtype=dtype, layout=layout, device=where, pin_memory=bool(pin_memory))
