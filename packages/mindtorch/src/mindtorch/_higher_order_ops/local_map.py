"""``torch._higher_order_ops.local_map``: a graph that runs on parts of sharded tensors."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator

__all__ = ["LocalMapHOP", "local_map_hop"]


class LocalMapHOP(HigherOrderOperator):
    """``torch.ops.higher_order.local_map_hop``: *gm* of the arguments, which are local parts."""

    def __init__(self) -> None:
        super().__init__("local_map_hop")

    def __call__(self, gm: Any, *args: Any, **kwargs: Any) -> Any:
        """Call *gm*."""
        return super().__call__(gm, *args, **kwargs)


local_map_hop = LocalMapHOP()


@local_map_hop.py_impl(DispatchKey.CompositeImplicitAutograd)
def _run(gm: Any, *args: Any, **kwargs: Any) -> Any:
    return gm(*args, **kwargs)
