"""Pipeline: a queue of ops whose numbers are computed later.

Recording stores a callable, the objects it will write (anything with a settable ``pending``) and
the user's line. Flushing runs the queue in program order. What an output's ``pending`` says is
the entry that will write it last, so a reader calls :func:`settle` on it and needs to know of no
pipeline, thread or context.

Note [No deadlock between pipelines]: several threads may flush, and a kernel may read what another
pipeline still owes. An entry depends only on entries recorded before it, and a reader inside a
flush waits for, or runs up to, one entry and not a whole queue. So waits always go back in time
and cannot form a circle. Therefore a flush holds no lock while a kernel runs; other threads wait
on a condition that is notified entry by entry (batch by batch, where there is an executor).

Note [Reading inside a flush]: a kernel may read an object that a *later* entry will overwrite, and
must see what is there at its own place in the program. Entries are numbered in the order of
recording, and a thread that runs one knows its number: whatever was recorded later (but not by
this very kernel) is left alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from itertools import count
from threading import Condition, Lock, get_ident
from typing import Any

from . import errors, tls, trace_sink
from .call_site import capture_site, describe_site
from .keys import DispatchKey
from .pipeline_entry import Entry, Executor, Pending
from .pipeline_journal import FlushError, Journal, Operands, flush_error

__all__ = [
    "Entry",
    "Pipeline",
    "current_pipeline",
    "settle",
    "watch_failures",
    "watch_flushes",
]

_PIPELINE = int(DispatchKey.Pipeline)

_clock = count(1).__next__
_new = object.__new__
# Inside a flush: (number of the entry that runs, a number drawn when it began).
_position: ContextVar[tuple[int, int] | None] = ContextVar(
    "mindtorch_dispatch_position", default=None
)


class Pipeline:
    """A queue of recorded ops.

    Record from one thread at a time; flush and settle from any.
    """

    __slots__ = (
        "_changed",
        "_depth",
        "_limit_later",
        "_lock",
        "_owner",
        "at_once",
        "early",
        "executor",
        "failure",
        "journal",
        "max_pending",
        "parent",
        "queue",
        "window",
    )

    def __init__(self, *, max_pending: int = 4096, executor: Executor | None = None) -> None:
        """
        :param max_pending: how many entries may wait; recording one more flushes.
        :param executor: runs a list of entries in place of their one-by-one execution, see
            :class:`.pipeline_entry.Executor`.
        """
        if max_pending < 1:
            raise ValueError(f"max_pending must be at least 1, got {max_pending}")
        self.max_pending = self._limit_later = max_pending
        #: How many of the next ops are not to wait; see :meth:`compute_first`.
        self.at_once = 0
        #: How much waited at the last flush that found something.
        self.window = 0
        self.executor = executor
        #: Results that the recorder computed at once, because queueing them would cost more, and
        #: that count as pending until the next flush; see :func:`watch_flushes`.
        self.early: list[Any] = []
        #: What was recorded and what ran, where that is kept; see :meth:`debug_dump`.
        self.journal: Journal | None = None
        #: Why the last failed flush failed.
        self.failure: FlushError | None = None
        #: The pipeline of the enclosing context, whose entries come before ours.
        self.parent: Pipeline | None = None
        #: The entries that wait, in program order; who adds to it or to :attr:`early` calls
        #: :meth:`limit_reached` where that makes :attr:`max_pending`.
        self.queue: deque[Entry] = deque()
        self._lock = Lock()
        #: Told of every entry that is settled; made by the first thread that waits.
        self._changed: Condition | None = None
        #: The thread that is flushing, and how deep (kernels that read settle again).
        self._owner: int | None = None
        self._depth = 0

    @property
    def pending(self) -> int:
        """How many recorded ops wait for a flush."""
        return len(self.queue) + len(self.early)

    def entries(self) -> list[Entry]:
        """The entries that wait, in program order."""
        return list(self.queue)

    def pending_count(self) -> int:
        """:attr:`pending`, for whoever calls it."""
        return self.pending

    def compute_first(self, count: int) -> None:
        """Compute each of the next *count* ops as it is recorded; :attr:`max_pending` is 1 then."""
        if count > 0:
            if not self.at_once:
                self._limit_later = self.max_pending
            self.at_once, self.max_pending = count, 1

    def limits(self) -> tuple[int, int, int]:
        """What :meth:`set_limits` takes back."""
        return self.max_pending, self._limit_later, self.at_once

    def set_limits(self, limits: tuple[int, int, int]) -> None:
        """What may wait is as it was when :meth:`limits` gave *limits*."""
        self.max_pending, self._limit_later, self.at_once = limits

    def limit_reached(self) -> None:
        """Flush, as whoever adds to what waits has to where that makes :attr:`max_pending`."""
        if self.at_once:
            self.at_once -= 1
            if not self.at_once:
                self.max_pending = self._limit_later
        self.flush()

    def last_error(self) -> FlushError | None:
        """Why the last failed flush failed; None if none has."""
        return self.failure

    def format_error(self, style: str = "short") -> str:
        """:meth:`last_error` as text (``"short"`` or ``"full"``); empty if there is none."""
        return "" if self.failure is None else self.failure.format(style)

    def debug_dump(self, *, failed_only: bool = False) -> dict[str, Any]:
        """``entries``: what ran since debugging was enabled and what waits; and ``last_error``.

        Each entry is a dict with its ``number``, its ``op``, the ``line`` that recorded it (file
        and number), its ``state`` (``"done"``, ``"failed"`` or ``"pending"``), and the ``error``,
        empty if there is none; in program order. Without ``debug_enabled`` there is only what
        waits. ``last_error`` has the fields of :class:`FlushError`, or is None.

        :param failed_only: leave out what did not fail.
        """
        journal = self.journal or Journal()
        return {
            "entries": journal.entries(self.entries(), failed_only=failed_only),
            "last_error": None if self.failure is None else self.failure.to_dict(),
        }

    def record(
        self,
        op: Any,
        run: Callable[[], object],
        outputs: Iterable[Pending] = (),
        site: Any = None,
        inputs: Iterable[Pending] = (),
        operands: Operands | None = None,
    ) -> Entry:
        """Queue *run*, which will write *outputs*, and mark them pending.

        :param site: the user's line as :func:`capture_site` gives it (or a ``"file:line"``);
            found by walking the stack if absent.
        :param inputs: what *run* reads, where that may be pending on another pipeline or may
            have failed: it is settled first, and a failure is passed on instead of computed with.
        :param operands: what the journal is told, where there is one.
        """
        if self._owner is not None and self._owner == get_ident():
            # Its place would be behind everything recorded so far, and it is wanted now.
            raise RuntimeError(f"a kernel cannot record {op} into the pipeline that is running it")
        if site is None:
            site = capture_site(2)
        entry = _new(Entry)
        entry.pipeline = self
        entry.number = _clock()
        entry.op = op
        entry.run = run
        entry.outputs = outputs
        entry.site = site
        entry.inputs = inputs
        entry.error = None
        entry.done = False
        for out in outputs:
            out.pending = entry
        queue = self.queue
        queue.append(entry)
        if self.journal is not None:
            self.journal.recorded(entry, operands)
        if len(queue) + len(self.early) >= self.max_pending:
            self.limit_reached()
        return entry

    def flush(self) -> None:
        """Run everything that waits, in program order.

        Waits for a flush that another thread has begun. Raises what a kernel raised, with a note
        that names the op and the user's line; then that entry and all after it stay pending with
        the error, and reading them raises it again.
        """
        self._measure()
        if self.parent is not None:
            self._flush_parent(self.parent)
        queue = self.queue
        while queue or self._owner is not None:
            if self._owner == get_ident():
                # Inside our own flush: the outer loop runs the rest; what a kernel may read is
                # settled entry by entry.
                return
            last = self._last()
            self._drain(last)
            if last is not None and last.error is not None:
                _raise(last.error)
        if self.early:
            self._settle_early()
        if self.journal is not None:
            self.journal.flushed()

    def _measure(self) -> None:
        if self._owner is None:
            self.window = self.pending or self.window

    def _settle_early(self) -> None:
        early, self.early = self.early, []
        for watcher in _flush_watchers:
            watcher(early)

    def settle(self, entry: Entry) -> None:
        """Make *entry*'s outputs hold their numbers, or raise why they never will.

        Called by a kernel inside a flush, it does no more than that kernel's place in program
        order allows, see Note [Reading inside a flush].
        """
        if not entry.done and entry.error is None:
            position = _position.get()
            if position is None or entry.number > position[1]:
                self._measure()
                if self.parent is not None:
                    self._flush_parent(self.parent)
                self._drain(self._last() or entry, wanted=entry)
                if self.early:
                    self._settle_early()
            elif self._owner != get_ident():
                target: Entry | None = entry
                if entry.number > position[0]:
                    target = None
                    for earlier in tuple(self.queue):
                        if earlier.number > position[0]:
                            break
                        target = earlier
                if target is not None:
                    self._drain(target)
        if entry.error is not None:
            _raise(entry.error)

    def _flush_parent(self, parent: Pipeline) -> None:
        """What the enclosing context recorded comes first, and its failure stops us as well."""
        try:
            parent.flush()
        except Exception as error:
            self._fail([], error)
            raise

    def _last(self) -> Entry | None:
        try:
            return self.queue[-1]
        except IndexError:
            return None

    # --- inside a flush --------------------------------------------------------------------

    def _drain(self, last: Entry | None, wanted: Entry | None = None) -> None:
        """Run the queue up to *last*; where another thread is at it, wait until it has.

        With *wanted*, stop waiting as soon as that one is settled.
        """
        me = get_ident()
        wanted = wanted or last
        mine = False
        try:
            with self._lock:
                while self._owner is not None and self._owner != me:
                    if wanted is not None and (wanted.done or wanted.error is not None):
                        return
                    if self._changed is None:
                        self._changed = Condition(self._lock)
                    self._changed.wait()
                mine = True
                self._owner = me
                self._depth += 1
            if last is not None:
                trace = trace_sink.current_trace()
                if trace is None:
                    self._run_up_to(last)
                else:
                    early = f"{len(self.early)} computed while recorded"
                    notes = (f"{len(self.queue)} recorded", *([early] if self.early else ()))
                    with trace.span("flush", "pipeline", *notes):
                        self._run_up_to(last)
        finally:
            if mine:
                with self._lock:
                    self._depth -= 1
                    if self._depth == 0:
                        self._owner = None
                        if self._changed is not None:
                            self._changed.notify_all()

    def _run_up_to(self, last: Entry) -> None:
        queue = self.queue
        executor = self.executor
        # Kernels compute: what they call must not be recorded again.
        word = tls.state.get()
        included, excluded = tls.masks(word)
        pipeline, position = _current.get(), _position.get()
        trace = trace_sink.current_trace()
        batch: list[Entry] = []
        try:
            tls.state.set(tls.with_masks(word, included & ~_PIPELINE, excluded))
            _current.set(None)
            while queue and not last.done and last.error is None:
                batch = []
                while queue:
                    entry = queue[0]
                    if entry.inputs and self._owes_from_elsewhere(entry):
                        if batch:
                            break  # what it waits for may need this batch
                        batch.append(entry)
                        queue.popleft()
                        _position.set((entry.number, _clock()))
                        for source in entry.inputs:
                            settle(source.pending)
                    else:
                        # In this order: an interrupt in between must not lose the entry.
                        batch.append(entry)
                        queue.popleft()
                    if executor is None or entry is last:
                        break
                _position.set((batch[0].number, _clock()))
                if trace is not None:
                    for entry in batch:
                        entry.run = trace.running(entry)
                if executor is None:
                    batch[0].run()  # type: ignore[misc]  # an entry in the queue has its run
                else:
                    executor(batch)
                for entry in batch:
                    if not entry.done:
                        entry.finish()
                if self.journal is not None:
                    self.journal.ran(batch)
                if self._changed is not None:
                    with self._lock:
                        self._changed.notify_all()
        except BaseException as error:
            self._fail(batch, error)
            raise
        finally:
            tls.state.set(word)
            _current.set(pipeline)
            _position.set(position)

    def _owes_from_elsewhere(self, entry: Entry) -> bool:
        """Whether an input of *entry* is pending on another pipeline, or has failed."""
        for source in entry.inputs:
            owed = source.pending
            if owed is not None and (owed.pipeline is not self or owed.error is not None):
                return True
        return False

    def _fail(self, batch: list[Entry], error: BaseException) -> None:
        """Poison what did not run. Later numbers may depend on it, so none are computed."""
        culprit = next((e for e in batch if e.error is not None), None) or next(
            (e for e in batch if not e.done), None
        )
        if isinstance(error, Exception):
            kept: BaseException = error
            if culprit is not None and not _is_noted(error):
                error.add_note(errors.pipeline_note(str(culprit.op), describe_site(culprit.site)))
        else:
            # KeyboardInterrupt and the like stop the flush, half-written outputs included. They
            # are for whoever is running now; a later reader gets an error of its own.
            op, site = ("?", "?") if culprit is None else (culprit.op, describe_site(culprit.site))
            kept = errors.pipeline_interrupted(str(op), site, type(error).__name__)
        if culprit is not None:
            self.failure = flush_error(culprit, error, self.journal)
            if self.journal is not None:
                self.journal.ran([entry for entry in batch if entry.done])
                self.journal.ran([culprit], error)
                self.journal.flushed()
        failed = [entry for entry in batch if not entry.done]
        queue = self.queue
        while queue:
            failed.append(queue.popleft())
        for entry in failed:
            entry.fail(kept)
        for watcher in _failure_watchers:
            watcher(failed)

    def __repr__(self) -> str:
        return f"<Pipeline with {self.pending} pending>"


_flush_watchers: list[Callable[[list[Any]], object]] = []


def watch_flushes(watcher: Callable[[list[Any]], object]) -> None:
    """Call *watcher* at every flush with what was in the pipeline's ``early`` list, if anything."""
    _flush_watchers.append(watcher)


