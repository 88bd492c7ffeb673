"""``torch.distributed.autograd``: gradients over remote calls, kept apart by contexts.

A context keeps its gradients to itself: ``.grad`` of the leaves is left alone.
"""

from __future__ import annotations

from typing import Any

from .._gradient_contexts import backward, get_gradients
from .._gradient_contexts import enter as _enter
from .._gradient_contexts import leave as _leave
from ..rpc.agent import current as _current

__all__ = ["backward", "context", "get_gradients", "is_available"]


def is_available() -> bool:
    """Whether gradients flow over remote calls: within this process."""
    return True


class context:
    """A context of gradients; ``with`` gives its number."""

    def __enter__(self) -> int:
        if _current() is None:
            raise RuntimeError(
                "Need to initialize distributed autograd using torch.distributed.autograd.init()"
            )
        self.autograd_context = _enter()
        return self.autograd_context

    def __exit__(self, *exc: Any) -> None:
        _leave(self.autograd_context)
