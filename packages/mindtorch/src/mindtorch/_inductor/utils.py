"""``torch._inductor.utils``: what is asked of torch's compiler where nothing is compiled."""

from __future__ import annotations

import sys
from typing import Any

from ..core.unavailable import COMPILER, offer
from ..utils._ordered_set import OrderedSet

__all__ = ["GPU_TYPES", "OrderedSet", "get_gpu_type", "is_gpu"]

#: The devices for which torch's compiler writes kernels of a GPU.
GPU_TYPES = ["cuda", "mps", "xpu", "mtia"]


def get_gpu_type() -> str:
    """Which of them is there; the first where none is."""
    torch: Any = sys.modules[__package__.partition(".")[0]]
    there = [name for name in GPU_TYPES if getattr(torch, name).is_available()]
    return there[0] if there else GPU_TYPES[0]


def is_gpu(device: str | None) -> bool:
    """Whether *device* is one of them."""
    return device in GPU_TYPES


offer(globals(), COMPILER, "get_gpu_shared_memory is_big_gpu run_and_get_code", public=" ")
