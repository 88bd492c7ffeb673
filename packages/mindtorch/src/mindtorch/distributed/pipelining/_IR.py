"""``torch.distributed.pipelining._IR``: a model that is traced and cut into stages."""

from __future__ import annotations

from enum import Enum

from ...core.unavailable import COMPILER, refusal, refusing_class

__all__ = ["Pipe", "SplitPoint", "pipe_split", "pipeline"]


class SplitPoint(Enum):
    """Where a model is split: before a module runs, or after."""

    BEGINNING = 1
    END = 2


def pipe_split() -> None:
    """Mark a place to split at; does nothing outside of a trace."""


pipeline = refusal("torch.distributed.pipelining.pipeline", COMPILER)
Pipe = refusing_class("torch.distributed.pipelining.Pipe", COMPILER)
