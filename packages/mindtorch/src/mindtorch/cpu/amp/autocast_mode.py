"""``torch.cpu.amp.autocast``: the older name, which warns."""

from __future__ import annotations

from typing import Any

from ...amp import autocast_mode as _modes
from ...aten import torch
from ...core.deprecation import deprecated

__all__ = ["autocast"]


@deprecated(
    "`torch.cpu.amp.autocast(args...)` is deprecated. "
    "Please use `torch.amp.autocast('cpu', args...)` instead."
)
class autocast(_modes.autocast):
    """``torch.amp.autocast("cpu", …)``."""

    def __init__(
        self,
        enabled: bool = True,
        dtype: Any = torch.bfloat16,
        cache_enabled: bool = True,
    ) -> None:
        super().__init__("cpu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)
