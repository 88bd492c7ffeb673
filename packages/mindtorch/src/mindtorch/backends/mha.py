"""``torch.backends.mha``: whether attention may take a fused path without gradients."""

from __future__ import annotations

__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_is_fastpath_enabled: bool = True


def get_fastpath_enabled() -> bool:
    """What was set; every path gives the same here."""
    return _is_fastpath_enabled


def set_fastpath_enabled(value: bool) -> None:
    """Set whether layers may take a fused path."""
    global _is_fastpath_enabled
    _is_fastpath_enabled = value
