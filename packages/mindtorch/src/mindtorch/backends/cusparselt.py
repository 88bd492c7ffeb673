"""``torch.backends.cusparselt``: cuSPARSELt is not here."""

from __future__ import annotations

__all__ = ["get_max_alg_id", "is_available", "version"]


def is_available() -> bool:
    """False: there is no cuSPARSELt here."""
    return False


def version() -> int | None:
    """None: there is no cuSPARSELt here."""
    return None


def get_max_alg_id() -> int | None:
    """None: there is no cuSPARSELt here."""
    return None
