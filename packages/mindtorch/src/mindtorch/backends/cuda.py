"""``torch.backends.cuda`` of a build without it."""

from .mps import is_built

__all__ = ["is_built"]
