"""Saving: plans of all processes, data by each, metadata by one."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ...core.warning import warn
from .. import distributed_c10d as dist
from .default_planner import DefaultSavePlanner
from .metadata import Metadata
from .planner import SavePlan, SavePlanner
from .staging import AsyncStager, BlockingAsyncStager
from .stateful import Stateful
from .storage import StorageWriter
from .utils import _DistWrapper, takes_keywords

__all__ = ["AsyncCheckpointerType", "AsyncSaveResponse", "async_save", "save", "save_state_dict"]


class AsyncCheckpointerType(Enum):
    """Who writes an asynchronous save."""

    THREAD = "thread"
    PROCESS = "process"


@dataclass
class AsyncSaveResponse:
    """The futures of an asynchronous save: of the copy, and of the files."""

    staging_completion: Future[None]
    upload_completion: Future[None]


def _alone(no_dist: bool) -> bool:
    return no_dist or not dist.is_initialized()


def _stateful_to_state_dict(state_dict: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value.state_dict() if isinstance(value, Stateful) else value
        for key, value in state_dict.items()
    }


def _writer(storage_writer: Any, checkpoint_id: Any) -> StorageWriter:
    if storage_writer is None:
        from .filesystem import FileSystemWriter

        if not checkpoint_id:
            raise RuntimeError(
                "`checkpoint_id` must be specified if storage_reader/storage_writer is None."
            )
        return FileSystemWriter(checkpoint_id)
    storage_writer.reset(checkpoint_id)
    return storage_writer


def save_state_dict(
    state_dict: dict[str, Any],
    storage_writer: StorageWriter,
    process_group: Any = None,
    coordinator_rank: int = 0,
    no_dist: bool = False,
    planner: SavePlanner | None = None,
) -> Metadata:
    """Save; ``save`` has taken its place."""
    warn(
        "`save_state_dict` is deprecated and will be removed in future versions."
        "Please use `save` instead.",
        FutureWarning,
    )
    storage_writer.reset()
    return _save_state_dict(
        state_dict, storage_writer, process_group, coordinator_rank, no_dist, planner
    )


def save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: StorageWriter | None = None,
    planner: SavePlanner | None = None,
    process_group: Any = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Metadata:
    """Save a state, objects with ``state_dict`` by their states."""
    no_dist = no_dist or not dist.is_initialized()
    if no_dist:
        warn(
            "torch.distributed is disabled, unavailable or uninitialized, assuming the intent is "
            "to save in a single process.",
        )
    return _save_state_dict(
        _stateful_to_state_dict(state_dict),
        _writer(storage_writer, checkpoint_id),
        process_group,
        0,
        no_dist,
        planner,
        use_collectives,
    )


def _save_state_dict(
    state_dict: dict[str, Any],
    storage_writer: StorageWriter,
    process_group: Any = None,
    coordinator_rank: int = 0,
    no_dist: bool = False,
    planner: SavePlanner | None = None,
    use_collectives: bool = True,
) -> Metadata:
    """Save by a *planner*; all processes raise CheckpointException where one fails."""
    plans = planner or DefaultSavePlanner()
    rank = 0 if _alone(no_dist) else dist.get_rank(process_group)
    coordinates = _alone(no_dist) or rank == coordinator_rank
    use_dist = use_collectives and not _alone(no_dist)
    together = _DistWrapper(process_group, use_dist, coordinator_rank)
    metadata: Any = None

    def planned() -> SavePlan:
        plans.set_up_planner(state_dict, storage_writer.storage_meta(), coordinates)
        setting_up = storage_writer.set_up_storage_writer
        more = {"rank": rank, "use_collectives": use_collectives}
        setting_up(coordinates, **(more if takes_keywords(setting_up) else {}))
        return storage_writer.prepare_local_plan(plans.create_local_plan())

    def decided(all_plans: list[SavePlan]) -> list[SavePlan]:
        nonlocal metadata
        made, metadata = plans.create_global_plan(all_plans)
        return storage_writer.prepare_global_plan(made)

    plan = together.reduce_scatter("plan", planned, decided)

    def written() -> Any:
        begun = storage_writer.write_data(plans.finish_plan(plan), plans)
        begun.wait()
        return begun.value()

    def finished(results: list[Any]) -> Metadata:
        storage_writer.finish(metadata=metadata, results=results)
        found: Metadata = metadata
        return found

    made: Metadata = together.all_reduce("write", written, finished)
    return made


def async_save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: StorageWriter | None = None,
    planner: SavePlanner | None = None,
    process_group: Any = None,
    async_checkpointer_type: AsyncCheckpointerType = AsyncCheckpointerType.THREAD,
    async_stager: AsyncStager | None = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Any:
    """Copy a state and write it in another thread; a future."""
    writer = _writer(storage_writer, checkpoint_id)
    stager = async_stager or (writer if isinstance(writer, AsyncStager) else BlockingAsyncStager())
    staged = stager.stage(_stateful_to_state_dict(state_dict))
    if isinstance(staged, Future):
        staged = staged.result()
    alone = _alone(no_dist)
    executor = ThreadPoolExecutor(max_workers=1)
    uploaded: Future[Any] = executor.submit(
        _save_state_dict, staged, writer, process_group, 0, alone, planner, use_collectives
    )
    executor.shutdown(wait=False)
    if isinstance(async_stager, AsyncStager) and not isinstance(async_stager, BlockingAsyncStager):
        done: Future[None] = Future()
        done.set_result(None)
        return AsyncSaveResponse(done, uploaded)
    return uploaded
