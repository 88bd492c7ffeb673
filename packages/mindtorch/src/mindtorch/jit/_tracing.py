"""Whether a thread traces a function, or runs one that was traced."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["depth", "tracing"]


class _Depth(threading.local):
    value = 0


#: ``depth.value``: how many blocks of :func:`tracing` this thread is in.
depth = _Depth()


@contextmanager
def tracing() -> Iterator[None]:
    """Within the block, ``torch.jit.is_tracing()`` is true."""
    depth.value += 1
    try:
        yield
    finally:
        depth.value -= 1
