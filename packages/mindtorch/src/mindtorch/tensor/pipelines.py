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
    :param debug_enabled: keep what ran, for ``pipe.debug_dump()``.
    """

    __slots__ = ()

    @staticmethod
    def fresh() -> Pipeline:
        """The pipeline of a block that is given none."""
        return Pipeline(executor=execute)


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


__all__ = ["Pipeline", "current_pipeline", "pipeline"]
