"""Whether ops that torch has no batching rule for run under ``vmap``, and warn of it."""

from __future__ import annotations

__all__ = [
    "_is_vmap_fallback_enabled",
    "_set_vmap_fallback_enabled",
    "_set_vmap_fallback_warning_enabled",
]

enabled = warns = True


def _is_vmap_fallback_enabled() -> bool:
    """Whether ops that torch runs sample by sample are run at all."""
    return enabled


def _set_vmap_fallback_enabled(value: bool) -> None:
    """Run them, or raise RuntimeError."""
    global enabled
    enabled = value


def _set_vmap_fallback_warning_enabled(value: bool) -> None:
    """Warn of each such call, or not."""
    global warns
    warns = value
