"""The frames in C++ around a call: there are none here."""

from __future__ import annotations


def get_cpp_backtrace(frames_to_skip: int = 0, maximum_number_of_frames: int = 64) -> str:
    """The frames in C++ as text: nothing, for all is Python."""
    return ""
