"""Where this thread's calls are reported to while a trace is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Protocol

from .kernel import Hop
from .operator import Operator
from .pipeline_entry import Entry

__all__ = ["TraceSink", "current_trace", "sink"]


class TraceSink(Protocol):
    """What the dispatcher and pipelines tell a trace (:class:`mindtorch_dispatch.trace.Trace`)."""

    def span(self, kind: str, name: str, *notes: str) -> AbstractContextManager[Any]:
        """The block of an event."""
        ...

    def call(
        self, name: str, keys: int, arguments: Iterable[tuple[str, Any]]
    ) -> AbstractContextManager[Any]:
        """The block of a call of the operator *name* with these joined keys."""
        ...

    def kernel(self, op: Operator, hop: Hop, keys: int, *notes: str) -> AbstractContextManager[Any]:
        """The block of the kernel that *op* runs at a key."""
        ...

    def running(self, entry: Entry) -> Callable[[], object]:
        """The ``run`` of a pipeline's entry, with an event around it."""
        ...


#: Set by :class:`mindtorch_dispatch.trace.tracing`.
sink: ContextVar[TraceSink | None] = ContextVar("mindtorch_dispatch_trace", default=None)
#: The trace that is on in this thread, or None.
current_trace = sink.get
