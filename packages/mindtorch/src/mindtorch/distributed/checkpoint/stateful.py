"""Objects that give their state as a dict and take it back."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, runtime_checkable

__all__ = ["Stateful", "StatefulT"]


@runtime_checkable
class Stateful(Protocol):
    """An object with ``state_dict`` and ``load_state_dict``."""

    def state_dict(self) -> dict[str, Any]:
        """The state."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take the state."""
        ...


StatefulT = TypeVar("StatefulT", bound=Stateful)
