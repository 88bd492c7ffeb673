"""``torch.jit._fuser``: how a compiler joins ops, which changes nothing here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._deprecation import USE_COMPILE, deprecated

__all__ = ["fuser", "last_executed_optimized_graph", "optimized_execution", "set_fusion_strategy"]

_strategy: list[tuple[str, int]] = [("STATIC", 2), ("DYNAMIC", 10)]


@contextmanager
def optimized_execution(should_optimize: bool) -> Iterator[None]:
    """Say whether scripts are optimized within the block."""
    yield


@contextmanager
def fuser(name: str) -> Iterator[None]:
    """Choose what joins ops within the block. Raises Exception for an unknown name."""
    if name not in ("fuser0", "fuser1", "fuser2", "fuser3", "none", ""):
        raise Exception(f"unrecognized fuser option (name: {name})")
    yield


def set_fusion_strategy(strategy: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Set how often ops are joined anew; returns what was set before."""
    global _strategy
    deprecated("set_fusion_strategy", USE_COMPILE)
    for kind, _ in strategy:
        if kind not in ("STATIC", "DYNAMIC"):
            raise ValueError(f"FusionBehavior only supported 'STATIC' or 'DYNAMIC', got: {kind}")
    before, _strategy = _strategy, list(strategy)
    return before


def last_executed_optimized_graph() -> Any:
    """The graph that ran last: none."""
    return None
