"""``torch.func``: functions of functions."""

from .vmap import vmap

__all__ = ["vmap"]
