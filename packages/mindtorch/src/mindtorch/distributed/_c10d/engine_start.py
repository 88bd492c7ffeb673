"""Which engine carries a group: by its backend, by how many processes there are."""

from __future__ import annotations

from typing import Any

from .checked import Checked
from .engine import Engine
from .fake import FakeProcesses, others_are_imagined
from .reductions import DebugLevel, get_debug_level
from .single_process import SingleProcess
from .stores import Store
from .streams import OnStreams

__all__ = ["start"]


def start(backend: str, store: Store, rank: int, world_size: int) -> Engine:
    """The engine of process *rank* of the *world_size* processes that *store* connects."""
    if backend == "fake":
        return FakeProcesses(rank, world_size)
    if others_are_imagined():
        return OnStreams(FakeProcesses(rank, world_size))
    if world_size == 1:
        return SingleProcess(backend)
    from . import mpi  # few processes are one of several

    found: Any = OnStreams(mpi.start(backend, store, rank, world_size))
    return Checked(found) if get_debug_level() == DebugLevel.DETAIL else found
