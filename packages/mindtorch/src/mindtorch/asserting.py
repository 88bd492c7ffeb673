"""``torch._assert``: an assertion that symbolic tracing can record."""

from __future__ import annotations

from typing import Any

from .intercept import overridable

__all__ = ["_assert"]


def _assert(condition: Any, message: str) -> None:
    """Raise AssertionError with *message* unless *condition* holds."""
    assert condition, message


_assert.__module__ = "mindtorch"
_assert = overridable(_assert)
