"""Streams while they are captured: what they are given is written down.

A queue changes its class while a capture goes on (:meth:`.captures.Capture.take_in`), so that one
that is not captured asks nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_npu import graph_errors
from mindtorch_npu.arenas import arena_of
from mindtorch_npu.captures import Point, kinds
from mindtorch_npu.completion import BUSY
from mindtorch_npu.dry_run import DryQueue
from mindtorch_npu.timing_event import Mark
from mindtorch_npu.turn import NEVER
from mindtorch_npu.workqueue import WorkQueue

__all__: list[str] = []


class _Captured:
    """What is different while a queue is captured; see :class:`mindtorch_npu.protocols.Queue`."""

    __slots__ = ()

    captured_by: Any
    device_index: int
    handle: int

    def refresh(self: Any) -> None:
        """Nothing runs at once, and each request for memory asks where it goes."""
        self.at_once = NEVER
        self.arena = arena_of(self.device_index, self.handle)

    def compute(self, function: Callable[..., Any], *args: Any) -> Any:
        return BUSY

    def launch(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...],
        name: str,
        site: Any,
        nbytes: int,
    ) -> Any:
        return self.captured_by.add(self, function, args, name, site)

    def enqueue(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...] = (),
        name: str = "",
        site: Any = None,
    ) -> Any:
        return self.captured_by.add(self, function, args, name, site)

    def sleep(self, nanoseconds: int) -> Any:
        return self.enqueue(Mark(nanoseconds, None, None).run, (), "sleep")

    def mark(self) -> tuple[Mark, Any]:
        return Mark(0, None, None), self.captured_by.point(self)

    def last(self) -> None:
        """None: nothing runs."""

    def point(self) -> Any:
        return self.captured_by.point(self)

    def wait_for(self, ticket: Any) -> None:
        if type(ticket) is not Point:
            self.captured_by.is_valid = False
            raise graph_errors.uncaptured_work()
        ticket.join(self)

    def query(self) -> bool:
        raise self.captured_by.refuse()

    def synchronize(self) -> None:
        raise self.captured_by.refuse()


class CapturedWorkQueue(_Captured, WorkQueue):
    """See the module."""

    __slots__ = ()


class CapturedDryQueue(_Captured, DryQueue):
    """See the module."""

    __slots__ = ()

    def refresh(self) -> None:
        """Each request for memory asks where it goes."""
        self.arena = arena_of(self.device_index, self.handle)


kinds[WorkQueue] = CapturedWorkQueue
kinds[DryQueue] = CapturedDryQueue
