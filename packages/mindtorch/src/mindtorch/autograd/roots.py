"""Where a backward begins: what torch does in Python, so that who overrides functions sees it."""

from __future__ import annotations

from typing import Any

from ..core.constants import preserve_format
from ..core.operators import ops

__all__ = ["ones_visibly"]


def ones_visibly(root: Any) -> Any:
    """The gradient of a root that nobody gave one for."""
    return ops.ones_like(root, memory_format=preserve_format)
