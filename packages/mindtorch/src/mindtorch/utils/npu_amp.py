"""``torch.npu.amp``: mixed precision on the NPU, under the names that programs for Ascend use.

They are torch_npu's: ``torch.amp``, for the one device type. ``torch.cuda.amp`` has them for CUDA.
"""

from __future__ import annotations

import functools
from typing import Any

from mindtorch_storage import ACCELERATOR

from ..amp import autocast_mode as _modes
from ..amp.grad_scaler import GradScaler as _GradScaler
from ..aten import torch

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]

custom_fwd = functools.partial(_modes.custom_fwd, device_type=ACCELERATOR)
custom_bwd = functools.partial(_modes.custom_bwd, device_type=ACCELERATOR)


class autocast(_modes.autocast):
    """``torch.autocast`` for the NPU."""

    def __init__(
        self, enabled: bool = True, dtype: Any = torch.float16, cache_enabled: bool = True
    ) -> None:
        super().__init__(ACCELERATOR, enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_GradScaler):
    """``torch.amp.GradScaler`` for the NPU."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        rates = (init_scale, growth_factor, backoff_factor, growth_interval)
        super().__init__(ACCELERATOR, *rates, enabled=enabled)
