"""``torch._C._distributed_c10d``: process groups and stores under the names of the bindings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ..distributed._c10d.buckets import (
    _DEFAULT_FIRST_BUCKET_BYTES,
    GradBucket,
    _broadcast_coalesced,
    _compute_bucket_assignment_by_size,
    _verify_params_across_processes,
)
from ..distributed._c10d.builtin_hooks import _register_builtin_comm_hook
from ..distributed._c10d.ddp_logger import DDPLoggingData, Logger
from ..distributed._c10d.file_store import FileStore
from ..distributed._c10d.named_groups import FakeProcessGroup, ProcessGroupGloo
from ..distributed._c10d.options import (
    AllgatherOptions,
    AllreduceCoalescedOptions,
    AllreduceOptions,
    AllToAllOptions,
    BarrierOptions,
    BroadcastOptions,
    GatherOptions,
    ReduceOptions,
    ReduceScatterOptions,
    ScatterOptions,
)
from ..distributed._c10d.process_group import Backend, ProcessGroup
from ..distributed._c10d.reducer import Reducer, _register_comm_hook
from ..distributed._c10d.reductions import (
    BuiltinCommHookType,
    DebugLevel,
    ErrorType,
    OpType,
    ReduceOp,
    WorkResult,
    _make_nccl_premul_sum,
    get_debug_level,
    set_debug_level,
    set_debug_level_from_env,
)
from ..distributed._c10d.stores import HashStore, PrefixStore, Store
from ..distributed._c10d.tcp_store import TCPStore
from ..distributed._c10d.work import FakeWork, Work, _create_work_from_future
from ..distributed._c10d.work_registry import WORKS
from ..distributed._c10d.world import _resolve_process_group, _world
from ..distributed._symmetric_memory import _SymmetricMemory

_DEFAULT_PG_TIMEOUT = timedelta(minutes=30)
_DEFAULT_NO_TIMEOUT = timedelta(milliseconds=-1)

__all__ = [
    "_SymmetricMemory",
    "AllToAllOptions",
    "AllgatherOptions",
    "AllreduceCoalescedOptions",
    "AllreduceOptions",
    "Backend",
    "BarrierOptions",
    "BroadcastOptions",
    "BuiltinCommHookType",
    "DDPLoggingData",
    "DebugLevel",
    "ErrorType",
    "FakeProcessGroup",
    "FakeWork",
    "FileStore",
    "GatherOptions",
    "GradBucket",
    "HashStore",
    "Logger",
    "OpType",
    "PrefixStore",
    "ProcessGroup",
    "ProcessGroupGloo",
    "ReduceOp",
    "ReduceOptions",
    "ReduceScatterOptions",
    "Reducer",
    "ScatterOptions",
    "Store",
    "TCPStore",
    "Work",
    "WorkResult",
    "_DEFAULT_FIRST_BUCKET_BYTES",
    "_broadcast_coalesced",
    "_compute_bucket_assignment_by_size",
    "_create_work_from_future",
    "_make_nccl_premul_sum",
    "_register_builtin_comm_hook",
    "_register_comm_hook",
    "_resolve_process_group",
    "_verify_params_across_processes",
    "get_debug_level",
    "set_debug_level",
    "set_debug_level_from_env",
]


def _register_process_group(group_name: str, process_group: ProcessGroup) -> None:
    """Let *group_name* mean *process_group*."""
    _world.pg_names[process_group] = group_name


def _unregister_process_group(group_name: str) -> None:
    """Let *group_name* mean no group."""
    for group, name in list(_world.pg_names.items()):
        if name == group_name:
            del _world.pg_names[group]


def _unregister_all_process_groups() -> None:
    """Let no name mean a group."""
    _world.pg_names.clear()


def _set_thread_isolation_mode(enable: bool) -> None:
    """Let each thread have groups of its own, or all threads the same."""
    _world.by_thread(enable)


_current: list[Any] = []


def _current_process_group() -> Any:
    """The group that was set last, or the default."""
    return _current[-1] if _current else _world.default_pg


def _set_process_group(pg: ProcessGroup) -> None:
    """Set the current group."""
    _current[:] = [pg]


def _register_work(tensor: Any, work: Any) -> None:
    """Let ``wait_tensor`` of *tensor* wait for *work*."""
    WORKS.keep(tensor, work)


def _get_work_registry_size() -> int:
    """How many works nobody has waited for."""
    return len(WORKS)


def _allow_inflight_collective_as_graph_input() -> bool:
    """Whether ``wait_tensor`` waits for calls in place, too."""
    return WORKS.takes_calls_in_place


def _set_allow_inflight_collective_as_graph_input(value: bool) -> None:
    """Set whether ``wait_tensor`` waits for calls in place, too."""
    WORKS.takes_calls_in_place = value
