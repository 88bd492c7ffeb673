"""Trace: what the dispatcher did for each call, as a tree of events.

Nothing here is asked while no trace is on. ``tracing(trace)`` sets the flag :data:`tls.TRACED` in
the thread's state word, so call tables miss once and are filled with calls that report; without
the flag the same tables serve the plain calls they always had. What an argument looks like, the
joining package says (:attr:`Trace.describe`).

Note [Threads of a trace]: the flag is the thread's own, and a new thread starts without it. Code
that copies a context into another thread takes the flag along; so each thread has its own stack of
open events, and events of other threads stand at the top of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import get_ident
from time import perf_counter_ns
from typing import Any, cast

from . import tls, trace_output, trace_sink
from .call_site import describe_site
from .kernel import Hop
from .operator import Operator
from .pipeline_entry import Entry
from .trace_events import CALL, ENTRY, KERNEL, NODE, Argument, Event

__all__ = ["Argument", "Event", "Span", "Trace", "current_trace", "tracing", "untraced"]


class Trace:
    """A tree of events. ``print(trace)`` shows it; see also the methods for files."""

    #: Whether it is told of all arguments of a call, those that equal their defaults too.
    complete = False
    #: Whether it is shown what calls return.
    keeps_results = False

    def __init__(
        self, describe: Callable[[Any], Argument] | None = None, *, limit: int | None = None
    ) -> None:
        """
        :param describe: how arguments are shown; ``repr`` by default.
        :param limit: keep at most this many events and count the others in :attr:`dropped`.
        """
        if limit is not None and limit < 1:
            raise ValueError(f"limit must be at least 1, got {limit}")
        self.describe = describe or _repr
        self.limit = limit
        #: The outermost events, in order.
        self.events: list[Event] = []
        #: How many events there were beyond the limit.
        self.dropped = 0
        #: The trace around this one, which gets the events too.
        self.outer: Trace | None = None
        self._count = 0
        self._open: dict[int, list[Event]] = {}

    # --- recording -------------------------------------------------------------------------

    def begin(self, event: Event) -> None:
        """Open *event* inside the one that is open in this thread."""
        thread = event.thread = get_ident()
        stack = self._open.get(thread)
        if stack is None:
            stack = self._open[thread] = []
        self._put(event, stack)
        if not stack and self.outer is not None:
            outer = self.outer
            outer._put(event, outer._open.get(thread, []))
        stack.append(event)
        event.start = perf_counter_ns()

    def _put(self, event: Event, stack: list[Event]) -> None:
        self._count += 1
        if self.limit is not None and self._count > self.limit:
            self.dropped += 1
        elif stack:
            stack[-1].children.append(event)
        else:
            self.events.append(event)

    def finish(self, event: Event, error: BaseException | None = None) -> None:
        """Close *event*, and what an exception left open in it."""
        event.end = perf_counter_ns()
        if error is not None:
            event.error = f"{type(error).__name__}: {error}"
        stack = self._open[event.thread]
        while stack and stack.pop() is not event:
            pass

    def top(self) -> Event | None:
        """The innermost event that is open in this thread."""
        stack = self._open.get(get_ident())
        return stack[-1] if stack else None

    def span(self, kind: str, name: str, *notes: str) -> Span:
        """A context manager for an event."""
        event = Event(kind, name)
        event.notes = notes
        return Span(self, event)

    def call(self, name: str, keys: int, arguments: Iterable[tuple[str, Any]]) -> Span:
        """The event of a call of the operator *name* with these joined keys.

        :param arguments: values, each with its keyword or "".
        """
        top = self.top()
        if top is not None and top.kind == CALL and top.name == name and top.chosen is None:
            # The call was only prepared (its arguments moved or computed) and now begins anew.
            return Span(None, top, keys)
        event = Event(CALL, name)
        event.keys = keys
        event.arguments = tuple(self._argument(*a) for a in arguments)
        event.included, event.excluded = tls.masks(tls.state.get())
        return Span(self, event)

    def _argument(self, name: str, value: Any) -> Argument:
        told = self.describe(value)
        return Argument(f"{name}={told.text}", told.keys) if name else told

    def kernel(
        self,
        op: Operator,
        hop: Hop,
        keys: int,
        *notes: str,
        label: str = "",
        where: str | None = None,
    ) -> Span:
        """The event of the kernel that *op* runs at a key.

        :param label: its name for people; the function's by default.
        :param where: where it is defined; as *hop* says by default.
        """
        event = Event(KERNEL, op.name)
        event.hop, event.keys, event.notes = hop, keys, notes
        event.kernel = label or kernel_name(hop)
        event.where = where or hop.where
        return Span(self, event)

    def node(self, name: str, node: object, grad: object) -> Any:
        """The block of a node of a backward, which is given *grad*."""
        return self.span(NODE, name)

    def made(self, result: object) -> None:
        """Take note of what a call returned; only where :attr:`keeps_results` says so."""

    def running(self, entry: Entry) -> Callable[[], object]:
        """The ``run`` of a pipeline's entry, with an event around it."""
        run = entry.run
        assert run is not None
        span = self.span(ENTRY, str(entry.op), f"recorded at {describe_site(entry.site)}")

        def traced() -> object:
            with span:
                return run()

        return traced

    # --- reading ---------------------------------------------------------------------------

    def walk(self) -> Iterator[Event]:
        """Every event, outer ones first."""
        return trace_output.walk(self.events)

    def calls(self) -> list[Event]:
        """The calls of operators among the events, in order."""
        return [e for e in self.walk() if e.kind == CALL]

    def select(
        self, *, op: str | None = None, key: int | str | None = None, depth: int | None = None
    ) -> Trace:
        """A trace of some of the events.

        :param op: calls of these ops (``add``, ``aten::mul*``), all inside and all around them.
        :param key: calls that run a kernel at this key, and all around them.
        :param depth: how many levels of the tree; 1 leaves the outermost events.
        :raises RuntimeError: there is no such key.
        """
        made = type(self)(self.describe, limit=self.limit)
        made.dropped = self.dropped
        made.events = trace_output.select(self.events, op, key, depth)
        return made

    def text(self) -> str:
        """The tree in lines."""
        return trace_output.text(self.events, self.dropped)

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data, for JSON."""
        return trace_output.to_dict(self.events, self.dropped)

    def chrome_trace(self) -> dict[str, Any]:
        """The events in Chrome's trace-event format, which Perfetto opens."""
        return trace_output.chrome_trace(self.events)

    def save(self, path: Any) -> None:
        """Write the trace to a file: ``.json`` in Chrome's format, ``.txt`` as :meth:`text`.

        Raises ValueError for another ending.
        """
        trace_output.save(self.events, self.dropped, path)

    def __str__(self) -> str:
        return self.text()

    def __len__(self) -> int:
        return sum(1 for _ in self.walk())

    def __bool__(self) -> bool:
        return True


