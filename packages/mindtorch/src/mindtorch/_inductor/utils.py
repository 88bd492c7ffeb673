"""``torch._inductor.utils``: what is asked of torch's compiler where nothing is compiled."""

from __future__ import annotations

__all__ = ["GPU_TYPES"]

#: The devices for which torch's compiler writes kernels of a GPU.
GPU_TYPES = ["cuda", "mps", "xpu", "mtia"]
