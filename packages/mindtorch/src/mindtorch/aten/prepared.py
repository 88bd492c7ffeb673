"""What is known before a kernel is called: kept for the next call, if it is not large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["constant", "kept"]

Array = np.ndarray[Any, Any]

#: More numbers are made each time: what is prepared is kept.
_FEW: Final = 4096


def constant(make: Callable[[], Array]) -> Callable[..., Array]:
    """The kernel that gives a fresh copy of what *make* makes, whatever its arguments are."""
    numbers = kept(make)
    return lambda *args: numbers().copy()


def kept(make: Callable[[], Array]) -> Callable[[], Array]:
    """What gives the array that *make* makes: the same each time, or a new one, if it is large."""
    numbers = make()
    return make if numbers.size > _FEW else lambda: numbers
