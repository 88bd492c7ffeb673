"""Works: what a collective that was begun gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch.futures import Future

from ...core import ranges
from ...core.module_names import living_in
from .durations import Duration, seconds_of
from .reductions import OpType

__all__ = ["FakeWork", "Work", "together"]


class Work:
    """A collective that was begun. Subclasses of users override what they have."""

    def __init__(self, *args: Any) -> None:
        self._pending: Any = None
        self._tensors: list[Any] = []
        self._op_type = OpType.UNKNOWN
        self._error: BaseException | None = None
        self._future: Any = None

    @classmethod
    def _of(cls, op_type: Any, tensors: Sequence[Any], pending: Any) -> Work:
        made = Work()
        made._op_type, made._tensors, made._pending = op_type, list(tensors), pending
        return made

    def _seen_as(self, name: str, tensors: Sequence[Any]) -> None:
        """Show the call in profiles, from now until it has ended.

        :param tensors: what it was given.
        """
        ended = None if ranges.begun is None else ranges.begun(name, tensors)
        if ended is None:
            return
        if self._pending is None:
            ended()
        else:
            self._pending.at_end(ended)

    def is_completed(self) -> bool:
        """Whether it has ended."""
        return self._pending is None or self._pending.done()

    def is_success(self) -> bool:
        """Whether it has ended well."""
        return self.is_completed() and self.exception() is None

    def exception(self) -> BaseException | None:
        """What went wrong."""
        return self._error or getattr(self._pending, "error", None)

    def source_rank(self) -> int:
        """Who has sent what was received."""
        found = getattr(self._pending, "source", None)
        if found is None:
            raise RuntimeError(
                "sourceRank() may only be called on work objects that correspond to a recv or "
                "recv-from-any call."
            )
        return int(found)

    _source_rank = source_rank

    def result(self) -> list[Any]:
        """The tensors that were written."""
        return self._tensors

    def synchronize(self) -> None:
        """Let the current stream wait for the end."""
        self.wait()

    def wait(self, timeout: Duration | None = None) -> bool:
        """Wait for the end; True."""
        if self._pending is not None:
            limit = seconds_of(timeout) if timeout else None
            try:
                if not self._pending.wait(limit):
                    raise RuntimeError("Operation timed out!")
            except BaseException as e:
                self._error = e
                raise
        return True

    def block_current_stream(self) -> None:
        """Let the current stream wait for the end."""
        self.wait()

    def _carry_on(self) -> Work:
        """Let it go on while nobody waits for it; the work itself."""
        if self._pending is not None:
            self._pending.carry_on()
        return self

    def _later(self, value: Any) -> Any:
        """A future of *value*, or of what goes wrong, which is done at the end."""
        future: Any = Future()

        def end(error: BaseException | None) -> None:
            if error is None:
                future.set_result(value)
            else:
                future._complete(None, error)

        if self._pending is None:
            end(None)
        else:
            self._pending.when_done(end)
        return future

    def get_future(self) -> Any:
        """A future of the tensors that are written, which is done at the end."""
        if self._future is None:
            self._future = self._later(self._tensors)
        return self._future

    def get_future_result(self) -> Any:
        """A future of how it ends."""
        return self._later(0)

    def _get_op_type(self) -> Any:
        return self._op_type

    def _get_duration(self) -> float:
        return 0.0

    def boxed(self) -> Any:
        """The work itself."""
        return self

    @staticmethod
    def unbox(obj: Any) -> Any:
        """The work itself."""
        return obj


class _Together:
    """Several pending calls as one."""

    def __init__(self, pending: list[Any]) -> None:
        self._pending = pending

    @property
    def error(self) -> BaseException | None:
        return next((p.error for p in self._pending if p.error is not None), None)

    def done(self) -> bool:
        return all([p.done() for p in self._pending])

    def wait(self, seconds: float | None) -> bool:
        return all(p.wait(seconds) for p in self._pending)

    def carry_on(self) -> None:
        for p in self._pending:
            p.carry_on()

    def at_end(self, function: Callable[[], None]) -> None:
        left = self._pending.copy()

        def one_has_ended() -> None:
            left.pop()
            if not left:
                function()

        for p in self._pending:
            p.at_end(one_has_ended)

    def when_done(self, function: Callable[[BaseException | None], None]) -> None:
        left = len(self._pending)

        def one_is_done(_: BaseException | None) -> None:
            nonlocal left  # one thread tells of all
            left -= 1
            if not left:
                function(self.error)

        for p in self._pending:
            p.when_done(one_is_done)


def together(pending: Sequence[Any]) -> Any:
    """What is under way of *pending*, None if nothing is."""
    going = [p for p in pending if p is not None]
    return _Together(going) if going else None


class _IllegalWork(Work):
    """A work inside of a coalescing manager, which has its own."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("is_success", "exception", "wait", "source_rank", "result", "synchronize"):
            raise ValueError(f"Illegal to call {name} on IllegalWork object")
        return object.__getattribute__(self, name)


class FakeWork(Work):
    """A work of nothing, which has ended."""


def _create_work_from_future(future: Any) -> Work:
    """A work that ends with *future*."""

    class _Waits:
        def done(self) -> bool:
            return bool(future.done())

        def wait(self, seconds: float | None) -> bool:
            future.wait()
            return True

        def carry_on(self) -> None:
            """It does so by itself."""

        def when_done(self, function: Callable[[BaseException | None], None]) -> None:
            future.add_done_callback(lambda done: function(done._error))

    return Work._of(OpType.UNKNOWN, (), _Waits())


living_in("mindtorch.distributed.distributed_c10d", Work)
living_in("mindtorch._C._distributed_c10d", FakeWork, _IllegalWork)
