"""Where mindtorch is known to differ from the oracle, each with its reason.

An entry names the category, the row and a part of the line that the comparison prints. An entry
that matches nothing fails the test of its row: the list can only shrink.
"""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """One difference: *row* is a row's name, *says* a part of the line."""

    category: str
    row: str
    says: str
    reason: str


KNOWN: list[Known] = []

#: Rows whose numbers are whatever lay in memory: only dtype, shape and strides can be compared.
UNINITIALISED = frozenset(
    {
        "empty.memory_format",
        "empty_like",
        "empty_strided",
        "empty_permuted",
        "new_empty",
        "new_empty_strided",
    }
)

#: (row, kind of ``out=``) with which the oracle's process dies, so that nothing can be compared.
ORACLE_DIES = frozenset(
    {
        ("range.step", "as_int"),  # a step of 0.5 in int64 is 0, by which it divides
    }
)


def expected(category: str, row: str, lines: list[str]) -> list[str]:
    """The lines that no entry explains."""
    entries = [k for k in KNOWN if k.category == category and k.row in (row, "*")]
    if row in UNINITIALISED:
        lines = [line for line in lines if "elements differ" not in line]
    return [line for line in lines if not any(k.says in line for k in entries)]


def deadly(row: str, what: str) -> bool:
    """Whether the oracle's process dies of this call."""
    return (row, what) in ORACLE_DIES
