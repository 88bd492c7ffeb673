"""The groups of this process, and by which names they are known."""

from __future__ import annotations

import hashlib
import threading
import warnings
from datetime import timedelta
from typing import Any

from ...aten import torch
from ...core.module_names import living_in
from ...core.warning import warn
from ..constants import default_pg_timeout
from .backends import Backend
from .process_group import ProcessGroup

__all__ = ["GroupMember", "group"]

_HOME = "mindtorch.distributed.distributed_c10d"


class _Groups:
    """All groups of one process."""

    def __init__(self) -> None:
        self.default_pg: ProcessGroup | None = None
        self.pg_map: dict[ProcessGroup, tuple[str, Any]] = {}
        self.pg_names: dict[ProcessGroup, str] = {}
        self.pg_group_ranks: dict[ProcessGroup, dict[int, int]] = {}
        self.pg_backend_config: dict[ProcessGroup, str] = {}
        self.group_count = 0
        self.tags_to_pg: dict[str, list[ProcessGroup]] = {}
        self.pg_to_tag: dict[ProcessGroup, str] = {}
        self.pg_coalesce_state: dict[ProcessGroup, list[Any]] = {}
        self.comms: list[Any] = []


class _OfThread(threading.local):
    """The groups of a thread that stands for a process."""

    def __init__(self) -> None:
        self.groups = _Groups()


class _World:
    """All groups of this process, or of this thread, where threads stand for processes.

    A program may put an object of its own in its place, :meth:`replace`, which has the same tables.
    """

    __slots__ = ("_of_process", "_of_thread", "_replaced")

    def __init__(self) -> None:
        object.__setattr__(self, "_of_process", _Groups())
        object.__setattr__(self, "_of_thread", None)
        object.__setattr__(self, "_replaced", None)

    def by_thread(self, on: bool) -> None:
        """Let each thread have groups of its own from now on, or all threads the same."""
        object.__setattr__(self, "_of_thread", _OfThread() if on else None)

    @property
    def shown(self) -> Any:
        """What stands in its place: itself, unless a program has put something there."""
        return self if self._replaced is None else self._replaced

    def replace(self, tables: Any) -> None:
        """Let the groups be those of *tables* from now on; its own again for itself."""
        object.__setattr__(self, "_replaced", None if tables is self else tables)

    def _groups(self) -> Any:
        if self._replaced is not None:
            return self._replaced
        found: _OfThread | None = self._of_thread
        return self._of_process if found is None else found.groups

    def __getattr__(self, name: str) -> Any:
        return getattr(self._groups(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._groups(), name, value)

    @property
    def pg_config_info(self) -> list[dict[str, Any]]:
        """What is known of each group."""
        return [
            {
                "pg_name": self.pg_names[pg],
                "pg_desc": pg.group_desc,
                "backend_config": self.pg_backend_config[pg],
                "ranks": list(ranks),
                "group_size": len(ranks),
                "group_count": self.group_count,
            }
            for pg, ranks in self.pg_group_ranks.items()
        ]

    def forget(self, pg: ProcessGroup) -> None:
        """Take *pg* out."""
        tables: tuple[dict[Any, Any], ...]
        tables = (self.pg_map, self.pg_names, self.pg_group_ranks, self.pg_backend_config)
        for table in tables:
            table.pop(pg, None)
        self.pg_coalesce_state.pop(pg, None)
        self.pg_to_tag.pop(pg, None)
        for known in self.tags_to_pg.values():
            if pg in known:
                known.remove(pg)

    def clear(self) -> None:
        """Take all out."""
        for table in (
            self.pg_map,
            self.pg_names,
            self.pg_group_ranks,
            self.pg_backend_config,
            self.tags_to_pg,
            self.pg_to_tag,
            self.pg_coalesce_state,
        ):
            table.clear()
        groups = self._groups()
        groups.default_pg, groups.group_count = None, 0


_world = _World()


class _WorldMeta(type):
    """Lets classes say which group is the default."""

    @property
    def WORLD(cls) -> ProcessGroup | None:
        return _world.default_pg

    @WORLD.setter
    def WORLD(cls, pg: ProcessGroup | None) -> None:
        _world.default_pg = pg


class group(metaclass=_WorldMeta):
    """``group.WORLD``: the group of all processes."""


class GroupMember(metaclass=_WorldMeta):
    """``GroupMember.WORLD``, and what a group is to who is not in it."""

    NON_GROUP_MEMBER = -100


def _get_default_group() -> ProcessGroup:
    found = _world.default_pg
    if found is None:
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )
    return found


def _group_or_default_group(group: Any = None) -> ProcessGroup:
    return _get_default_group() if group is None or group is _world.default_pg else group


def _rank_not_in_group(group: Any = None) -> bool:
    return group is not None and group == GroupMember.NON_GROUP_MEMBER


def is_initialized() -> bool:
    """Whether there is a default group."""
    return _world.default_pg is not None


def get_backend(group: ProcessGroup | None = None) -> Any:
    """The backend of *group*."""
    pg = _group_or_default_group(group)
    if _rank_not_in_group(pg) or pg not in _world.pg_map:
        raise ValueError("Invalid process group specified")
    return Backend(_world.pg_map[pg][0])


def get_rank(group: ProcessGroup | None = None) -> int:
    """The number of this process in *group*."""
    if _rank_not_in_group(group):
        return -1
    default = _get_default_group()
    if group is None or group is default:
        return default.rank()
    return get_group_rank(group, default.rank())


def _get_group_size(group: ProcessGroup | None) -> int:
    return _group_or_default_group(group).size()


