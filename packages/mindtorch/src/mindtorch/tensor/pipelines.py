"""``torch.pipeline()``: deferred execution for a block of code."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import Entry, Pipeline, current_pipeline, pipeline_context

from ..core import signature as S
from .array_memory import storage_of
from .storage_referrers import mark_unreliable


class pipeline(pipeline_context):
    """Record what this thread computes into a queue, and compute it when numbers are needed.

    ``with torch.pipeline() as pipe:`` flushes when the block is left; so do ``pipe.flush()`` and
    every access to data (``item``, ``tolist``, ``numpy``, printing, ``backward``, …). Shapes,
    dtypes and gradient history are there at once. An error of a kernel is raised by the flush,
    with a note that names the op and the line that recorded it.

    :param pipe: the pipeline to record into; a new one by default.
    :param debug_enabled: keep a journal, for ``pipe.debug_dump()`` and ``pipe.last_error()``.
    :param max_ops: flush as soon as so many ops wait.

    What is not given, or None, is as :func:`pipeline_config` has it. Raises ValueError for a limit
    below 1.
    """

    __slots__ = ()

    def __init__(
        self,
        pipe: Pipeline | None = None,
        *,
        debug_enabled: bool | None = None,
        max_ops: int | None = None,
    ) -> None:
        if debug_enabled is None:
            debug_enabled = _config["debug_enabled"]
        if max_ops is None and pipe is None:
            max_ops = _config["max_ops"]
        super().__init__(pipe, debug_enabled=debug_enabled, max_ops=max_ops)

    @staticmethod
    def fresh() -> Pipeline:
        """The pipeline of a block that is given none."""
        return Pipeline(executor=execute)


_config: dict[str, Any] = {"debug_enabled": False, "max_ops": None}


def get_pipeline_config() -> dict[str, Any]:
    """What blocks of :class:`pipeline` take for what they are not given: ``debug_enabled`` and
    ``max_ops``, where None means the limit of a new ``Pipeline``. A copy.
    """
    return dict(_config)


def set_pipeline_config(**config: Any) -> None:
    """Change what :func:`get_pipeline_config` gives; what is not named stays as it is.

    It holds for all threads, and for blocks that begin later. Raises TypeError for another name,
    ValueError for a limit below 1; nothing is changed then.
    """
    for name in config:
        if name not in _config:
            raise TypeError(f"pipeline_config() got an unexpected keyword argument '{name}'")
    pipeline(**config)  # refuses what it would refuse
    _config.update(config)


pipeline_config = set_pipeline_config


def execute(entries: list[Entry]) -> None:
    """Run *entries* one after the other."""
    for entry in entries:
        entry.run()  # one that waits has its run
        entry.finish()


def settle_early(tensors: list[Any]) -> None:
    """At a flush, what was computed while it was recorded is pending no more."""
    for t in tensors:
        # Where there are views, they ask the storage from now on.
        if t._shared is None or storage_of(t).pending is None:
            t._sig &= ~S.PENDING
            t._meta = S.STALE


def mark_failed(entries: list[Entry]) -> None:
    """After a failed flush, make every tensor over memory that was not written say so."""
    mark_unreliable([s for entry in entries for s in entry.outputs])


__all__ = [
    "Pipeline",
    "current_pipeline",
    "get_pipeline_config",
    "pipeline",
    "pipeline_config",
    "set_pipeline_config",
]
