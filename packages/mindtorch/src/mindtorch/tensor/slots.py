"""What a tensor is made of, for modules that its class stands on."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Slots"]


class Slots(Protocol):
    """A tensor as the modules see it that its class is made of: see :mod:`mindtorch.tensor`."""

    _a_: Any
    _sig_: int
    _shared_: Any
    _edge_: Any
    _state_: Any
    _content_: Any

    @property
    def device(self) -> Any: ...
