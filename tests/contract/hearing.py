"""The warnings of one call, and of nothing else."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["hearing"]


@contextmanager
def hearing() -> Iterator[list[warnings.WarningMessage]]:
    """Collect every warning of what runs inside.

    What an earlier test left behind would be cleared away whenever the collector happens to come
    by, and would warn then: it does not come by inside. Files that nobody closed are not counted.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)
            yield heard
    finally:
        if collects:
            gc.enable()
