"""A line of the benchmark: what is timed on both sides, and the ratio to reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Namespace = dict[str, Any]


class Line(NamedTuple):
    """One comparison of a statement.

    Statements are text, so that the timed loop around them adds no call. They see what *setup*
    returns, and ``torch``: mindtorch on our side.
    """

    name: str
    statement: str
    #: ``setup(torch)`` makes the names that the statements use.
    setup: Callable[[Any], Namespace]
    #: Ratios to reach, first and then (performance targets of the design); None: none set.
    first: float | None = None
    then: float | None = None
    #: Runs before each timed statement, without being timed.
    before: str = ""
    #: Our statement where it differs (deferred execution, which torch lacks).
    ours: str = ""
    #: An expression over the same names whose value must agree on both sides.
    check: str = ""
    #: How many units one statement does; times are shown per unit.
    units: int = 1


class Probe(NamedTuple):
    """A comparison of fresh processes: *code* prints one number on stdout.

    ``{torch}`` in the code stands for the module's name.
    """

    name: str
    code: str
    unit: str
    first: float | None = None
    then: float | None = None
    #: How often each side is started at most.
    starts: int = 9


class Result(NamedTuple):
    """What a line gave. ``missing`` says why there is no figure of ours."""

    name: str
    unit: str
    ours: float | None
    torch: float | None
    ratio: float | None
    first: float | None
    then: float | None
    missing: str = ""
