"""Entry: one recorded op of a pipeline; what writes it fills, and who may run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .call_site import describe_site

__all__ = ["Entry", "EntryQueue", "Executor", "Pending"]


class Pending(Protocol):
    """Something whose content a pipeline entry will write (a storage)."""

    #: The entry that writes it last; None when its content is there.
    pending: Any


class EntryQueue(Protocol):
    """What an entry asks of the pipeline that it waits in."""

    def settle(self, entry: Entry) -> None:
        """Make *entry*'s outputs hold their numbers, or raise why they never will."""
        ...


class Entry:
    """One recorded op."""

    __slots__ = ("done", "error", "inputs", "number", "op", "outputs", "pipeline", "run", "site")

    # No __init__: Pipeline.record fills the slots itself, which halves its time.

    pipeline: EntryQueue
    #: Counts recordings, over all pipelines.
    number: int
    #: Name of the op (or anything whose ``str`` names it).
    op: Any
    #: Computes and writes the outputs; dropped when it has run or never will.
    run: Callable[[], object] | None
    #: What it writes; each one's ``pending`` is this entry until it is done.
    outputs: Iterable[Pending]
    #: The user's line, see :func:`describe_site`.
    site: Any
    #: What it reads, as far as the recorder said so.
    inputs: Iterable[Pending]
    #: Why the outputs will never hold numbers.
    error: BaseException | None
    done: bool

    def finish(self) -> None:
        """The outputs hold their numbers now."""
        self.done = True
        for out in self.outputs:
            if out.pending is self:
                out.pending = None
        self.run = None
        self.outputs = self.inputs = ()

    def fail(self, error: BaseException) -> None:
        """The outputs never will: reading them raises *error*."""
        self.error = error
        self.run = None
        self.inputs = ()

    def settle(self) -> None:
        """See :func:`settle`."""
        self.pipeline.settle(self)

    def __repr__(self) -> str:
        state = "done" if self.done else "failed" if self.error is not None else "pending"
        return f"<{state} {self.op} from {describe_site(self.site)}>"


class Executor(Protocol):
    """Runs recorded entries, in any way that gives what program order would give."""

    def __call__(self, entries: list[Entry], /) -> object:
        """Execute *entries*, which are in program order.

        May call ``entry.finish()`` as results come in; the rest is finished when it returns. If it
        raises, entries not finished get the error; the one to blame is the first whose ``error``
        it set, else the first that is not done.
        """
        ...
