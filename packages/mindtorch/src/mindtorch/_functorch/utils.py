"""``torch._functorch.utils``: what transforms share with Functions."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ..utils._exposed_in import exposed_in

__all__ = ["argnums_t", "enable_single_level_autograd_function", "exposed_in"]

argnums_t: Any = int | tuple[int, ...]


def enable_single_level_autograd_function() -> AbstractContextManager[None]:
    """A block in which Functions may be recorded inside of a transform: they are at any time.

    In torch those alone that its transforms make run there, and they ask for it.
    """
    return nullcontext()
