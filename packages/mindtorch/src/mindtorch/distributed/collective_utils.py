"""Collectives of what functions return, with their errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import distributed_c10d as dist

__all__ = ["SyncPayload", "all_gather", "all_gather_object_enforce_type", "broadcast"]

T = TypeVar("T")


@dataclass
class SyncPayload(Generic[T]):
    """What a step gave, or what it raised."""

    stage_name: str | None
    success: bool
    payload: T
    exception: Exception | None = None


def _outcome(data_or_fn: Any, stage_name: str | None, success: bool) -> Any:
    """What a process tells others: data, or what its function returns or raises."""
    if not callable(data_or_fn):
        return SyncPayload(stage_name, success, data_or_fn)
    try:
        return SyncPayload(stage_name, success, data_or_fn())
    except Exception as e:
        return SyncPayload(stage_name, False, None, e)


def broadcast(
    data_or_fn: Any,
    *,
    success: bool = True,
    stage_name: str | None = None,
    rank: int = 0,
    pg: Any = None,
) -> Any:
    """What *rank* has, or its function returns; all raise what it raises."""
    if not success and data_or_fn is not None:
        raise AssertionError("Data or Function is expected to be None if not successful")
    made: Any = SyncPayload(stage_name, success, None)
    if pg is None or pg.rank() == rank:
        made = _outcome(data_or_fn, stage_name, success)
    if pg is not None:
        listed = [made]
        dist.broadcast_object_list(listed, src=rank, group=pg)
        made = listed[0]
    if not made.success:
        message = f"Rank {rank} failed"
        if stage_name is not None:
            message += f": stage {made.stage_name}"
        if made.exception is not None:
            message += f": exception {made.exception}"
        raise RuntimeError(message) from made.exception
    return made.payload


def all_gather(data_or_fn: Any, stage_name: str | None = None, pg: Any = None) -> list[Any]:
    """What all have, or their functions return; all raise what one raises."""
    made = _outcome(data_or_fn, stage_name, True)
    if pg is None:
        if not made.success:
            raise RuntimeError(
                f"all_gather failed with exception {made.exception}"
            ) from made.exception
        return [made.payload]
    total: list[Any] = [None] * dist.get_world_size(pg)
    all_gather_object_enforce_type(pg, total, made)
    errors = [p.exception for p in total if not p.success]
    if errors:
        raise RuntimeError(errors) from errors[0]
    return [p.payload for p in total]


def all_gather_object_enforce_type(
    pg: Any,
    object_list: list[Any],
    obj: Any,
    type_checker: Callable[[Any, Any], bool] = lambda x, y: type(x) is type(y),
) -> None:
    """Gather objects; raise where their types differ."""
    dist.all_gather_object(object_list, obj, group=pg)
    for first, second in zip(object_list, object_list[1:]):
        if not type_checker(first, second):
            raise TypeError(
                f"Object type at index 0 is {type(first)}, while object type at index 1 is "
                f"{type(second)}"
            )
