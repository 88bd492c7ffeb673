"""How process groups are made: of the processes that are there, and of parts of other groups."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mindtorch_storage import ACCELERATOR

from ... import cuda
from ...aten import torch
from ..constants import default_pg_timeout
from .backends import HCCL, Backend, BackendConfig
from .engine_start import start as _start
from .options import AllToAllOptions
from .process_group import ProcessGroup
from .stores import PrefixStore, Store
from .world import (
    GroupMember,
    _find_pg_by_ranks_and_tag,
    _get_default_group,
    _get_default_timeout,
    _group_or_default_group,
    _process_group_name,
    _register,
    _world,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
)

__all__ = [
    "new_group",
    "new_subgroups",
    "new_subgroups_by_enumeration",
    "shrink_group",
    "split_group",
]

#: The backends by whose name a group is made here.
_KNOWN = ("gloo", "nccl", HCCL, "mpi", "ucc", "xccl", "fake", "undefined")
#: Those of them that serve accelerators of one kind and not the host.
_OF_ACCELERATORS = (Backend.NCCL, Backend.XCCL)


def _check_valid_timeout(timeout: Any) -> None:
    if not isinstance(timeout, timedelta):
        raise TypeError(
            f"Expected timeout argument to be of type datetime.timedelta, got {timeout}"
        )


def _check_built_in(backend: Any) -> None:
    """Refuse a backend of accelerators that are not there, as a torch does that was built so."""
    served = Backend.backend_capability.get(backend, ())
    if str(backend) in _OF_ACCELERATORS and ACCELERATOR not in served:
        raise RuntimeError(f"Distributed package doesn't have {backend.upper()} built in")


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
    for one in by_device.values():
        _check_built_in(one)
    served = {torch.device(kind).type: None for kind in by_device}
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
        inside = [get_group_rank(parent, r) for r in ranks] if parent else []
        engine = parent.engine.split(inside, name) if parent else None
        engine = engine or _start(label, behind, rank, size)
        # torch calls a group whose backend it did not build in by that.
        known = Backend.backend_type_map.get(label)
        engine.name = "custom" if known is ProcessGroup.CUSTOM else label
        pg = ProcessGroup(behind, rank, size, engine=engine)
    pg._store = behind
    pg._backends = served
    pg.timeout = timeout
    pg.bound_device_id = device_id
    kind = Backend.backend_type_map.get(str(next(iter(by_device.values()))))
    pg._set_default_backend(kind or ProcessGroup.CUSTOM)
    pg._set_group_desc(desc or "undefined")
    tag = f"user:{tag}" if tag else f"ptd:{name}"
    _register(pg, named, behind, name, str(config), ranks, tag)
    return pg


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
    known_group = _find_pg_by_ranks_and_tag(pg_tag, ranks) if pg_tag else None
    if known_group is not None:
        return known_group
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
    """Groups of *group_size* neighbours of *group* each: the one of this process, and all."""
    if group_size is None:
        if not cuda.is_available():
            raise ValueError(
                "Default group size only takes effect when CUDA is available."
                "If your subgroup using a backend that does not depend on CUDA,"
                "please pass in 'group_size' correctly."
            )
        group_size = cuda.device_count()
    world_size = get_world_size(group)
    if not group_size > 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    if world_size < group_size:
        raise ValueError(
            f"The arg 'group_size' ({group_size}) must not exceed the world size ({world_size})"
        )
    if world_size % group_size:
        raise ValueError(f"The world size ({world_size}) must be divisible by '{group_size=}'")
    ranks = get_process_group_ranks(group)
    parts = [ranks[i : i + group_size] for i in range(0, world_size, group_size)]
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
    """The group of *tag* with those *stride* of *ranks* that this process is among."""
    if len(ranks) % stride:
        raise ValueError(f"Ranks length ({len(ranks)}) must be divisible by stride ({stride})")
    parts = [ranks[i : i + stride] for i in range(0, len(ranks), stride)]
    mine = next((sorted(part) for part in parts if get_rank() in part), None)
    if mine is None:
        raise AssertionError("rankset doesn't include the current node")
    found = _find_pg_by_ranks_and_tag(tag, mine)
    if found is not None:
        return found
    if tag == "":
        raise ValueError("Cannot automatically create PG with empty tag")
    return _new_group_with_tag(mine, pg_tag=tag)


def _resolve_group_name_by_ranks_and_tag(ranks: list[int], tag: str) -> Any:
    found = _find_pg_by_ranks_and_tag(tag, ranks)
    if found is None:
        raise ValueError("")
    return found.group_name
