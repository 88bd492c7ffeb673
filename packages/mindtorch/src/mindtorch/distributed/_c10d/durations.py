"""Lengths of time as torch's C++ takes them: a ``timedelta``, or seconds as a float."""

from __future__ import annotations

from datetime import timedelta

__all__ = ["Duration", "seconds_of", "timedelta_of"]

Duration = timedelta | float


def seconds_of(length: Duration) -> float:
    """*length* in seconds."""
    return length.total_seconds() if isinstance(length, timedelta) else length


def timedelta_of(length: Duration) -> timedelta:
    """*length* as a ``timedelta``."""
    return length if isinstance(length, timedelta) else timedelta(seconds=length)
