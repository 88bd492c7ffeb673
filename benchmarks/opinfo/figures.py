"""What is counted of each operator, and the shares that should be reached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["COLUMNS", "Column", "Count", "Difference", "OpResult", "misses", "shares"]


class Column(NamedTuple):
    """One way to look at an operator."""

    name: str
    title: str
    says: str
    wanted: float


COLUMNS = (
    Column("forward", "forward", "numbers, dtype and shape of the result", 0.95),
    Column("layout", "layout", "strides of the result", 0.95),
    Column("backward", "backward", "gradients of the operands", 0.95),
    Column("tangent", "forward mode", "tangents of the result", 0.95),
    Column("meta", "meta", "dtype, shape and strides on the meta device", 0.95),
    Column("errors", "errors", "type and text of the error of a wrong call", 0.95),
)
#: The share of operators that should be there.
WANTED_PRESENT = 0.97


class Count(NamedTuple):
    """Cases that are as in torch, of all that torch answers."""

    exact: int
    cases: int


class Difference(NamedTuple):
    """A case that is not as in torch."""

    column: str
    dtype: str
    case: str
    text: str


class OpResult(NamedTuple):
    """What was counted of one operator."""

    name: str
    #: ``"present"``, ``"absent"`` or ``"not here"``: torch itself has no kernel for the host.
    state: str
    #: By column.
    counts: dict[str, Count]
    differences: tuple[Difference, ...] = ()
    seconds: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether every case is as in torch."""
        return all(count.exact == count.cases for count in self.counts.values())


class Tally:
    """Counts while an operator is looked at."""

    def __init__(self) -> None:
        self._exact: dict[str, int] = defaultdict(int)
        self._cases: dict[str, int] = defaultdict(int)
        self.differences: list[Difference] = []

    def add(self, column: str, dtype: str, case: str, text: str) -> None:
        """One case: *text* says what differs, empty if nothing does."""
        self._cases[column] += 1
        if text:
            self.differences.append(Difference(column, dtype, case, text))
        else:
            self._exact[column] += 1

    def counts(self) -> dict[str, Count]:
        """What was counted, by column."""
        return {name: Count(self._exact[name], cases) for name, cases in self._cases.items()}


def shares(ops: Sequence[OpResult]) -> dict[str, dict[str, Any]]:
    """Of ``present`` and every column: how many of how many, and the share that is wanted."""
    here = [op for op in ops if op.state != "not here"]
    found = {"present": _share(sum(op.state == "present" for op in here), len(here))}
    found["present"]["wanted"] = WANTED_PRESENT
    for column in COLUMNS:
        counts = [op.counts[column.name] for op in here if column.name in op.counts]
        found[column.name] = _share(sum(c.exact for c in counts), sum(c.cases for c in counts))
        found[column.name]["ops"] = len(counts)
        found[column.name]["exact_ops"] = sum(c.exact == c.cases for c in counts)
        found[column.name]["wanted"] = column.wanted
    return found


def _share(exact: int, cases: int) -> dict[str, Any]:
    return {"exact": exact, "cases": cases, "share": exact / cases if cases else None}


def misses(ops: Sequence[OpResult]) -> list[str]:
    """Every share that is not reached, in words."""
    return [
        f"{name}: {found['share']:.1%} of {found['cases']}, wanted {found['wanted']:.0%}"
        for name, found in shares(ops).items()
        if found["share"] is not None and found["share"] < found["wanted"]
    ]
