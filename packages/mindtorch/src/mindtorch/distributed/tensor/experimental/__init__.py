"""What may change of distributed tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._dispatch import replicating
from ._func_map import local_map
from ._register_sharding import register_sharding

__all__ = ["context_parallel", "implicit_replication", "local_map", "register_sharding"]


@contextmanager
def implicit_replication() -> Iterator[None]:
    """Let plain tensors beside distributed ones be replicated."""
    replicating[0] += 1
    try:
        yield
    finally:
        replicating[0] -= 1


@contextmanager
def context_parallel(
    mesh: Any, *, buffers: Any = None, buffer_seq_dims: Any = None, no_restore_buffers: Any = None
) -> Iterator[None]:
    """Split sequences over a mesh: a mesh of one has them whole.

    Raises NotImplementedError for a mesh of several processes.
    """
    if mesh.size() != 1:
        raise NotImplementedError(
            "context_parallel over several processes is not supported: split sequences with "
            "SequenceParallel, or heads with ColwiseParallel"
        )
    yield
