"""Which devices the environment lets a process see."""

from __future__ import annotations

import os

from mindtorch_storage.device import ACCELERATOR_IS_CUDA

__all__ = ["VARIABLE", "parse_visible_devices", "visible_count"]

#: The variable of the runtime, Ascend's or CUDA's, by what the accelerator is called.
VARIABLE = "CUDA_VISIBLE_DEVICES" if ACCELERATOR_IS_CUDA else "ASCEND_RT_VISIBLE_DEVICES"


def _leading_number(text: str) -> int:
    """As C's strtoul: what follows the digits is ignored; -1 where there is no number."""
    end = 0
    for i, char in enumerate(text):
        if not (char.isdigit() or (i == 0 and char in "+-")):
            break
        end = i + 1
    try:
        return int(text[:end])
    except ValueError:
        return -1


def parse_visible_devices() -> list[int]:
    """The indexes that the variable lists, up to the first that is none.

    Without the variable all of 64; a repeated index makes the list empty.
    Source: torch cuda/__init__.py, _parse_visible_devices.
    """
    text = os.getenv(VARIABLE)
    if text is None:
        return list(range(64))
    found: list[int] = []
    for part in text.split(","):
        number = _leading_number(part.strip())
        if number in found:
            return []
        if number < 0:
            break
        found.append(number)
    return found


def visible_count(there: int) -> int:
    """How many of *there* devices the process sees; as on hardware a wrong index ends the list."""
    count = 0
    for number in parse_visible_devices():
        if number >= there:
            break
        count += 1
    return count
