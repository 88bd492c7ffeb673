"""Losses of split outputs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["loss_parallel"]


@contextmanager
def loss_parallel() -> Iterator[None]:
    """Let losses take outputs that are split by class: a mesh of one has them whole."""
    yield
