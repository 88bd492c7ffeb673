"""Ranges for Intel's VTune. It cannot be told from here, so they cost and show nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["is_available", "range_push", "range_pop", "mark", "range"]


def is_available() -> bool:
    """Whether VTune can be told."""
    return False


def range_push(msg: str) -> None:
    """Begin a range."""


def range_pop() -> None:
    """End the innermost range."""


def mark(msg: str) -> None:
    """Mark a moment."""


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A ``with`` block that is a range, whose text is formatted with *args*."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
