"""Keys of paths: the steps from a tree to one of its leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["GetAttrKey", "MappingKey", "SequenceKey"]


@dataclass(frozen=True)
class SequenceKey:
    """A step into a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"

    def get(self, sequence: Any) -> Any:
        """What the step leads to."""
        return sequence[self.idx]


@dataclass(frozen=True)
class MappingKey:
    """A step into a mapping."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def get(self, mapping: Any) -> Any:
        """What the step leads to."""
        return mapping[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    """A step to an attribute."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def get(self, obj: Any) -> Any:
        """What the step leads to."""
        return getattr(obj, self.name)
