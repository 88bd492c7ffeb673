"""Helpers of checkpoints: steps that all processes take together, and finding chunks by name."""

from __future__ import annotations

import inspect
import io
import os
from collections.abc import Callable
from typing import Any

from .. import distributed_c10d as dist
from .api import CheckpointException, _is_wrapped_exception, _wrap_exception
from .metadata import MetadataIndex

__all__ = ["find_state_dict_object", "find_tensor_shard"]


def _get_failure_dict(results: list[Any]) -> dict[int, Any]:
    """What went wrong, by process."""
    return {i: found for i, found in enumerate(results) if _is_wrapped_exception(found)}


def _tried(fn: Callable[..., Any], *args: Any) -> Any:
    """What *fn* gives, or the exception that it raised."""
    try:
        return fn(*args)
    except BaseException as e:  # all processes are told, and raise
        return _wrap_exception(e)


class _DistWrapper:
    """Steps that all processes of a group take together, or one process alone.

    Where a step fails on some, all raise :class:`CheckpointException`, which says what went wrong
    where; nobody waits for those that failed.

    :param coordinator_rank: the number in the group of the process that decides.
    """

    def __init__(self, group: Any, use_dist: bool, coordinator_rank: int) -> None:
        self.group, self.use_dist, self.coordinator_rank = group, use_dist, coordinator_rank
        self.rank = dist.get_rank(group) if use_dist else 0
        self.is_coordinator = not use_dist or self.rank == coordinator_rank
        #: The number of the deciding process among all.
        self.global_coordinator_rank = (
            dist.get_global_rank(group, coordinator_rank)
            if use_dist and group is not None
            else coordinator_rank
        )

    def get_rank(self) -> int:
        """The number of this process in the group."""
        return self.rank

    def get_world_size(self) -> int:
        """How many processes there are."""
        return dist.get_world_size(self.group) if self.use_dist else 1

    def broadcast_object(self, object: Any) -> Any:
        """What the coordinator has."""
        if not self.use_dist:
            return object
        found = [object]
        dist.broadcast_object_list(found, self.global_coordinator_rank, self.group)
        return found[0]

    def gather_object(self, object: Any) -> list[Any] | None:
        """What all have, for the coordinator; None for others."""
        if not self.use_dist:
            return [object]
        found: list[Any] | None = [None] * self.get_world_size() if self.is_coordinator else None
        dist.gather_object(object, found, self.global_coordinator_rank, self.group)
        return found

    def all_gather_object(self, object: Any) -> list[Any]:
        """What all have."""
        if not self.use_dist:
            return [object]
        found: list[Any] = [None] * self.get_world_size()
        dist.all_gather_object(found, object, self.group)
        return found

    def scatter_object(self, object_list: list[Any] | None) -> Any:
        """What the coordinator has for this process."""
        if not self.use_dist:
            if object_list is None:
                raise AssertionError("object_list is None")
            return object_list[0]
        found: list[Any] = [None]
        given = object_list if self.is_coordinator else None
        dist.scatter_object_list(found, given, self.global_coordinator_rank, self.group)
        return found[0]

    def _decided(self, step: str, mine: Any, decide: Callable[[list[Any]], Any]) -> Any:
        """What the coordinator makes of what all have; None for others."""
        everything = self.gather_object(mine)
        if everything is None:
            return None
        failed = _get_failure_dict(everything)
        if not failed:
            made = _tried(decide, everything)
            if not _is_wrapped_exception(made):
                return made
            failed = {self.rank: made}
        return CheckpointException(step, failed)

    def reduce_scatter(
        self,
        step: str,
        map_fun: Callable[[], Any],
        reduce_fun: Callable[[list[Any]], list[Any]],
    ) -> Any:
        """Run *map_fun* on all, *reduce_fun* of the results on one; its part for this process."""
        made = self._decided(step, _tried(map_fun), reduce_fun)
        if isinstance(made, CheckpointException):
            made = [made] * self.get_world_size()
        return _raised(self.scatter_object(made))

    def all_reduce(
        self, step: str, map_fun: Callable[[], Any], reduce_fun: Callable[[list[Any]], Any]
    ) -> Any:
        """Run *map_fun* on all, *reduce_fun* of the results on one; what that gives, for all."""
        return _raised(self.broadcast_object(self._decided(step, _tried(map_fun), reduce_fun)))

    def all_gather(self, step: str, map_fun: Callable[[], Any]) -> list[Any]:
        """Run *map_fun* on all; the results of all."""
        results = self.all_gather_object(_tried(map_fun))
        failed = _get_failure_dict(results)
        if failed:
            raise CheckpointException(step, failed)
        return results

    def broadcast(self, step: str, map_fun: Callable[[], Any]) -> Any:
        """Run *map_fun* on one; the result, for all."""
        made = _tried(map_fun) if self.is_coordinator else None
        if _is_wrapped_exception(made):
            made = CheckpointException(step, {self.rank: made})
        return _raised(self.broadcast_object(made))

    def barrier(self) -> None:
        """Wait for all."""
        if self.use_dist:
            dist.barrier(group=self.group)


def _raised(found: Any) -> Any:
    if not isinstance(found, CheckpointException):
        return found
    try:
        raise found
    finally:
        del found  # a frame that holds its own error keeps all that it sees alive


def takes_keywords(fn: Callable[..., Any]) -> bool:
    """Whether *fn* takes any keyword: storages of users may lack newer ones."""
    parameters = inspect.signature(fn).parameters.values()
    return any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)


def find_tensor_shard(tensor: Any, index: MetadataIndex) -> Any:
    """The part of *tensor* that *index* names, in the memory of this process.

    Raises ValueError for an offset into a tensor that has no parts.
    """
    if hasattr(tensor, "__get_tensor_shard__"):
        return tensor.__get_tensor_shard__(index)
    if index.offset is not None and any(index.offset):
        raise ValueError(
            f"FQN: '{index.fqn}' is not a ShardedTensor, can't find by offset: '{index.offset}'"
        )
    return tensor


def find_state_dict_object(state_dict: dict[str, Any], index: MetadataIndex) -> Any:
    """What *index* names.

    Raises ValueError for a name that is not there, or an offset into what is no tensor.
    """
    if index.fqn not in state_dict:
        raise ValueError(f"Could not find FQN: '{index.fqn}'")
    found = state_dict[index.fqn]
    if hasattr(found, "dim") or index.offset is None:
        return find_tensor_shard(found, index) if hasattr(found, "dim") else found
    raise ValueError(
        f"FQN: '{index.fqn}' is not a ShardedTensor, can't find by offset: '{index.offset}'"
    )


class _ReaderView(io.RawIOBase):
    """A part of a file as a file."""

    def __init__(self, base_stream: Any, offset: int, len: int) -> None:
        super().__init__()
        self.base_stream, self.offset, self.len = base_stream, offset, len
        self.seek(0)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place of the part."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self.len}[whence]
        self.base_stream.seek(self.offset + start + offset)
        return start + offset

    def tell(self) -> int:
        """The place in the part."""
        return int(self.base_stream.tell()) - self.offset

    def seekable(self) -> bool:
        """That one can go to a place."""
        return True

    def readable(self) -> bool:
        """That it can be read."""
        return True

    def readinto(self, b: Any) -> int:
        """Read some of it."""
        left = self.len - self.tell()
        data = self.base_stream.read(min(len(b), max(left, 0)))
        b[: len(data)] = data
        return len(data)


def _create_file_view(file: Any, offset: int, length: int) -> Any:
    """The *length* bytes of *file* from *offset* on, as a file."""
    return _ReaderView(file, offset, length)