_failure_watchers: list[Callable[[list[Entry]], object]] = []


def watch_failures(watcher: Callable[[list[Entry]], object]) -> None:
    """Call *watcher* with the entries of every failed flush whose outputs will stay unwritten."""
    _failure_watchers.append(watcher)


def _is_noted(error: BaseException) -> bool:
    """Whether an entry's failure is on record in *error* (it may pass through several)."""
    return any(n.startswith(errors.PIPELINE_NOTE) for n in getattr(error, "__notes__", ()))


def _raise(error: BaseException) -> None:
    """Raise a remembered error again, without piling up the tracebacks of earlier raises."""
    try:
        raise error.with_traceback(None)
    finally:
        del error  # a frame that holds the error that it raises is in a circle with it


def settle(pending: Entry | None) -> None:
    """Make what an object's ``pending`` stands for come true, or raise why it cannot.

    None (nothing is pending) is fine. Callable from any thread, inside a flush too.
    """
    if pending is not None and not pending.done:
        pending.pipeline.settle(pending)


#: The pipeline of this thread's innermost context.
_current: ContextVar[Pipeline | None] = ContextVar("mindtorch_dispatch_pipeline", default=None)
#: ``set_current(pipe)`` makes *pipe* the one that this thread records into; None for none.
set_current = _current.set

#: ``current_pipeline()`` is the pipeline that this thread records into; None outside of contexts.
#: The bound method itself, because every recorded op asks.
current_pipeline: Callable[[], Pipeline | None] = _current.get
