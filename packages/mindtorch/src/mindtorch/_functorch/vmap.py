"""``torch._functorch.vmap``: what torch.func offers, under the name of torch's inside."""

from __future__ import annotations

from ..func import vmap

__all__ = [
    "vmap",
]
