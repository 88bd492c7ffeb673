"""The block whose calls are recorded into a pipeline."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

from . import errors, tls
from .keys import DispatchKey
from .pipeline import Pipeline, current_pipeline, set_current
from .pipeline_journal import Journal

__all__ = ["pipeline_context"]

_PIPELINE = int(DispatchKey.Pipeline)


class pipeline_context(ContextDecorator):
    """Record this thread's calls into *pipe* (a new one by default) and flush it when leaving.

    Contexts nest, and the object decorates functions too. An exception leaves through a flush as
    well, because eager code would have run those ops before it; if that flush fails, its error
    becomes a note of the exception.

    :param debug_enabled: keep a journal, for :meth:`Pipeline.debug_dump`.
    :param max_ops: flush as soon as so many ops wait; the pipeline's own limit by default.
    """

    __slots__ = ("_debug", "_entered", "_given", "_max_ops")

    def __init__(
        self,
        pipe: Pipeline | None = None,
        *,
        debug_enabled: bool = False,
        max_ops: int | None = None,
    ) -> None:
        if max_ops is not None and max_ops < 1:
            raise ValueError(f"max_ops must be at least 1, got {max_ops}")
        self._given, self._debug, self._max_ops = pipe, debug_enabled, max_ops
        # One (pipeline, its limit before, the pipeline before, was it in use before, state word
        # before and then) per entering.
        self._entered: list[tuple[Pipeline, int, Pipeline | None, bool, int, int]] = []

    def _recreate_cm(self) -> pipeline_context:
        # Called by ContextDecorator for every call of the decorated function.
        return type(self)(self._given, debug_enabled=self._debug, max_ops=self._max_ops)

    def __enter__(self) -> Pipeline:
        pipe = self._given
        if pipe is None:
            pipe = self.fresh()
        limit = pipe.max_pending
        if self._max_ops is not None:
            pipe.max_pending = self._max_ops
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
        word = tls.state.get()
        inside = tls.with_included(word, _PIPELINE)
        self._entered.append((pipe, limit, outer, entered_before, word, inside))
        if not entered_before:
            pipe.parent = outer
        tls.state.set(inside)
        set_current(pipe)
        return pipe

    @staticmethod
    def fresh() -> Pipeline:
        """The pipeline of a context that is given none."""
        return Pipeline()

    def __exit__(self, kind: Any, failure: BaseException | None, traceback: Any) -> None:
        pipe, limit, outer, entered_before, before, inside = self._entered.pop()
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
            pipe.max_pending = limit
            if not entered_before:
                pipe.parent = None
