"""Loading: plans of all processes, data by each."""

from __future__ import annotations

import os
from typing import Any

from ...core.warning import warn
from .. import distributed_c10d as dist
from .default_planner import DefaultLoadPlanner, _EmptyStateDictLoadPlanner
from .metadata import Metadata
from .planner import LoadPlan, LoadPlanner
from .state_dict_saver import _alone
from .stateful import Stateful
from .storage import StorageReader
from .utils import _DistWrapper, takes_keywords

__all__ = ["load", "load_state_dict"]


def load_state_dict(
    state_dict: dict[str, Any],
    storage_reader: StorageReader,
    process_group: Any = None,
    coordinator_rank: int = 0,
    no_dist: bool = False,
    planner: LoadPlanner | None = None,
) -> None:
    """Load; ``load`` has taken its place."""
    warn(
        "`load_state_dict` is deprecated and will be removed in future versions. "
        "Please use `load` instead.",
        FutureWarning,
    )
    storage_reader.reset()
    _load_state_dict(state_dict, storage_reader, process_group, coordinator_rank, no_dist, planner)


def _reader(storage_reader: Any, checkpoint_id: Any) -> StorageReader:
    if storage_reader is None:
        from .filesystem import FileSystemReader

        if not checkpoint_id:
            raise RuntimeError(
                "`checkpoint_id` must be specified if storage_reader/storage_writer is None."
            )
        return FileSystemReader(checkpoint_id)
    storage_reader.reset(checkpoint_id)
    return storage_reader


def load(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_reader: StorageReader | None = None,
    planner: LoadPlanner | None = None,
    process_group: Any = None,
    no_dist: bool = False,
) -> None:
    """Load into a state in place; objects with ``load_state_dict`` take theirs."""
    no_dist = no_dist or not dist.is_initialized()
    if no_dist:
        warn(
            "torch.distributed is disabled, unavailable or uninitialized, assuming the intent is "
            "to load in a single process.",
        )
    plain = {
        key: value.state_dict() if isinstance(value, Stateful) else value
        for key, value in state_dict.items()
    }
    _load_state_dict(
        plain, _reader(storage_reader, checkpoint_id), process_group, 0, no_dist, planner
    )
    for key, value in state_dict.items():
        if isinstance(value, Stateful):
            value.load_state_dict(plain[key])
        else:
            state_dict[key] = plain[key]


def _stored(reader: StorageReader, rank: int) -> tuple[Metadata, bool]:
    """The metadata of all processes and True, or where there is none that of *rank* and False."""
    try:
        return reader.read_metadata(), True
    except Exception:
        if not takes_keywords(reader.read_metadata):
            raise
        try:
            return reader.read_metadata(rank=rank), False
        except Exception:
            pass
        raise


def _load_state_dict(
    state_dict: dict[str, Any],
    storage_reader: StorageReader,
    process_group: Any = None,
    coordinator_rank: int = 0,
    no_dist: bool = False,
    planner: LoadPlanner | None = None,
) -> None:
    """Load by a *planner*; all processes raise CheckpointException where one fails."""
    plans = planner or DefaultLoadPlanner()
    together = _DistWrapper(process_group, not _alone(no_dist), coordinator_rank)

    def planned() -> LoadPlan:
        coordinates = together.is_coordinator
        metadata, use_collectives = _stored(storage_reader, together.rank)
        plans.set_up_planner(state_dict, metadata, coordinates)
        setting_up = storage_reader.set_up_storage_reader
        more = {"rank": together.rank, "use_collectives": use_collectives}
        setting_up(metadata, coordinates, **(more if takes_keywords(setting_up) else {}))
        return storage_reader.prepare_local_plan(plans.create_local_plan())

    def decided(all_plans: list[LoadPlan]) -> list[LoadPlan]:
        return storage_reader.prepare_global_plan(plans.create_global_plan(all_plans))

    plan = together.reduce_scatter("plan", planned, decided)

    def read() -> None:
        storage_reader.read_data(plans.finish_plan(plan), plans).wait()

    together.all_gather("read", read)


def _load_state_dict_from_keys(
    keys: set[str] | str | None = None,
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_reader: StorageReader | None = None,
    process_group: Any = None,
) -> dict[str, Any]:
    """What has the names, or begins with them; all if none are given."""
    no_dist = not dist.is_initialized()
    wanted = {keys} if isinstance(keys, str) else keys
    found: dict[str, Any] = {}
    _load_state_dict(
        found,
        _reader(storage_reader, checkpoint_id),
        process_group,
        0,
        no_dist,
        _EmptyStateDictLoadPlanner(wanted),
    )
    return found
