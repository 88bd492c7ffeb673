"""``torch.backends.mps`` of a build without it."""

from __future__ import annotations

__all__ = [
    "get_core_count",
    "get_name",
    "is_available",
    "is_built",
    "is_macos13_or_newer",
    "is_macos_or_newer",
]


def is_available() -> bool:
    """False: there is no MPS here."""
    return False


is_built = is_available


def is_macos_or_newer(major: int, minor: int) -> bool:
    """Whether this is macOS of that version: raises RuntimeError, for only MPS could tell."""
    raise RuntimeError("Cannot execute isOnMacOSorNewer() without MPS backend.")


def is_macos13_or_newer(minor: int = 0) -> bool:
    """Whether this is macOS 13: raises RuntimeError, for only MPS could tell."""
    return is_macos_or_newer(13, minor)


def get_name() -> str:
    """The name of the device: raises AttributeError, as a build without MPS does."""
    raise AttributeError("module 'torch._C' has no attribute '_mps_get_name'")


def get_core_count() -> int:
    """The number of its cores: raises AttributeError, as a build without MPS does."""
    raise AttributeError("module 'torch._C' has no attribute '_mps_get_core_count'")
