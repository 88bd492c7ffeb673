# ruff: noqa: F401  (the namespace shows what its parts define)
"""Process groups: how they begin, end and are made of each other; and the collectives."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from datetime import timedelta
from types import ModuleType
from typing import Any, NewType

from mindtorch_storage import ACCELERATOR

from ..aten import torch
from ..core.module_names import adopt
from ..core.mpiexec import launched
from ..core.warning import warn
from ._c10d import groups as _groups
from ._c10d import rank_tracebacks
from ._c10d.backends import Backend, BackendConfig
from ._c10d.collective_checks import (
    _check_single_tensor,
    _check_tensor_list,
    _ensure_all_tensors_same_dtype,
    _validate_output_list_for_rank,
    _warn_not_in_group,
)
from ._c10d.collectives import (
    _all_gather_base,
    _reduce_scatter_base,
    all_gather,
    all_gather_coalesced,
    all_gather_into_tensor,
    all_gather_single,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    monitored_barrier,
    reduce,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
    scatter,
    supports_complex,
)
from ._c10d.groups import (
    SHRINK_ABORT,
    SHRINK_DEFAULT,
    _check_valid_timeout,
    _find_or_create_pg_by_ranks_and_tag,
    _new_group_with_tag,
    _new_process_group,
    _resolve_group_name_by_ranks_and_tag,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
    shrink_group,
    split_group,
)
from ._c10d.mpi_world import launched_variables
from ._c10d.named_groups import ProcessGroupGloo
from ._c10d.objects import (
    _object_to_tensor,
    _tensor_to_object,
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from ._c10d.old_reductions import _reduce_op, reduce_op
from ._c10d.options import (
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
from ._c10d.point_to_point import (
    P2POp,
    _check_op,
    _check_p2p_op_list,
    _coalescing_manager,
    _CoalescingManager,
    _CollOp,
    batch_isend_irecv,
    irecv,
    isend,
    recv,
    send,
)
from ._c10d.process_group import ProcessGroup
from ._c10d.reductions import DebugLevel, ReduceOp, get_debug_level
from ._c10d.stores import FakeStore, PrefixStore, Store
from ._c10d.work import Work, _IllegalWork
from ._c10d.world import (
    GroupMember,
    _canonicalize_group_rank,
    _check_not_self_rank,
    _find_pg_by_ranks_and_tag,
    _get_default_group,
    _get_default_timeout,
    _get_global_rank,
    _get_group_size,
    _get_group_tag,
    _get_object_coll_device,
    _get_pg_default_device,
    _get_process_group_name,
    _get_process_group_store,
    _get_process_group_uid,
    _group_or_default_group,
    _hash_ranks_to_str,
    _process_group_name,
    _rank_not_in_group,
    _register,
    _resolve_process_group,
    _World,
    _world,
    _WorldMeta,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_pg_count,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    is_initialized,
)
from .constants import default_pg_nccl_timeout, default_pg_timeout
from .rendezvous import register_rendezvous_handler, rendezvous

#: Whether torch's other library of collectives is there: it is bound to torch.
_TORCHCOMM_AVAILABLE = False

GroupName = NewType("GroupName", str)
_MPI_AVAILABLE = _NCCL_AVAILABLE = _UCC_AVAILABLE = _XCCL_AVAILABLE = False
_GLOO_AVAILABLE = True
_default_pg_init_method: str | None = None
STORE_BASED_BARRIER_PREFIX = "store_based_barrier_key"


def is_mpi_available() -> bool:
    """Whether torch's own backend of MPI is there, which needs a torch built from source.

    The name ``mpi`` may be given all the same: MPI carries tensors under all names of backends.
    """
    return _MPI_AVAILABLE


def is_nccl_available() -> bool:
    """Whether NCCL is there."""
    return _NCCL_AVAILABLE


def is_gloo_available() -> bool:
    """Whether Gloo is there: groups by its name."""
    return _GLOO_AVAILABLE


def is_ucc_available() -> bool:
    """Whether UCC is there."""
    return _UCC_AVAILABLE


def is_xccl_available() -> bool:
    """Whether XCCL is there."""
    return _XCCL_AVAILABLE


def _check_single_backend_availability(backend_name: str) -> bool:
    available = globals().get(f"is_{backend_name.lower()}_available")
    return bool(available()) if available else backend_name.lower() in Backend.backend_list


def is_backend_available(backend: str) -> bool:
    """Whether *backend*, or each of ``device:backend`` pairs, is there."""
    if ":" in backend.lower():
        names = BackendConfig(Backend(backend)).get_device_backend_map().values()
        return all(_check_single_backend_availability(str(n)) for n in names)
    return _check_single_backend_availability(backend)


def is_torchelastic_launched() -> bool:
    """Whether a launcher has started this process."""
    return os.getenv("TORCHELASTIC_RUN_ID") is not None


def _is_barrier_after_init() -> int:
    return int(os.getenv("TORCH_DIST_INIT_BARRIER", "0"))


def _get_default_store() -> Store:
    if not is_initialized():
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )
    return _world.pg_map[_get_default_group()][1]


def _update_default_pg(pg: ProcessGroup | None) -> None:
    _world.default_pg = pg


def get_default_backend_for_device(device: Any) -> str:
    """The backend that serves *device* unless another is named."""
    kind = device.type if isinstance(device, torch.device) else torch.device(device).type
    found = Backend.default_device_backend_map.get(kind)
    if found is None:
        raise ValueError(f"Default backend not registered for device : {device}")
    return found


def get_backend_config(group: ProcessGroup | None = None) -> str:
    """The backends of *group* by device."""
    pg = _group_or_default_group(group)
    if _rank_not_in_group(pg):
        raise ValueError("Invalid process group specified")
    return str(_world.pg_backend_config[pg])


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The number of this process on its host."""
    said = os.environ.get("LOCAL_RANK", fallback_rank)
    if said is not None:
        return int(said)
    raise RuntimeError(
        "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
        "`get_node_local_rank` to work, assuming you are not running in a multi-device context "
        "and want the code to run locally instead."
    )


