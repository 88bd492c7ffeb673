"""``torch.xpu.streams``: there is no device that has streams."""

from __future__ import annotations

from . import (
    Event,
    Stream,
)

__all__ = [
    "Event",
    "Stream",
]
