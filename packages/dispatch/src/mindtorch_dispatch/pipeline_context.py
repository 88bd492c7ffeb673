"""The block whose calls are recorded into a pipeline."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any, TypeAlias

from . import errors, tls
from .keys import DispatchKey
from .pipeline import Pipeline, current_pipeline, set_current
from .pipeline_journal import Journal

__all__ = ["pipeline_context"]

_PIPELINE = int(DispatchKey.Pipeline)
_Limits: TypeAlias = tuple[int, int, int] | None
_Entering: TypeAlias = tuple[Pipeline, _Limits, Pipeline | None, bool, int, int]


class pipeline_context(ContextDecorator):
    """Record this thread's calls into *pipe* (a new one by default) and flush it when leaving.

    Contexts nest, and the object decorates functions too. An exception leaves through a flush as
    well, because eager code would have run those ops before it; if that flush fails, its error
    becomes a note of the exception.

    :param debug_enabled: keep a journal, for :meth:`Pipeline.debug_dump`.
    :param max_ops: flush as soon as so many ops wait; the pipeline's own limit by default.
    :param min_defer_ops: compute each op before the block's op of this number (from 1) as it is
        recorded, because a queue is no use to a short block.
    """

    __slots__ = ("_debug", "_entered", "_given", "_max_ops", "_min_defer_ops")

    def __init__(
        self,
        pipe: Pipeline | None = None,
        *,
        debug_enabled: bool = False,
        max_ops: int | None = None,
        min_defer_ops: int | None = None,
    ) -> None:
        if max_ops is not None and max_ops < 1:
            raise ValueError(f"max_ops must be at least 1, got {max_ops}")
        if min_defer_ops is not None and min_defer_ops < 0:
            raise ValueError(f"min_defer_ops must be at least 0, got {min_defer_ops}")
        self._given, self._debug, self._max_ops = pipe, debug_enabled, max_ops
        self._min_defer_ops = min_defer_ops
        # One (pipeline, its limits before if they change, the pipeline before, was it in use
        # before, state word before and then) per entering.
        self._entered: list[_Entering] = []

    def _recreate_cm(self) -> pipeline_context:
        # Called by ContextDecorator for every call of the decorated function.
        return type(self)(
            self._given,
            debug_enabled=self._debug,
            max_ops=self._max_ops,
            min_defer_ops=self._min_defer_ops,
        )

    def __enter__(self) -> Pipeline:
        pipe = self._given
        if pipe is None:
            pipe = self.fresh()
        first, limits = self.first(), None
        if first or self._max_ops is not None:
            limits = pipe.limits()
            if self._max_ops is not None:
                pipe.set_limits((self._max_ops, self._max_ops, 0))
        if self._debug and pipe.journal is None:
            pipe.journal = Journal()
        outer = above = current_pipeline()
        entered_before = False
        while above is not None:
            entered_before = entered_before or above is pipe
            above = above.parent
        if entered_before and outer is not pipe and outer is not None:
            # A pipeline that is entered again inside another: what the inner ones recorded so far
            # comes before what follows, and one queue cannot say so.
            outer.flush()
        if first:
            pipe.compute_first(first)
        word = tls.state.get()
        inside = tls.with_included(word, _PIPELINE)
        self._entered.append((pipe, limits, outer, entered_before, word, inside))
        if not entered_before:
            pipe.parent = outer
        tls.state.set(inside)
        set_current(pipe)
        return pipe

    @staticmethod
    def fresh() -> Pipeline:
        """The pipeline of a context that is given none."""
        return Pipeline()

    def first(self) -> int:
        """How many of the block's first ops are computed as they are recorded."""
        return self._min_defer_ops - 1 if self._min_defer_ops else 0

    def __exit__(self, kind: Any, failure: BaseException | None, traceback: Any) -> None:
        pipe, limits, outer, entered_before, before, inside = self._entered.pop()
        word = tls.state.get()
        if word == inside:
            tls.state.set(before)
        elif not tls.masks(before)[0] & _PIPELINE:  # guards that overlap this block stay
            included, excluded = tls.masks(word)
            tls.state.set(tls.with_masks(word, included & ~_PIPELINE, excluded))
        set_current(outer)
        try:
            if failure is None:
                pipe.flush()
            else:
                try:
                    pipe.flush()
                except Exception as error:
                    failure.add_note(errors.pipeline_flush_note(error))
        finally:
            if limits is not None:
                pipe.set_limits(limits)
            if not entered_before:
                pipe.parent = None
