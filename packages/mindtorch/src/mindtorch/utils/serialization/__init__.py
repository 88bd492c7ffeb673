"""``torch.utils.serialization``."""

from __future__ import annotations

from . import config

__all__ = ["config"]


def __dir__() -> list[str]:
    return sorted(__all__)
