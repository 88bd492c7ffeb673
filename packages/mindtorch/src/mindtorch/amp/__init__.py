"""``torch.amp``: automatic mixed precision."""

from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]


def __dir__() -> list[str]:
    return sorted(__all__)
