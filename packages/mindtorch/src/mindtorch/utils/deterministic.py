"""``torch.utils.deterministic``: what deterministic algorithms include."""

from __future__ import annotations

import sys
from types import ModuleType

from ..call.determinism import state

__all__: list[str] = []


class _Deterministic(ModuleType):
    """The module, whose attribute is a switch."""

    @property
    def fill_uninitialized_memory(self) -> bool:
        """Whether ``torch.use_deterministic_algorithms(True)`` fills new memory, too."""
        return state.fills

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode: bool) -> None:
        """Raises RuntimeError for what is no bool."""
        if not isinstance(mode, bool):
            raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
        state.fills = mode


sys.modules[__name__].__class__ = _Deterministic
