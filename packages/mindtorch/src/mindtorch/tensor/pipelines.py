"""``torch.pipeline()``: deferred execution for a block of code."""

from __future__ import annotations

from threading import local
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
    :param min_defer_ops: compute each op before the block's op of this number as it is recorded.
    :param adaptive_defer: where there is no *min_defer_ops*, take *adaptive_min_defer_ops* if
        no more than *adaptive_small_window_ops* ops waited at the last flush of this thread's
        block before that adapts, too.

    What is not given, or None, is as :func:`pipeline_config` has it. Raises ValueError for a limit
    out of range.
    """

    __slots__ = ("_adaptive",)

    def __init__(
        self,
        pipe: Pipeline | None = None,
        *,
        debug_enabled: bool | None = None,
        max_ops: int | None = None,
        min_defer_ops: int | None = None,
        adaptive_defer: bool | None = None,
        adaptive_small_window_ops: int | None = None,
        adaptive_min_defer_ops: int | None = None,
    ) -> None:
        config = _config
        if debug_enabled is None:
            debug_enabled = config["debug_enabled"]
        if max_ops is None and pipe is None:
            max_ops = config["max_ops"]
        if min_defer_ops is None:
            min_defer_ops = config["min_defer_ops"]
        if adaptive_defer is None:
            adaptive_defer = config["adaptive_defer"]
        small, least = adaptive_small_window_ops, adaptive_min_defer_ops
        #: What is a small window, and what then is ``min_defer_ops``; None for no such thing.
        self._adaptive: tuple[int, int] | None = None
        if adaptive_defer and min_defer_ops is None:
            self._adaptive = (
                config["adaptive_small_window_ops"] if small is None else small,
                config["adaptive_min_defer_ops"] if least is None else least,
            )
        super().__init__(
            pipe, debug_enabled=debug_enabled, max_ops=max_ops, min_defer_ops=min_defer_ops
        )

    def _recreate_cm(self) -> pipeline:
        again = super()._recreate_cm()
        again._adaptive = self._adaptive
        return again

    def first(self) -> int:
        """How many of the block's first ops are computed as they are recorded."""
        if self._adaptive is None:
            return super().first()
        small, least = self._adaptive
        window = getattr(_thread, "window", None)
        return least - 1 if window is not None and window <= small else 0

    def __exit__(self, kind: Any, failure: BaseException | None, traceback: Any) -> None:
        if self._adaptive is None:
            return super().__exit__(kind, failure, traceback)
        pipe = self._entered[-1][0]
        try:
            return super().__exit__(kind, failure, traceback)
        finally:
            _thread.window = pipe.window or getattr(_thread, "window", None)

    @staticmethod
    def fresh() -> Pipeline:
        """The pipeline of a block that is given none."""
        return Pipeline(executor=execute)


#: ``window``: how many ops waited at the last flush of the thread's last block that adapts.
_thread = local()

_config: dict[str, Any] = {
    "debug_enabled": False,
    "max_ops": None,
    "min_defer_ops": None,
    "adaptive_defer": False,
    "adaptive_small_window_ops": 24,
    "adaptive_min_defer_ops": 4,
}


def get_pipeline_config() -> dict[str, Any]:
    """What blocks of :class:`pipeline` take for what they are not given; a copy.

    ``max_ops`` None means the limit of a new ``Pipeline``, ``min_defer_ops`` None that every op
    may wait.
    """
    return dict(_config)


def set_pipeline_config(**config: Any) -> None:
    """Change what :func:`get_pipeline_config` gives; what is not named stays as it is.

    It holds for all threads, and for blocks that begin later. Raises TypeError for another name,
    ValueError for a limit out of range; nothing is changed then. Where it names what blocks
    adapt by, this thread forgets its last block.
    """
    for name in config:
        if name not in _config:
            raise TypeError(f"pipeline_config() got an unexpected keyword argument '{name}'")
    pipeline(**config)  # refuses what it would refuse
    _config.update(config)
    if any(name.startswith("adaptive_") or name == "min_defer_ops" for name in config):
        _thread.window = None


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
        if t._shared_ is None or storage_of(t).pending is None:
            t._sig_ &= ~S.PENDING
            t._meta_ = S.STALE


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
