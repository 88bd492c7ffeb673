"""``torch.utils._thunk``: a value that is computed when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Thunk"]


class Thunk:
    """Calls *f* once, when it is forced, and lets it go."""

    __slots__ = ("f", "r")

    def __init__(self, f: Callable[[], Any]) -> None:
        self.f: Callable[[], Any] | None = f
        self.r: Any = None

    def force(self) -> Any:
        """The value."""
        if self.f is not None:
            self.r = self.f()
            self.f = None
        return self.r