#: The groups of this process, with the names of their backends and their stores.
_pg_map = _world.pg_map


def _get_pg_config(group: ProcessGroup | None = None) -> dict[str, Any]:
    pg = _group_or_default_group(group)
    return {
        "pg_name": _get_process_group_name(pg),
        "pg_desc": pg.group_desc,
        "backend_config": get_backend_config(pg),
        "pg_size": _get_group_size(pg),
        "ranks": get_process_group_ranks(pg),
    }


def _get_all_pg_configs() -> list[dict[str, Any]]:
    return [_get_pg_config(pg) for pg in _world.pg_map]


def _set_pg_timeout(timeout: timedelta, group: ProcessGroup | None = None) -> None:
    pg = _get_default_group() if group is None else group
    if _rank_not_in_group(pg):
        raise ValueError("Invalid process group specified")
    pg.set_timeout(timeout)


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: Store | None = None,
    group_name: str = "",
    pg_options: Any | None = None,
    device_id: Any = None,
    _ranks: list[int] | None = None,
) -> None:
    """Make the default group: of all processes that *init_method* or *store* connects."""
    global _default_pg_init_method
    if _world.default_pg is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    if store is not None:
        if world_size <= 0:
            raise AssertionError("world_size must be positive if using store")
        if rank < 0:
            raise AssertionError("rank must be non-negative if using store")
    elif init_method is None:
        init_method = "env://"
    if isinstance(device_id, int):
        device_id = torch.device(ACCELERATOR, device_id)
    if backend is None and device_id is not None:
        backend = Backend.default_device_backend_map.get(device_id.type)
    named = Backend(backend) if backend else Backend("undefined")
    if timeout is None:
        timeout = _get_default_timeout("gloo")
    _check_valid_timeout(timeout)
    if named == Backend.MPI and (world_size != -1 or rank != -1):
        warn(
            f"For MPI backend, world_size ({world_size}) and rank ({rank}) are ignored since they "
            "are assigned by the MPI runtime.",
        )
    if store is None and named == Backend.FAKE:
        store = PrefixStore("default_pg", FakeStore())
    if store is None:
        if init_method == "env://" and "RANK" not in os.environ and launched() > 1:
            os.environ.update(launched_variables())
        found = rendezvous(str(init_method), rank, world_size, timeout=timeout)
        store, rank, world_size = next(found)
        store.set_timeout(timeout)
        store = PrefixStore("default_pg", store)
    name = _process_group_name([], use_hashed_name=False)
    ranks = list(range(world_size))
    _world.default_pg = _new_process_group(
        backend, store, rank, ranks, name, timeout, device_id=device_id, desc="default_pg"
    )
    _default_pg_init_method = init_method
    rank_tracebacks.begin()


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """End *group*; all groups if it is the default."""
    global _default_pg_init_method
    if _rank_not_in_group(group):
        return
    pg: Any = _world.default_pg if group is None else group
    if pg is None:
        raise AssertionError("Process group cannot be None")
    if pg not in _world.pg_map:
        raise ValueError("Invalid process group specified")
    if group is None or group is _world.default_pg:
        for each in reversed(list(_world.pg_map)):
            each.shutdown()
        _world.clear()
        _default_pg_init_method = None
        rank_tracebacks.end()
    else:
        pg.shutdown()
        _world.forget(pg)


