"""Counts of what processes exchange."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NoReturn

from ...._ops import ops
from ....core.module_names import living_in
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

    def _no_tables(self, name: str) -> NoReturn:
        raise NotImplementedError(
            f"CommDebugMode.{name} is not supported: exchanges are counted by operator, see "
            "get_comm_counts"
        )

    def generate_json_dump(
        self, file_name: Any = "comm_mode_log.json", noise_level: Any = 3
    ) -> Any:
        """Raise NotImplementedError: there are no tables of modules."""
        self._no_tables("generate_json_dump")

    def generate_comm_debug_tracing_table(self, noise_level: Any = 3) -> Any:
        """Raise NotImplementedError: there are no tables of modules."""
        self._no_tables("generate_comm_debug_tracing_table")

    def log_comm_debug_tracing_table_to_file(
        self, file_name: Any = "comm_mode_log.txt", noise_level: Any = 3
    ) -> Any:
        """Raise NotImplementedError: there are no tables of modules."""
        self._no_tables("log_comm_debug_tracing_table_to_file")

    def get_parameter_info(self) -> dict[str, dict[str, Any]]:
        """Raise NotImplementedError: there are no tables of modules."""
        self._no_tables("get_parameter_info")

    def get_sharding_info(self) -> dict[str, dict[str, Any]]:
        """Raise NotImplementedError: there are no tables of modules."""
        self._no_tables("get_sharding_info")

    def __repr__(self) -> str:
        return f"CommDebugMode(get_total_counts()={self.get_total_counts()})"


living_in("mindtorch.distributed.tensor.debug", CommDebugMode)
