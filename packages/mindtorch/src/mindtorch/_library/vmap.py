"""How a custom op runs over a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._ops import OpOverload

__all__ = ["vmap_kernel"]


def vmap_kernel(op: OpOverload, rule: Callable[[], Any]) -> Callable[..., Any]:
    """The kernel at the FuncTorchBatched key, which runs the newest *rule*."""

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{op}: mindtorch has no vmap that could run its rule")

    return kernel
