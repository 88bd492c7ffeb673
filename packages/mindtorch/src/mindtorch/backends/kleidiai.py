"""``torch.backends.kleidiai``: KleidiAI is not here."""

from __future__ import annotations


def is_available() -> bool:
    """False: there is no KleidiAI here."""
    return False
