"""``torch._functorch.apis``: what torch.func offers, under the name of torch's inside."""

from __future__ import annotations

from ..func import grad, grad_and_value, vmap

__all__ = [
    "vmap",
    "grad",
    "grad_and_value",
]
