"""Counts of what processes exchange."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ...._ops import ops
from ....utils._python_dispatch import TorchDispatchMode

__all__ = ["CommDebugMode"]

#: The operators of groups that exchange something, by namespace.
_OF_GROUPS = frozenset(
    "_allgather_base_ _reduce_scatter_base_ allgather_ allgather_coalesced_ "
    "allgather_into_tensor_coalesced_ allreduce_ allreduce_coalesced_ alltoall_ alltoall_base_ "
    "broadcast_ gather_ scatter_ reduce_ reduce_scatter_ reduce_scatter_tensor_coalesced_".split()
)
_FUNCTIONAL = frozenset(
    "all_gather_into_tensor all_gather_into_tensor_coalesced all_reduce all_reduce_coalesced "
    "all_to_all_single broadcast reduce_scatter_tensor reduce_scatter_tensor_coalesced".split()
)
_NAMESPACES = {
    "c10d": ("c10d", _OF_GROUPS),
    "_c10d_functional": ("c10d_functional", _FUNCTIONAL),
    "_c10d_functional_autograd": ("c10d_functional", _FUNCTIONAL),
}


class CommDebugMode(TorchDispatchMode):
    """Counts the exchanges of the body of a ``with``, by operator.

    Functional collectives count under ``torch.ops.c10d_functional``, those of groups under
    ``torch.ops.c10d``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.comm_counts: dict[Any, int] = defaultdict(int)

    def __enter__(self) -> Any:
        self.comm_counts.clear()
        return super().__enter__()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        space, _, name = func._schema.name.partition("::")
        known, names = _NAMESPACES.get(space, ("", frozenset()))
        if name in names:
            self.comm_counts[getattr(getattr(ops, known), name)] += 1
        return func(*args, **(kwargs or {}))

    def get_total_counts(self) -> int:
        """How many exchanges there were."""
        return sum(self.comm_counts.values())

    def get_comm_counts(self) -> dict[Any, int]:
        """How many there were by operator."""
        return self.comm_counts

    def __repr__(self) -> str:
        return f"CommDebugMode(get_total_counts()={self.get_total_counts()})"
