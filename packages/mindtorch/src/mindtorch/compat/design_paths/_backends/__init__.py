"""What kernels and their metas give; backends live in :mod:`mindtorch.backends`."""

from . import meta

__all__ = ["meta"]
