"""``torch.backends.miopen`` of a build without it: one switch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .switching import Remembered, allow_nonbracketed_mutation, install

__all__ = ["flags", "set_flags"]

immediate: bool
_IMMEDIATE = Remembered(False, "set_immediate_miopen")
install(__name__, {"immediate": _IMMEDIATE.prop()})


def set_flags(_immediate: bool | None = None) -> tuple[bool]:
    """Set the switch if it is given; returns what it was."""
    before = (bool(_IMMEDIATE.value),)
    if _immediate is not None:
        _IMMEDIATE.set(_immediate)
    return before


@contextmanager
def flags(immediate: bool = False) -> Iterator[None]:
    """Set the switch within the block."""
    with allow_nonbracketed_mutation():
        before = set_flags(immediate)
    try:
        yield
    finally:
        with allow_nonbracketed_mutation():
            set_flags(*before)
