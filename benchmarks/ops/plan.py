"""What is timed, as the processes that time it read it.

It imports no framework: a process that reads it has only the one that it asks for.
"""

from __future__ import annotations

from typing import NamedTuple

from .portable import Packed
from .statements import Way

__all__ = ["Case", "Op"]


class Case(NamedTuple):
    """One sample of an op."""

    call: Packed
    #: The same call whose floating operands require grad; None: nothing to differentiate.
    grad_call: Packed | None
    #: Which results get a gradient; empty: the result is a single tensor.
    results: tuple[int, ...]
    #: The call with other sizes, each once; empty where nothing can grow.
    shapes: tuple[Packed, ...]


class Op(NamedTuple):
    """A row with the calls that are timed, or why there are none."""

    name: str
    #: The module that defines the row, without its package.
    family: str
    dtype: str
    way: Way
    cases: tuple[Case, ...]
    missing: str = ""
