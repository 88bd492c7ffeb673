"""A ``GradScaler`` that asks all processes whether a gradient is not finite."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.device import CUDA

from ...amp.grad_scaler import GradScaler
from .. import distributed_c10d as dist

__all__ = ["ShardedGradScaler"]


class ShardedGradScaler(GradScaler):
    """A ``GradScaler`` of split parameters."""

    def __init__(
        self,
        device: str = CUDA,
        init_scale: float = 2.0**16,
        backoff_factor: float = 0.5,
        growth_factor: float = 2.0,
        growth_interval: int = 2000,
        enabled: bool = True,
        process_group: Any = None,
    ) -> None:
        super().__init__(
            device,
            init_scale=init_scale,
            backoff_factor=backoff_factor,
            growth_factor=growth_factor,
            growth_interval=growth_interval,
            enabled=enabled,
        )
        if self._enabled:
            self.process_group = process_group or dist.group.WORLD
