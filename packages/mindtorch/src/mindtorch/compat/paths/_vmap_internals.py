"""``torch._vmap_internals``: the older place of ``torch.vmap``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch.func import vmap

__all__ = ["vmap"]


def _vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    allow_none_pass_through: bool = False,
) -> Callable[..., Any]:
    """``torch.vmap`` under its older name."""
    return vmap(func, in_dims=in_dims, out_dims=out_dims)
