"""What an entry of a pipeline's queue computes, as data: a flush calls it, a pass can read it.

An entry's ``op`` is the overload, and so the row; its ``run`` is one of

* ``partial(ufunc, *operands, out=result)``, of the commonest elementwise calls;
* :class:`Work`, a row's kernel with its operands and the memory of its results;
* :class:`Launch`, such a work on the accelerator's stream that was current when it was recorded;
* :class:`ForeignWork`, a kernel that somebody else registered, with what it is called with.

:func:`recorded` says the same of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from mindtorch_autograd import no_grad
from mindtorch_dispatch import Entry
from mindtorch_npu import backend as npu_backend

from ..call.overload import Overload
from ..tensor.storage_referrers import mark_unreliable
from .plan import Plan, store, store_all

__all__ = ["Failure", "ForeignWork", "Launch", "Recorded", "Work", "recorded"]


class Recorded(NamedTuple):
    """An entry of the queue: what is computed of what, and where it goes.

    :ivar op: the overload of a row, or an operator without one.
    :ivar operands: arrays, and the arguments that are no tensors, in the order of the schema.
    :ivar results: the arrays that are written.
    """

    op: Any
    operands: tuple[Any, ...]
    results: tuple[Any, ...]


def recorded(entry: Entry) -> Recorded | None:
    """What *entry* holds; None if it has run, or holds what only its recorder knows."""
    run = entry.run
    if isinstance(run, partial):
        tensors = len(entry.op.tensor_positions)  # a constant of the kernel stands before them
        return Recorded(entry.op, run.args[-tensors:], (run.keywords["out"],))
    if isinstance(run, Launch):
        run = run.work
    if isinstance(run, (Work, ForeignWork)):
        return Recorded(entry.op, tuple(run.operands), tuple(run.results))
    return None


class Work:
    """The kernel of a plan, its operands, and the memory of its results; None for absent ones."""

    __slots__ = ("many", "operands", "plan", "results")

    def __init__(
        self, plan: Plan, operands: Sequence[Any], results: Sequence[Any], many: bool
    ) -> None:
        self.plan, self.operands, self.results, self.many = plan, operands, results, many

    def __call__(self) -> None:
        made = self.plan.compute_arrays(list(self.operands))
        if self.many:
            store_all(list(self.results), made)
        else:
            store(self.results[0], made)


class ForeignWork:
    """A kernel over tensors that somebody else registered, and the memory of its results.

    :ivar operands: the positional arguments, then the keywords in a dict.
    """

    __slots__ = ("kernel", "many", "operands", "results")

    def __init__(
        self, kernel: Callable[..., Any], operands: Sequence[Any], results: Any, many: bool
    ) -> None:
        self.kernel, self.operands, self.results, self.many = kernel, operands, results, many

    def __call__(self) -> None:
        *args, keywords = self.operands
        with no_grad():
            made = self.kernel(*args, **keywords)
        for target, value in zip(self.results, made if self.many else [made], strict=True):
            store(target, value._host())


class Failure:
    """Stands as ``pending`` on the results of a queued kernel that failed: reading raises."""

    __slots__ = ("error",)
    done = False

    def __init__(self, error: BaseException) -> None:
        self.error = error

    @property
    def pipeline(self) -> Failure:
        """Whom a reader asks to settle it."""
        return self

    def settle(self, entry: Any) -> None:
        """Raise the kernel's error."""
        raise self.error.with_traceback(None)


class Launch:
    """Work that a flush hands to the stream that was current when it was recorded.

    :ivar run: the work, or what draws for it from the generator of the device.
    :ivar sources: storages that it reads; :ivar storages: those that it writes.
    """

    __slots__ = ("overload", "queue", "run", "site", "sources", "storages", "work")

    def __init__(
        self,
        overload: Overload,
        work: Work,
        run: Callable[[], Any],
        sources: list[Any],
        storages: list[Any],
        index: Any,
        site: Any,
    ) -> None:
        self.overload, self.work, self.run = overload, work, run
        self.sources, self.storages, self.site = sources, storages, site
        self.queue = npu_backend.current_queue(index)

    def __call__(self) -> None:
        self.queue.enqueue(self._on_device, (), self.overload.name, self.site)

    def _on_device(self) -> None:
        for source in self.sources:
            if source is not None and type(source.pending) is Failure:
                self._give_up(source.pending)
                return
        try:
            self.run()
        except Exception as error:
            self._give_up(Failure(error))
            raise

    def _give_up(self, failure: Failure) -> None:
        for storage in self.storages:
            storage.pending = failure
        mark_unreliable(self.storages)
