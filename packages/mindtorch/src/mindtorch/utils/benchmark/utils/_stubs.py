"""What timers look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable


class TimerClass(Protocol):
    """What ``timeit.Timer`` offers."""

    def __init__(
        self, stmt: str, setup: str, timer: Callable[[], float], globals: Any, **kwargs: Any
    ) -> None: ...

    def timeit(self, number: int) -> float:
        """Seconds that so many runs take."""
        ...


@runtime_checkable
class TimeitModuleType(Protocol):
    """A compiled module that times itself."""

    def timeit(self, number: int) -> float:
        """Seconds that so many runs take."""
        ...


class CallgrindModuleType(Protocol):
    """A compiled module that switches Valgrind on and off."""

    def _valgrind_supported_platform(self) -> bool: ...

    def _valgrind_toggle(self) -> None: ...
