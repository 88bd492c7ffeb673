"""``torch.backends.openmp``: OpenMP is not here."""

from __future__ import annotations

__all__ = ["is_available"]


def is_available() -> bool:
    """False: kernels here are numpy's, which takes no count of threads from a program."""
    return False
