"""``torch.utils``."""

from __future__ import annotations

from . import hooks

__all__ = ["hooks"]