class Span:
    """``with`` block of an event."""

    __slots__ = ("event", "keys", "trace")

    def __init__(self, trace: Trace | None, event: Event, keys: int | None = None) -> None:
        #: None where the event is open already.
        self.trace = trace
        self.event = event
        self.keys = keys

    def __enter__(self) -> Event:
        if self.trace is not None:
            self.trace.begin(self.event)
        elif self.keys is not None:
            self.event.keys = self.keys
        return self.event

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if self.trace is not None:
            self.trace.finish(self.event, error)


def _repr(value: Any) -> Argument:
    return Argument(repr(value))


def kernel_name(hop: Hop) -> str:
    """The name of the function that *hop* runs."""
    fn: Any = None if hop.kernel is None else hop.kernel.fn
    return str(getattr(getattr(fn, "func", fn), "__name__", ""))


#: The trace that is on in this thread, or None: nothing but a :class:`Trace` is ever set.
current_trace = cast("Callable[[], Trace | None]", trace_sink.current_trace)


class tracing:
    """``with tracing(trace):`` this thread's calls report to *trace*.

    May be nested; the outer trace gets the events of the inner one too.
    """

    __slots__ = ("_before", "trace")

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._before: list[tuple[Trace | None, int]] = []

    def __enter__(self) -> Trace:
        word = tls.state.get()
        flags = tls.extra(word)
        outer = current_trace()
        if outer is self.trace:
            outer = None
        self._before.append((current_trace(), flags & tls.TRACED))
        self.trace.outer = outer
        trace_sink.sink.set(self.trace)
        tls.state.set(tls.with_extra(word, flags | tls.TRACED))
        return self.trace

    def __exit__(self, *exc_info: object) -> None:
        before, flag = self._before.pop()
        word = tls.state.get()
        tls.state.set(tls.with_extra(word, tls.extra(word) & ~tls.TRACED | flag))
        trace_sink.sink.set(before)
        if before is not self.trace:
            self.trace.outer = None


class untraced:
    """``with untraced():`` this thread's calls report to no trace."""

    __slots__ = ("_before", "_flag")

    def __enter__(self) -> None:
        word = tls.state.get()
        flags = tls.extra(word)
        self._before, self._flag = current_trace(), flags & tls.TRACED
        trace_sink.sink.set(None)
        tls.state.set(tls.with_extra(word, flags & ~tls.TRACED))

    def __exit__(self, *exc_info: object) -> None:
        word = tls.state.get()
        tls.state.set(tls.with_extra(word, tls.extra(word) & ~tls.TRACED | self._flag))
        trace_sink.sink.set(self._before)
