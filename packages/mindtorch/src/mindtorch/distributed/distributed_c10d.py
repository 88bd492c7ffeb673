# ruff: noqa: F401  (the namespace shows what its parts define)
"""Process groups: how they begin, end and are made of each other; and the collectives."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NewType

import mindtorch as torch

from ._c10d.backends import Backend, BackendConfig
from ._c10d.collectives import (
    _all_gather_base,
    _check_op,
    _check_p2p_op_list,
    _check_single_tensor,
    _check_tensor_list,
    _coalescing_manager,
    _CoalescingManager,
    _ensure_all_tensors_same_dtype,
    _IllegalWork,
    _reduce_scatter_base,
    _validate_output_list_for_rank,
    _warn_not_in_group,
    all_gather,
    all_gather_coalesced,
    all_gather_into_tensor,
    all_gather_single,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    batch_isend_irecv,
    broadcast,
    gather,
    irecv,
    isend,
    monitored_barrier,
    recv,
    reduce,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
    scatter,
    send,
    supports_complex,
)
from ._c10d.engine import start as _start
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
from ._c10d.process_group import (
    AllgatherOptions,
    AllreduceCoalescedOptions,
    AllreduceOptions,
    AllToAllOptions,
    BarrierOptions,
    BroadcastOptions,
    GatherOptions,
    ProcessGroup,
    ProcessGroupGloo,
    ReduceOptions,
    ReduceScatterOptions,
    ScatterOptions,
)
from ._c10d.reductions import DebugLevel, ReduceOp, get_debug_level
from ._c10d.stores import PrefixStore, Store
from ._c10d.work import Work
from ._c10d.world import (
    GroupMember,
    P2POp,
    _canonicalize_group_rank,
    _check_not_self_rank,
    _find_pg_by_ranks_and_tag,
    _get_default_group,
    _get_default_timeout,
    _get_global_rank,
    _get_group_size,
    _get_group_tag,
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

GroupName = NewType("GroupName", str)
_MPI_AVAILABLE = _NCCL_AVAILABLE = _UCC_AVAILABLE = _XCCL_AVAILABLE = False
_GLOO_AVAILABLE = True
_default_pg_init_method: str | None = None
STORE_BASED_BARRIER_PREFIX = "store_based_barrier_key"
#: The backends by whose name a group of one process is made here.
_KNOWN = ("gloo", "nccl", "mpi", "ucc", "xccl", "fake", "undefined")


class _reduce_op:
    """The names of reductions before ``ReduceOp``."""

    def __init__(self) -> None:
        for name in ReduceOp.RedOpType.__members__:
            setattr(self, name, getattr(ReduceOp, name))
        self.__members__ = ReduceOp.RedOpType.__members__

    def __getattribute__(self, key: str) -> Any:
        warnings.warn(
            "`torch.distributed.reduce_op` is deprecated, please use "
            "`torch.distributed.ReduceOp` instead",
            category=FutureWarning,
            stacklevel=3,
        )
        return object.__getattribute__(self, key)


reduce_op = _reduce_op()


def is_mpi_available() -> bool:
    """Whether MPI is there."""
    return _MPI_AVAILABLE


def is_nccl_available() -> bool:
    """Whether NCCL is there."""
    return _NCCL_AVAILABLE


def is_gloo_available() -> bool:
    """Whether Gloo is there: a group by its name, of one process."""
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


def _check_valid_timeout(timeout: Any) -> None:
    if not isinstance(timeout, timedelta):
        raise TypeError(
            f"Expected timeout argument to be of type datetime.timedelta, got {timeout}"
        )


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


def get_backend(group: ProcessGroup | None = None) -> Any:
    """The backend of *group*."""
    pg = _group_or_default_group(group)
    if _rank_not_in_group(pg) or pg not in _world.pg_map:
        raise ValueError("Invalid process group specified")
    return Backend(_world.pg_map[pg][0])


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The number of this process on its host."""
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError(
        "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
        "`get_node_local_rank` to work, assuming you are not running in a multi-device context "
        "and want the code to run locally instead."
    )


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


