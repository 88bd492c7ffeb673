"""``torch.npu.amp``: mixed precision on the NPU, under the names that programs for Ascend use.

They are torch_npu's: ``torch.amp``, for the one device type. ``torch.cuda.amp`` has them for CUDA.
"""

from __future__ import annotations

import functools
from typing import Any

from mindtorch_storage import ACCELERATOR

from ..amp import autocast_mode as _modes
from ..amp.grad_scaler import _ScalerOfType
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


class GradScaler(_ScalerOfType):
    """``torch.amp.GradScaler`` for the NPU."""

    _type = ACCELERATOR
