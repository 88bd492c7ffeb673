"""``torch.cpu.amp.GradScaler``: the older name, which warns."""

from __future__ import annotations

from ...amp.grad_scaler import GradScaler as _GradScaler
from ...core.deprecation import deprecated

__all__ = ["GradScaler"]


@deprecated(
    "`torch.cpu.amp.GradScaler(args...)` is deprecated. "
    "Please use `torch.amp.GradScaler('cpu', args...)` instead."
)
class GradScaler(_GradScaler):
    """``torch.amp.GradScaler("cpu", …)``."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        rates = (init_scale, growth_factor, backoff_factor, growth_interval)
        super().__init__("cpu", *rates, enabled=enabled)
