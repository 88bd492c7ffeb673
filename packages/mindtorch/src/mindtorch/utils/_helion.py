"""``torch.utils._helion``: whether Helion is there."""

from __future__ import annotations

from importlib.util import find_spec

__all__ = ["has_helion", "has_helion_package"]


def has_helion_package() -> bool:
    """Whether the package is installed."""
    return find_spec("helion") is not None


def has_helion() -> bool:
    """False: it writes kernels for torch's own tensors."""
    return False
