"""Calls as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._library.overridable import resolve_name
from ..io.printing import printoptions

__all__ = ["render_call"]


def render_call(fn: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> str:
    """A call as text; of tensors it shows the sizes, not the numbers."""
    name = resolve_name(fn)
    with printoptions(threshold=0, edgeitems=0):
        shown = [*map(repr, args), *(f"{k}={v!r}" for k, v in kwargs.items())]
    return f"{fn if name is None else name}({', '.join(shown)})"