def get_world_size(group: ProcessGroup | None = None) -> int:
    """How many processes *group* has."""
    return -1 if _rank_not_in_group(group) else _get_group_size(group)


def _registered_ranks(group: ProcessGroup) -> dict[int, int]:
    """The numbers in *group* of its processes, by their numbers of all."""
    if group not in _world.pg_group_ranks:
        raise ValueError(
            f"Group {group} is not registered, please create group with "
            "torch.distributed.new_group API"
        )
    return _world.pg_group_ranks[group]


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """The number in *group* of the process that is *global_rank* of all."""
    if group is _world.default_pg:
        return global_rank
    ranks = _registered_ranks(group)
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return ranks[global_rank]


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """The number of all of the process that is *group_rank* in *group*."""
    if group is _world.default_pg:
        return group_rank
    for rank, number in _registered_ranks(group).items():
        if number == group_rank:
            return rank
    raise ValueError(f"Group rank {group_rank} is not part of group {group}")


def get_process_group_ranks(group: ProcessGroup | None) -> list[int]:
    """The numbers of all of those in *group*."""
    return list(_world.pg_group_ranks[group or _get_default_group()])


def _get_global_rank(group: Any, rank: int) -> int:
    return get_global_rank(group, rank)


def get_pg_count() -> int:
    """How many groups were made."""
    return _world.group_count


def _canonicalize_group_rank(
    group: ProcessGroup,
    global_rank: int | None = None,
    group_rank: int | None = None,
    return_global: bool = False,
) -> int:
    if group_rank is not None:
        if global_rank is not None:
            raise ValueError("Can't specify both group_rank and global_rank")
        return get_global_rank(group, group_rank) if return_global else group_rank
    if global_rank is None:
        raise ValueError("Must specify global_rank or group_rank")
    return global_rank if return_global else get_group_rank(group, global_rank)


def _check_not_self_rank(group: ProcessGroup, rank: int, rank_type: str) -> None:
    if group.rank() == rank:
        raise ValueError(
            f"Invalid {rank_type} rank: {rank_type} rank should not be the same as the rank of "
            "the current process."
        )


def _process_group_name(ranks: Any, use_hashed_name: bool) -> str:
    if use_hashed_name:
        return _hash_ranks_to_str(ranks)
    name = str(_world.group_count)
    _world.group_count += 1
    return name


def _hash_ranks_to_str(ranks: list[int]) -> str:
    joined = "_".join(map(str, ranks))
    counted = f"{joined}:{len(_world.pg_names)}"
    return hashlib.sha1(counted.encode(), usedforsecurity=False).hexdigest()


def _register(
    pg: ProcessGroup, backend: Any, store: Any, name: str, config: str, ranks: list[int], tag: str
) -> None:
    pg._set_group_name(name)
    _world.pg_map[pg] = (backend, store)
    _world.pg_names[pg] = name
    _world.pg_backend_config[pg] = config
    _world.pg_group_ranks[pg] = {rank: i for i, rank in enumerate(ranks)}
    _world.pg_to_tag[pg] = tag
    _world.tags_to_pg.setdefault(tag, []).append(pg)
    if tag.startswith("ptd:"):  # a tag of its own is none that a caller gave
        _world.tags_to_pg.setdefault("", []).append(pg)


def _get_process_group_name(pg: ProcessGroup) -> str:
    return _world.pg_names.get(pg, "None")


def _get_process_group_store(pg: ProcessGroup) -> Any:
    return _world.pg_map[pg][1]


def _get_process_group_uid(pg: ProcessGroup) -> int:
    return -1


def _get_group_tag(pg: ProcessGroup) -> str:
    return _world.pg_to_tag[pg].removeprefix("user:")


def _resolve_process_group(group_name: Any) -> ProcessGroup:
    if isinstance(group_name, ProcessGroup):
        return group_name
    for pg, name in _world.pg_names.items():
        if name == group_name:
            return pg
    raise RuntimeError(
        f"Could not resolve the process group registered under the name {group_name}"
    )


def _find_pg_by_ranks_and_tag(tag: str, ranks: list[int]) -> ProcessGroup | None:
    if tag and not tag.startswith("ptd:") and not tag.startswith("user:"):
        tag = f"user:{tag}"
    for pg in _world.tags_to_pg.get(tag, ()):
        if get_process_group_ranks(pg) == ranks:
            return pg
    return None


def _get_object_coll_device(group: ProcessGroup | None = None) -> str:
    """The type of device on which objects travel: the host where the group serves it."""
    kinds = [d.type for d in _group_or_default_group(group)._device_types]
    return "cpu" if "cpu" in kinds else kinds[0]


def _get_pg_default_device(group: ProcessGroup | None = None) -> Any:
    warn(
        "`_get_pg_default_device` will be deprecated, it only stays for backward-compatibility "
        "reason. If you need to find a device for object collectives, please use "
        "`_get_object_coll_device`. If you need to query the device types supported by group, "
        "please use `_device_capability(group)`. ",
    )
    found = torch.device(_get_object_coll_device(group))
    if len(_group_or_default_group(group)._device_types) > 1:
        warn(
            "Multiple backends are registered with this ProcessGroup. We cannot determine which "
            f"one is the default. Returning {found}. Please consider using other APIs.",
        )
    return found


def _get_default_timeout(backend: Any) -> timedelta:
    if backend == "nccl":
        warnings.warn(
            "Attempted to get default timeout for nccl backend, but NCCL support is not compiled"
        )
    return default_pg_timeout


for _thing in list(vars().values()):
    if getattr(_thing, "__module__", None) == __name__:
        living_in(_HOME, _thing)
