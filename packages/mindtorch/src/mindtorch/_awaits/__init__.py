"""``torch._awaits``: the type of a call that runs when its result is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

W = TypeVar("W")


class _Waiting:
    """A call that is to come; attributes are those of its result."""

    def __init__(self, run: Callable[[], Any]) -> None:
        self._run: Callable[[], Any] | None = run
        self._value: Any = None

    def wait(self) -> Any:
        """The result; the call runs once."""
        if self._run is not None:
            self._value, self._run = self._run(), None
        return self._value

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wait(), name)


class _Await(_Waiting, Generic[W]):
    """In an annotation: a call that returns a ``W``."""