def _abort_process_group(group: ProcessGroup | None = None) -> None:
    destroy_process_group(group)


def _get_group_size_by_name(group_name: Any) -> int:
    return _resolve_process_group(group_name).size()


def _device_capability(group: ProcessGroup | None = None) -> list[str]:
    return [d.type for d in _group_or_default_group(group)._device_types]


def _store_based_barrier(
    rank: int,
    store: Store,
    group_name: Any,
    rendezvous_count: int,
    timeout: timedelta,
    logging_interval: timedelta = timedelta(seconds=10),
) -> None:
    store.barrier(f"{STORE_BASED_BARRIER_PREFIX}:{group_name}", rendezvous_count, timeout)


def _create_process_group_wrapper(
    wrapped_pg: Any,
    store_prefix: str,
    store: Store,
    rank: int,
    world_size: int,
    timeout: timedelta = default_pg_timeout,
) -> Any:
    return wrapped_pg


def _add_ephemeral_timeout_for_all_pgs(timeout: timedelta) -> None:
    """Engines of one process never wait."""


@contextlib.contextmanager
def _time_estimator(group: ProcessGroup | None = None, device: Any = None) -> Iterator[Any]:
    raise NotImplementedError("The group does not support time estimation")
    yield


@contextlib.contextmanager
def record_comm(name: str) -> Iterator[None]:
    """Name the collectives inside of a ``with`` for profilers."""
    yield


def _export_c_types() -> None:
    """Their ``__module__`` is this one from the start."""


__all__ = [
    "Backend",
    "BackendConfig",
    "GroupMember",
    "P2POp",
    "all_gather",
    "all_gather_coalesced",
    "all_gather_object",
    "all_reduce",
    "all_reduce_coalesced",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "send_object_list",
    "recv_object_list",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_object",
    "get_backend_config",
    "get_backend",
    "get_default_backend_for_device",
    "get_rank",
    "get_world_size",
    "get_pg_count",
    "group",
    "init_process_group",
    "irecv",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_backend_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "is_ucc_available",
    "is_xccl_available",
    "isend",
    "monitored_barrier",
    "new_group",
    "new_subgroups",
    "new_subgroups_by_enumeration",
    "recv",
    "reduce",
    "reduce_scatter",
    "scatter",
    "scatter_object_list",
    "send",
    "supports_complex",
    "AllreduceCoalescedOptions",
    "AllreduceOptions",
    "AllToAllOptions",
    "BarrierOptions",
    "BroadcastOptions",
    "GatherOptions",
    "GroupName",
    "PrefixStore",
    "ProcessGroup",
    "ReduceOp",
    "ReduceOptions",
    "ReduceScatterOptions",
    "ScatterOptions",
    "Store",
    "DebugLevel",
    "get_debug_level",
    "Work",
    "default_pg_timeout",
    "get_group_rank",
    "get_global_rank",
    "get_process_group_ranks",
    "reduce_op",
    "all_gather_single",
    "all_gather_into_tensor",
    "reduce_scatter_single",
    "reduce_scatter_tensor",
    "get_node_local_rank",
    "split_group",
    "shrink_group",
    "record_comm",
    "ProcessGroupGloo",
]


class _C10d(ModuleType):
    """The module, in which a program may put other tables of groups: ``_world``."""

    @property
    def _world(self) -> Any:
        """The groups of this process."""
        return _world.shown

    @_world.setter
    def _world(self, tables: Any) -> None:
        _world.replace(tables)


adopt(__name__, _groups)
sys.modules[__name__].__class__ = _C10d
