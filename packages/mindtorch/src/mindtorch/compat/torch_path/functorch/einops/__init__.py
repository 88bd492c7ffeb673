"""``functorch.einops``: dimensions moved, split and joined by a pattern of names."""

from .rearrange import rearrange

__all__ = ["rearrange"]
