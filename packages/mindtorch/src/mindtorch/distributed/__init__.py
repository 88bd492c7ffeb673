"""``torch.distributed``: groups of processes, what trains on them, tensors that lie on several.

A group of one process needs nothing. Several are connected by MPI, the extra
``mindtorch[distributed]``; ``docs/several-processes.md`` tells how they are started.
"""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module as _import_module
from typing import Any

from ..core.submodules import reached as _reached
from ._c10d import functional_operators as _functional_operators
from ._c10d.buckets import (
    _DEFAULT_FIRST_BUCKET_BYTES,
    GradBucket,
    _broadcast_coalesced,
    _compute_bucket_assignment_by_size,
    _verify_params_across_processes,
)
from ._c10d.builtin_hooks import _register_builtin_comm_hook
from ._c10d.ddp_logger import Logger
from ._c10d.errors import (
    DistBackendError,
    DistError,
    DistNetworkError,
    DistStoreError,
    QueueEmptyError,
)
from ._c10d.file_store import FileStore
from ._c10d.process_group import Backend as _Backend
from ._c10d.reducer import Reducer, _register_comm_hook
from ._c10d.reductions import (
    BuiltinCommHookType,
    _make_nccl_premul_sum,
    set_debug_level,
    set_debug_level_from_env,
)
from ._c10d.stores import HashStore
from ._c10d.tcp_store import TCPStore
from .distributed_c10d import *
from .distributed_c10d import (
    _all_gather_base,
    _coalescing_manager,
    _CoalescingManager,
    _create_process_group_wrapper,
    _get_process_group_name,
    _rank_not_in_group,
    _reduce_scatter_base,
    _time_estimator,
)
from .rendezvous import _create_store_from_options, register_rendezvous_handler, rendezvous

_Work = Work  # noqa: F405  # of the star above

#: Names that are looked for when first asked for, and where they are.
_LAZY = {
    "DeviceMesh": ".device_mesh",
    "init_device_mesh": ".device_mesh",
    "_remote_device": ".remote_device",
}
_SUBMODULES = frozenset(
    "_composable _composable_state _functional_collectives _mesh_layout "
    "_shard _state_dict_utils _symmetric_memory _tools "
    "_tensor algorithms argparse_util autograd c10d_logger checkpoint collective_utils "
    "config constants device_mesh distributed_c10d elastic fsdp launch launcher logging_handlers "
    "nn optim pipelining remote_device rpc run tensor utils".split()
)


def is_available() -> bool:
    """Whether the package is there."""
    return True


def breakpoint(rank: int = 0, skip: int = 0, timeout_s: int = 3600) -> None:
    """Open a debugger in process *rank*; the others wait."""
    import pdb

    if get_rank() == rank:  # noqa: F405  # of the star above
        pdb.set_trace()
    barrier()  # noqa: F405  # of the star above


__getattr__ = _reached(__name__, _SUBMODULES, _LAZY)


#: What the module is made with.
_INSIDE = ("Any", "annotations")


def __dir__() -> list[str]:
    return sorted({n for n in globals() if n not in _INSIDE} | {*_LAZY})