def _new_process_group(
    backend: str | None,
    store: Store,
    rank: int,
    ranks: list[int],
    name: str,
    timeout: timedelta,
    parent: ProcessGroup | None = None,
    device_id: Any = None,
    desc: str | None = None,
    tag: str = "",
) -> ProcessGroup:
    """Make a group and note it."""
    named = Backend(backend) if backend else Backend(Backend.UNDEFINED)
    config = BackendConfig(named)
    by_device = config.get_device_backend_map()
    size = len(ranks)
    behind = PrefixStore(f"{name}/", store)
    pg: Any = None
    for one in dict.fromkeys(by_device.values()):
        plugin = Backend._plugins.get(str(one).upper())
        if plugin is None:
            if str(one) not in _KNOWN:
                raise AssertionError(f"Unknown backend type {one}")
            continue
        if plugin.extended_api:
            options: Any = AllToAllOptions()
            options.store, options.group_rank, options.group_size = behind, rank, size
            options.timeout, options.group_id = timeout, name
            options.global_ranks_in_group = ranks
            pg = plugin.creator_fn(options, None)
        else:
            pg = plugin.creator_fn(behind, rank, size, timeout)
    if not isinstance(pg, ProcessGroup):
        label = str(next(iter(by_device.values())))
        engine = parent.engine.split(ranks, name) if parent else None
        engine = engine or _start(label, behind, rank, size)
        engine.name = label
        pg = ProcessGroup(behind, rank, size, engine=engine)
    pg._store = behind
    pg._devices = list(by_device)
    pg.timeout = timeout
    pg.bound_device_id = device_id
    kind = Backend.backend_type_map.get(str(next(iter(by_device.values()))))
    pg._set_default_backend(kind or ProcessGroup.CUSTOM)
    pg._set_group_desc(desc or "undefined")
    tag = f"user:{tag}" if tag else f"ptd:{name}"
    _register(pg, named, behind, name, str(config), ranks, tag)
    return pg


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
        device_id = torch.device("cuda", device_id)
    named = Backend(backend) if backend else Backend("undefined")
    if timeout is None:
        timeout = _get_default_timeout("gloo")
    _check_valid_timeout(timeout)
    if named == Backend.MPI and (world_size != -1 or rank != -1):
        warnings.warn(
            f"For MPI backend, world_size ({world_size}) and rank ({rank}) are ignored since they "
            "are assigned by the MPI runtime.",
            stacklevel=2,
        )
    if store is None:
        found = rendezvous(init_method, rank, world_size, timeout=timeout)
        store, rank, world_size = next(found)
        store.set_timeout(timeout)
        store = PrefixStore("default_pg", store)
    name = _process_group_name([], use_hashed_name=False)
    ranks = list(range(world_size))
    _world.default_pg = _new_process_group(
        backend, store, rank, ranks, name, timeout, device_id=device_id, desc="default_pg"
    )
    _default_pg_init_method = init_method
    _take_exceptions(rank)


_plain_excepthook: Any = None


def _take_exceptions(rank: int) -> None:
    """Say in tracebacks of errors nobody caught which process they are of."""
    global _plain_excepthook
    if _plain_excepthook is not None:
        return
    _plain_excepthook = sys.excepthook

    def hook(kind: Any, error: Any, trace: Any) -> None:
        before = sys.stderr
        if is_initialized() and get_world_size() > 1:
            before.write(f"[rank{get_rank()}]: ")
        _plain_excepthook(kind, error, trace)

    sys.excepthook = hook


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """End *group*; all groups if it is the default."""
    global _default_pg_init_method, _plain_excepthook
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
        _world.default_pg = None
        _default_pg_init_method = None
        if _plain_excepthook is not None:
            sys.excepthook, _plain_excepthook = _plain_excepthook, None
    else:
        pg.shutdown()
        _world.forget(pg)


def _abort_process_group(group: ProcessGroup | None = None) -> None:
    destroy_process_group(group)


def new_group(
    ranks: Any = None,
    timeout: Any = None,
    backend: Any = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: Any = None,
    device_id: Any = None,
    sort_ranks: bool = True,
) -> Any:
    """A group of those processes that *ranks* names."""
    return _new_group_with_tag(
        ranks,
        timeout,
        backend,
        pg_options,
        None,
        use_local_synchronization,
        group_desc,
        device_id,
        sort_ranks,
    )


def _new_group_with_tag(
    ranks: Any = None,
    timeout: Any = None,
    backend: Any = None,
    backend_options: Any = None,
    pg_tag: Any = None,
    use_local_synchronization: bool = False,
    group_desc: Any = None,
    device_id: Any = None,
    sort_ranks: bool = True,
) -> Any:
    default = _get_default_group()
    known, store = _world.pg_map[default]
    backend = Backend(backend) if backend else known
    timeout = _get_default_timeout(backend) if timeout is None else timeout
    _check_valid_timeout(timeout)
    world_size = default.size()
    if ranks is None:
        ranks = list(range(world_size))
    else:
        ranks = sorted(ranks) if sort_ranks else list(ranks)
        if len(ranks) > world_size:
            if len(set(ranks)) != len(ranks):
                raise ValueError(f"ranks list must not contain duplicate entries, got {ranks}")
            raise ValueError(
                "the new group's world size should be less or equal to the world size set by "
                "init_process_group"
            )
        for rank in ranks:
            if not 0 <= rank < world_size:
                raise ValueError(
                    f"Rank {rank} is out of range. Valid ranks are 0 to {world_size - 1} "
                    f"(world_size={world_size})"
                )
    me = default.rank()
    name = _process_group_name(ranks, use_hashed_name=use_local_synchronization)
    if me not in ranks:
        if not ranks:
            ProcessGroup(store, None, 0)
        return GroupMember.NON_GROUP_MEMBER
    return _new_process_group(
        backend,
        store,
        ranks.index(me),
        ranks,
        name,
        timeout,
        parent=default if default._engine is not None else None,
        device_id=device_id,
        desc=group_desc,
        tag=pg_tag or "",
    )


