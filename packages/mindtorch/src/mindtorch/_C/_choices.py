"""Enumerations as bindings make them: they convert to numbers and equal none."""

from __future__ import annotations

from enum import Enum

__all__ = ["Choice"]


class Choice(Enum):
    """Base of an enumeration whose members convert to ``int``."""

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        return int(self.value)

    def __hash__(self) -> int:
        return int(self.value)
