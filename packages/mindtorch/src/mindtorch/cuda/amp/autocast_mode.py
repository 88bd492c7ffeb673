"""``torch.cuda.amp.autocast`` and its kin: the older names, which warn."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindtorch_storage.device import CUDA

from ...amp import autocast_mode as _modes
from ...aten import torch
from ...core.deprecation import deprecated

__all__ = ["autocast", "custom_fwd", "custom_bwd"]


@deprecated(
    "`torch.cuda.amp.autocast(args...)` is deprecated. "
    f"Please use `torch.amp.autocast({CUDA!r}, args...)` instead."
)
class autocast(_modes.autocast):
    """``torch.amp.autocast`` of CUDA's devices."""

    def __init__(
        self,
        enabled: bool = True,
        dtype: Any = torch.float16,
        cache_enabled: bool = True,
    ) -> None:
        super().__init__(CUDA, enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


@deprecated(
    "`torch.cuda.amp.autocast_mode._cast(value, dtype)` is deprecated. "
    f"Please use `torch.amp.autocast_mode._cast(value, {CUDA!r}, dtype)` instead."
)
def _cast(value: Any, dtype: Any) -> Any:
    return _modes._cast(value, CUDA, dtype)


@deprecated(
    "`torch.cuda.amp.custom_fwd(args...)` is deprecated. "
    f"Please use `torch.amp.custom_fwd(args..., device_type={CUDA!r})` instead."
)
def custom_fwd(fwd: Any = None, *, cast_inputs: Any = None) -> Callable[..., Any]:
    """``torch.amp.custom_fwd`` of CUDA's devices."""
    return functools.partial(_modes.custom_fwd, device_type=CUDA)(fwd=fwd, cast_inputs=cast_inputs)


@deprecated(
    "`torch.cuda.amp.custom_bwd(args...)` is deprecated. "
    f"Please use `torch.amp.custom_bwd(args..., device_type={CUDA!r})` instead."
)
def custom_bwd(bwd: Any) -> Callable[..., Any]:
    """``torch.amp.custom_bwd`` of CUDA's devices."""
    return functools.partial(_modes.custom_bwd, device_type=CUDA)(bwd)
