"""What goes wrong when a checkpointed function runs again."""

from __future__ import annotations

__all__ = ["CheckpointError"]


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function was not like the first."""
