"""``torch.func``: functions of functions."""

from .functionalize import functionalize
from .vmap import vmap

__all__ = ["functionalize", "vmap"]