def new_subgroups(
    group_size: Any = None,
    group: Any = None,
    timeout: Any = None,
    backend: Any = None,
    pg_options: Any = None,
    group_desc: Any = None,
) -> Any:
    """Groups of *group_size* neighbours each: the one of this process, and all."""
    if group_size is None:
        if not torch.cuda.is_available():
            raise ValueError(
                "Default group size only takes effect when CUDA is available."
                "If your subgroup using a backend that does not depend on CUDA,"
                "please pass in 'group_size' correctly."
            )
        group_size = torch.cuda.device_count()
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    world_size = get_world_size()
    if world_size < group_size:
        raise ValueError(
            f"The arg 'group_size' ({group_size}) must not exceed the world size ({world_size})"
        )
    if world_size % group_size:
        raise ValueError(f"The world size ({world_size}) must be divisible by '{group_size=}'")
    parts = [list(range(i, i + group_size)) for i in range(0, world_size, group_size)]
    return new_subgroups_by_enumeration(parts, timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list: Any,
    timeout: Any = None,
    backend: Any = None,
    pg_options: Any = None,
    group_desc: Any = None,
) -> Any:
    """Groups of the processes that are listed: the one of this process, and all."""
    if ranks_per_subgroup_list is None or len(ranks_per_subgroup_list) == 0:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    subgroups = []
    current = None
    listed: dict[int, Any] = {}
    for ranks in ranks_per_subgroup_list:
        made = new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        subgroups.append(made)
        for rank in ranks:
            if rank in listed:
                raise ValueError(
                    f"Rank {rank} has appeared in both subgroup {listed[rank]} and {ranks}"
                )
            listed[rank] = ranks
            if get_rank() == rank:
                current = made
    return current, subgroups


def split_group(
    parent_pg: ProcessGroup | None = None,
    split_ranks: list[Any] | None = None,
    timeout: timedelta | None = None,
    pg_options: Any | None = None,
    group_desc: str | None = None,
    backend: str | None = None,
) -> ProcessGroup | None:
    """The part of a group that this process is in; the group must be bound to a device."""
    if split_ranks is None or len(split_ranks) == 0:
        raise ValueError("split_ranks cannot be None or empty")
    default = _get_default_group()
    if default.bound_device_id is None:
        raise RuntimeError(
            "No device associated with the default pg, not safe to split any process groups"
        )
    parent = parent_pg or default
    for ranks in split_ranks:
        if parent.rank() in ranks:
            name = _process_group_name(ranks, use_hashed_name=False)
            named, store = _world.pg_map[parent]
            return _new_process_group(
                backend or named,
                store,
                ranks.index(parent.rank()),
                [get_global_rank(parent, r) for r in ranks],
                name,
                timeout or default_pg_timeout,
                parent=parent,
                device_id=parent.bound_device_id,
                desc=group_desc or f"{parent.group_desc}:split:{parent.size()}",
            )
    return None


SHRINK_DEFAULT = 0x00
SHRINK_ABORT = 0x01


def shrink_group(
    ranks_to_exclude: list[int],
    group: ProcessGroup | None = None,
    shrink_flags: int = SHRINK_DEFAULT,
    pg_options: Any | None = None,
) -> Any:
    """The group without some of its processes."""
    size = _group_or_default_group(group).size()
    if size < 2:
        raise ValueError(
            f"Cannot shrink a process group with size {size}. Group must have at least 2 ranks to "
            "support shrinking."
        )
    raise RuntimeError(f"Shrinking a process group of {size} is not supported")


def _find_or_create_pg_by_ranks_and_tag(tag: str, ranks: list[int], stride: int) -> Any:
    found = _find_pg_by_ranks_and_tag(tag, ranks)
    return found if found is not None else _new_group_with_tag(ranks, pg_tag=tag)


def _resolve_group_name_by_ranks_and_tag(ranks: list[int], tag: str) -> Any:
    found = _find_pg_by_ranks_and_tag(tag, ranks)
    if found is None:
        raise ValueError("")
    return found.group_name


def _get_group_size_by_name(group_name: Any) -> int:
    return _resolve_process_group(group_name).size()


def _device_capability(group: ProcessGroup | None = None) -> list[str]:
    return [d.type for d in _group_or_default_group(group)._device_types]


def _get_object_coll_device(group: ProcessGroup | None = None) -> str:
    return _get_pg_default_device(group).type


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
