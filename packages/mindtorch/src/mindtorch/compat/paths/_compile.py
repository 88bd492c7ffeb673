"""``torch._compile``: a mark for functions that are not to be compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _disable_dynamo(fn: Callable[..., Any] | None = None, recursive: bool = True) -> Any:
    """Return *fn*: nothing is compiled here. Without it, a decorator."""
    return _disable_dynamo if fn is None else fn
