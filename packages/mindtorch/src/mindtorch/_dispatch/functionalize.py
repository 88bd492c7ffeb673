"""Blocks without changes in place."""

from __future__ import annotations

from mindtorch_dispatch import DispatchKey

from ..functionality.functionalization_levels import writing_back as functionalize_context
from .keys import current_masks

__all__ = ["functionalize", "functionalize_context", "is_functionalize_enabled"]

#: The same as ``torch.functionalize()``.
functionalize = functionalize_context


def is_functionalize_enabled() -> bool:
    """Whether this thread's calls go through the Functionalize key."""
    included, excluded = current_masks()
    return DispatchKey.Functionalize in included - excluded
