"""``torch.backends.kleidiai``: KleidiAI is not here."""

from __future__ import annotations

__all__ = ["is_available"]


def is_available() -> bool:
    """False: there is no KleidiAI here."""
    return False
