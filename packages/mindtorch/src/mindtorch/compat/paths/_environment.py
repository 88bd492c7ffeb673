"""``torch._environment``: where torch runs."""

from __future__ import annotations


def is_fbcode() -> bool:
    """False: this is not the company that wrote torch."""
    return False


def is_prod() -> bool:
    """False: this is not the company that wrote torch."""
    return False
