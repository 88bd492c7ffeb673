"""``torch._refs.nn``."""

from . import functional as functional

__all__ = ["functional"]
