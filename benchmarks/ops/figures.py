"""What came of a run, as numbers: rows, columns, quantiles and the limits they should keep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

__all__ = ["COLUMNS", "Column", "OpResult", "Run", "quantiles", "summary"]


class Column(NamedTuple):
    """A figure that every row has, or may have."""

    name: str
    title: str
    #: Limits of median, 90th percentile and worst; None: none is set.
    wanted: tuple[float | None, float | None, float | None]
    #: ``"ratio"`` to torch, ``"µs"`` of ours, ``"more"``: µs beyond a single call of a known shape.
    kind: str = "ratio"
    #: Which measurement it is made of.
    of: str = ""


COLUMNS = (
    Column("forward", "forward", (1.2, 3.5, 20.0)),
    Column("backward", "forward + backward", (0.9, 1.6, None)),
    Column("first", "first call", (1.0, 1.0, 1.0)),
    Column("first_us", "first call, µs", (None, None, None), "µs", "first"),
    Column("shape", "new shape", (None, None, None)),
    Column("shape_us", "new shape, µs", (None, None, None), "µs", "shape"),
    Column("shape_more", "new shape, µs beyond known", (6.0, 6.0, 6.0), "more", "shape"),
)
BY_NAME = {column.name: column for column in COLUMNS}


class OpResult(NamedTuple):
    """A row's figures: nanoseconds of ours and of torch by measurement."""

    name: str
    family: str
    way: str
    dtype: str
    #: ``{"forward": (ours, torch), …}``: of several samples the geometric means.
    times: dict[str, tuple[float, float]]
    #: The same of each sample.
    samples: tuple[dict[str, tuple[float, float]], ...] = ()
    missing: str = ""

    def figure(self, column: Column) -> float | None:
        """The row's number in *column*, None where it has none."""
        pair = self.times.get(column.of or column.name)
        if pair is None:
            return None
        if column.kind == "ratio":
            return pair[0] / pair[1]
        if column.kind == "more":
            return (pair[0] - self.times["known"][0]) / 1e3
        return pair[0] / 1e3


class Run(NamedTuple):
    """What one checkout gave."""

    checkout: str
    commit: str
    ops: list[OpResult]
    cliffs: list[Any]

    def figures(self, column: Column) -> dict[str, float]:
        """Numbers of a column by row."""
        found = ((op.name, op.figure(column)) for op in self.ops)
        return {name: value for name, value in found if value is not None}


def quantiles(values: Iterable[float]) -> tuple[float, float, float] | None:
    """Median, 90th percentile and worst."""
    ordered = sorted(values)
    if not ordered:
        return None
    last = len(ordered) - 1
    return ordered[(last + 1) // 2], ordered[math.ceil(0.9 * last)], ordered[last]


def summary(run: Run) -> dict[str, dict[str, Any]]:
    """Quantiles of each column, beside what is wanted."""
    found: dict[str, dict[str, Any]] = {}
    for column in COLUMNS:
        values = run.figures(column)
        three = quantiles(values.values())
        if three is not None:
            found[column.name] = {
                "rows": len(values),
                **dict(zip(("median", "p90", "worst"), three, strict=True)),
                "wanted": column.wanted,
            }
    return found


def misses(run: Run) -> list[str]:
    """Every limit that is not kept, in words."""
    found = []
    for name, numbers in summary(run).items():
        for which, limit in zip(("median", "p90", "worst"), numbers["wanted"], strict=True):
            if limit is not None and numbers[which] > limit:
                title = BY_NAME[name].title
                found.append(f"{title}: {which} {numbers[which]:.2f}, wanted {limit:g}")
    for line in run.cliffs:
        if line.ratio is None:
            found.append(f"{line.name}: {line.missing}")
        elif line.ratio > line.first:
            found.append(f"{line.name}: {line.ratio:.2f}, wanted {line.first:g}")
    return found


def geometric(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """One pair for several: geometric means, so that the ratio is the mean of the ratios."""
    ours, theirs = zip(*pairs, strict=True)
    return _mean(ours), _mean(theirs)


def _mean(values: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(v, 1.0)) for v in values) / len(values))
