"""``torch.distributed.autograd``: gradients over remote calls, kept apart by contexts.

A context keeps its gradients to itself: ``.grad`` of the leaves is left alone.
"""

from __future__ import annotations

from typing import Any

from .._gradient_contexts import (
    DistAutogradContext,
    _current_context,
    _get_debug_info,
    _get_max_id,
    _is_valid_context,
    _retrieve_context,
    backward,
    get_gradients,
)
from .._gradient_contexts import begin as _init
from .._gradient_contexts import enter as _new_context
from .._gradient_contexts import leave as _leave
from ..rpc.current_agent import current as _current

__all__ = [
    "DistAutogradContext",
    "backward",
    "context",
    "get_gradients",
    "is_available",
]


def is_available() -> bool:
    """Whether gradients flow over remote calls."""
    return True


def _release_context(context_id: int) -> None:
    """Close a context, here and in the workers that have parts of it."""
    workers, agent = _leave(context_id), _current()
    if agent is not None:
        agent.forget_context(context_id, workers)


class context:
    """A context of gradients; ``with`` gives its number."""

    def __enter__(self) -> int:
        self.autograd_context = _new_context()
        return self.autograd_context._context_id()

    def __exit__(self, *exc: Any) -> None:
        _release_context(self.autograd_context._context_id())
