"""``torch.cuda.amp.GradScaler``: the older name, which warns."""

from __future__ import annotations

from mindtorch_storage.device import CUDA

from ...amp.grad_scaler import GradScaler as _GradScaler
from ...core.deprecation import deprecated

__all__ = ["GradScaler"]


@deprecated(
    "`torch.cuda.amp.GradScaler(args...)` is deprecated. "
    f"Please use `torch.amp.GradScaler({CUDA!r}, args...)` instead."
)
class GradScaler(_GradScaler):
    """``torch.amp.GradScaler`` of CUDA's devices."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        rates = (init_scale, growth_factor, backoff_factor, growth_interval)
        super().__init__(CUDA, *rates, enabled=enabled)
