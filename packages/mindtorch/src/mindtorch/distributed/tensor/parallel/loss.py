"""Losses of outputs that are cut by class."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._sharding import modes

__all__ = ["loss_parallel"]


@contextmanager
def loss_parallel() -> Iterator[None]:
    """Let ``cross_entropy`` take scores that are cut by class as they are; also for the backward.

    Targets may be plain tensors, which all processes have.
    """
    modes.split_classes += 1
    try:
        yield
    finally:
        modes.split_classes -= 1
