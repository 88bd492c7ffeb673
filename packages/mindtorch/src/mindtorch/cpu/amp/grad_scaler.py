"""``torch.cpu.amp.GradScaler``: the older name, which warns."""

from __future__ import annotations

from ...amp.grad_scaler import _ScalerOfType
from ...core.deprecation import deprecated

__all__ = ["GradScaler"]


@deprecated(
    "`torch.cpu.amp.GradScaler(args...)` is deprecated. "
    "Please use `torch.amp.GradScaler('cpu', args...)` instead."
)
class GradScaler(_ScalerOfType):
    """``torch.amp.GradScaler("cpu", …)``."""

    _type = "cpu"
