"""Attention over split sequences: a mesh of one has them whole."""

from __future__ import annotations

from . import context_parallel

__all__ = ["context_parallel", "set_rotate_method"]


def set_rotate_method(rotate_method: str) -> None:
    """Set how parts travel between processes."""
    if rotate_method not in ("allgather", "alltoall"):
        raise NotImplementedError(
            f"Context Parallel does not support using {rotate_method} for kv shards rotation"
        )
