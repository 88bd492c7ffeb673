"""``torch.utils.serialization``."""

from __future__ import annotations

from . import config

__all__ = ["config"]
