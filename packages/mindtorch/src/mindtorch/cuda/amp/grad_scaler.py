"""``torch.cuda.amp.GradScaler``: the older name, which warns."""

from __future__ import annotations

from mindtorch_storage.device import CUDA

from ...amp.grad_scaler import OptState as OptState
from ...amp.grad_scaler import _ScalerOfType
from ...core.deprecation import deprecated

__all__ = ["GradScaler"]


@deprecated(
    "`torch.cuda.amp.GradScaler(args...)` is deprecated. "
    f"Please use `torch.amp.GradScaler({CUDA!r}, args...)` instead."
)
class GradScaler(_ScalerOfType):
    """``torch.amp.GradScaler`` of CUDA's devices."""

    _type = CUDA
