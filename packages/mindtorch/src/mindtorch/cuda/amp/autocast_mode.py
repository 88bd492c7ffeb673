"""``torch.cuda.amp.autocast`` and its kin: the older names, which warn."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mindtorch as torch

from ...core.deprecation import deprecated

__all__ = ["autocast", "custom_fwd", "custom_bwd"]


@deprecated(
    "`torch.cuda.amp.autocast(args...)` is deprecated. "
    "Please use `torch.amp.autocast('cuda', args...)` instead."
)
class autocast(torch.amp.autocast_mode.autocast):
    """``torch.amp.autocast("cuda", …)``."""

    def __init__(
        self,
        enabled: bool = True,
        dtype: Any = torch.float16,
        cache_enabled: bool = True,
    ) -> None:
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


@deprecated(
    "`torch.cuda.amp.autocast_mode._cast(value, dtype)` is deprecated. "
    "Please use `torch.amp.autocast_mode._cast(value, 'cuda', dtype)` instead."
)
def _cast(value: Any, dtype: Any) -> Any:
    return torch.amp.autocast_mode._cast(value, "cuda", dtype)


@deprecated(
    "`torch.cuda.amp.custom_fwd(args...)` is deprecated. "
    "Please use `torch.amp.custom_fwd(args..., device_type='cuda')` instead."
)
def custom_fwd(fwd: Any = None, *, cast_inputs: Any = None) -> Callable[..., Any]:
    """``torch.amp.custom_fwd(…, device_type="cuda")``."""
    return functools.partial(torch.amp.custom_fwd, device_type="cuda")(
        fwd=fwd, cast_inputs=cast_inputs
    )


@deprecated(
    "`torch.cuda.amp.custom_bwd(args...)` is deprecated. "
    "Please use `torch.amp.custom_bwd(args..., device_type='cuda')` instead."
)
def custom_bwd(bwd: Any) -> Callable[..., Any]:
    """``torch.amp.custom_bwd(…, device_type="cuda")``."""
    return functools.partial(torch.amp.custom_bwd, device_type="cuda")(bwd)
