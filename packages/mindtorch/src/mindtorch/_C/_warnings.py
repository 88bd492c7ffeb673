"""``torch._C._warn`` and its kin: warnings that test how warnings arrive."""

from __future__ import annotations

from ..core.warning import warn

__all__ = ["_warn", "_warn_deprecation"]


def _warn() -> None:
    """Give a UserWarning, at the line of the program."""
    warn("Test message for TORCH_WARN")


def _warn_deprecation() -> None:
    """Give a DeprecationWarning, at the line of the program."""
    warn("Test message for TORCH_WARN_DEPRECATION", DeprecationWarning)
