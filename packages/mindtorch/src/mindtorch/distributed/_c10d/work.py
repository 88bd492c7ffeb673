"""Works: what a collective that was begun gives."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from mindtorch.futures import Future

from ...core.module_names import living_in
from .reductions import OpType

__all__ = ["FakeWork", "Work", "together"]


class Work:
    """A collective that was begun. Subclasses of users override what they have."""

    def __init__(self, *args: Any) -> None:
        self._pending: Any = None
        self._tensors: list[Any] = []
        self._op_type = OpType.UNKNOWN
        self._error: BaseException | None = None

    @classmethod
    def _of(cls, op_type: Any, tensors: Sequence[Any], pending: Any) -> Work:
        made = Work()
        made._op_type, made._tensors, made._pending = op_type, list(tensors), pending
        return made

    def is_completed(self) -> bool:
        """Whether it has ended."""
        return self._pending is None or self._pending.done()

    def is_success(self) -> bool:
        """Whether it has ended well."""
        return self._error is None and self.is_completed()

    def exception(self) -> BaseException | None:
        """What went wrong."""
        return self._error

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

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Wait for the end; True."""
        if self._pending is not None:
            limit = timeout.total_seconds() if timeout else None
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

    def get_future(self) -> Any:
        """A future of the tensors that were written."""
        future: Any = Future()
        try:
            self.wait()
        except Exception as e:
            future.set_exception(e)
        else:
            future.set_result(self._tensors)
        return future

    def get_future_result(self) -> Any:
        """A future of how it ended."""
        self.wait()
        future: Any = Future()
        future.set_result(0)
        return future

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

    def done(self) -> bool:
        return all(p.done() for p in self._pending)

    def wait(self, seconds: float | None) -> bool:
        return all(p.wait(seconds) for p in self._pending)


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

    return Work._of(OpType.UNKNOWN, (), _Waits())


living_in("mindtorch.distributed.distributed_c10d", Work)
living_in("mindtorch._C._distributed_c10d", FakeWork, _IllegalWork)
