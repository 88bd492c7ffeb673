"""``torch.backends.nnpack``: a switch of a library that is not here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .switching import Remembered, allow_nonbracketed_mutation

__all__ = ["flags", "is_available", "set_flags"]

_ENABLED = Remembered(True, "set_enabled_NNPACK")


def is_available() -> bool:
    """False: there is no NNPACK here."""
    return False


def set_flags(_enabled: bool) -> tuple[bool]:
    """Set whether NNPACK may be used; returns what was set before."""
    before = (bool(_ENABLED.value),)
    _ENABLED.set(_enabled)
    return before


@contextmanager
def flags(enabled: bool = False) -> Iterator[None]:
    """Set whether NNPACK may be used within the block."""
    with allow_nonbracketed_mutation():
        before = set_flags(enabled)
    try:
        yield
    finally:
        with allow_nonbracketed_mutation():
            set_flags(*before)
