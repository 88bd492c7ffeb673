"""Counts of instructions, and why there are none here."""

from __future__ import annotations

import dataclasses
import itertools
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .. import common

__all__ = ["CallgrindStats", "CopyIfCallgrind", "FunctionCount", "FunctionCounts"]


class FunctionCount(NamedTuple):
    """How many instructions a function ran."""

    count: int  # type: ignore[assignment]  # torch's name for it
    function: str


FunctionCount.__new__.__doc__ = None


@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class FunctionCounts:
    """Counts of functions, which may be filtered, renamed, added and subtracted."""

    _data: tuple[FunctionCount, ...]
    inclusive: bool
    truncate_rows: bool = True
    _linewidth: int | None = None

    def __iter__(self) -> Iterator[FunctionCount]:
        yield from self._data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, item: Any) -> Any:
        data = self._data[item]
        if isinstance(data, tuple) and not isinstance(data, FunctionCount):
            return FunctionCounts(data, self.inclusive, truncate_rows=False)
        return data

    def __repr__(self) -> str:
        digits = max([len(str(c)) for c, _ in self], default=0)
        width = max(self._linewidth or 0, digits + 40)
        lines = [f"  {count:>{digits}}  {name}"[:width] for count, name in self]
        if self.truncate_rows and len(lines) > 18:
            lines = [*lines[:9], "...".rjust(digits + 2), *lines[-9:]]
        head = super().__repr__()
        if not self.inclusive:
            lines += ["", f"Total: {self.sum()}"]
        return "\n".join([head, *lines])

    def __add__(self, other: FunctionCounts) -> FunctionCounts:
        return self._merge(other, lambda c: c)

    def __sub__(self, other: FunctionCounts) -> FunctionCounts:
        return self._merge(other, operator_negative)

    def __mul__(self, other: float) -> FunctionCounts:
        return self._from_dict({fn: int(c * other) for c, fn in self._data}, self.inclusive)

    def transform(self, map_fn: Callable[[str], str]) -> FunctionCounts:
        """Rename functions; counts of the same name are added."""
        counts: defaultdict[str, int] = defaultdict(int)
        for count, function in self._data:
            counts[map_fn(function)] += count
        return self._from_dict(counts, self.inclusive)

    def filter(self, filter_fn: Callable[[str], bool]) -> FunctionCounts:
        """Keep functions."""
        return FunctionCounts(tuple(i for i in self if filter_fn(i.function)), self.inclusive)

    def sum(self) -> int:
        """All counts together."""
        return sum(c for c, _ in self)

    def denoise(self) -> FunctionCounts:
        """Without what Python itself does with dictionaries."""
        return self.filter(lambda fn: "dictobject.c:lookdict_unicode" not in fn)

    def _merge(self, second: Any, merge_fn: Callable[[int], int]) -> FunctionCounts:
        if self.inclusive != second.inclusive:
            raise AssertionError("Cannot merge inclusive and exclusive counts.")
        counts: defaultdict[str, int] = defaultdict(int)
        signed = ((merge_fn(count), function) for count, function in second)
        for count, function in itertools.chain(self, signed):
            counts[function] += count
        return self._from_dict(counts, self.inclusive)

    @staticmethod
    def _from_dict(counts: dict[str, int], inclusive: bool) -> FunctionCounts:
        flat = (FunctionCount(c, fn) for fn, c in counts.items() if c)
        return FunctionCounts(tuple(sorted(flat, reverse=True)), inclusive)


def operator_negative(count: int) -> int:
    """The opposite."""
    return -count


@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class CallgrindStats:
    """What Valgrind counted for one task."""

    task_spec: common.TaskSpec
    number_per_run: int
    built_with_debug_symbols: bool
    baseline_inclusive_stats: FunctionCounts
    baseline_exclusive_stats: FunctionCounts
    stmt_inclusive_stats: FunctionCounts
    stmt_exclusive_stats: FunctionCounts
    stmt_callgrind_out: str | None

    def stats(self, inclusive: bool = False) -> FunctionCounts:
        """The counts of functions, without what they call or with it."""
        return self.stmt_inclusive_stats if inclusive else self.stmt_exclusive_stats

    def counts(self, *, denoise: bool = False) -> int:
        """How many instructions there were."""
        stats = self.stmt_exclusive_stats
        return (stats.denoise() if denoise else stats).sum()

    def delta(self, other: CallgrindStats, inclusive: bool = False) -> FunctionCounts:
        """By how much two differ."""
        return self.stats(inclusive=inclusive) - other.stats(inclusive=inclusive)


class CopyIfCallgrind:
    """A value of ``globals`` that Valgrind's process gets too.

    :param setup: what is to run there before it is unpacked.
    """

    def __init__(self, value: Any, *, setup: str | None = None) -> None:
        self._value = value
        self._setup = setup

    @property
    def value(self) -> Any:
        """The value."""
        return self._value

    @property
    def setup(self) -> str | None:
        """What runs before."""
        return self._setup

    @staticmethod
    def unwrap_all(globals: dict[str, Any]) -> dict[str, Any]:
        """The values themselves."""
        return {k: v.value if isinstance(v, CopyIfCallgrind) else v for k, v in globals.items()}


class _ValgrindWrapper:
    def collect_callgrind(self, **task: Any) -> Any:
        """Refuse, and say what is missing."""
        tools = ("valgrind", "callgrind_control", "callgrind_annotate")
        missing = [tool for tool in tools if shutil.which(tool) is None]
        if missing:
            raise OSError(f"Missing: {', '.join(missing)}")
        raise OSError(
            "Valgrind cannot switch its counting on and off here: that needs torch's C++ bindings."
        )


_wrapper: _ValgrindWrapper | None = None


def wrapper_singleton() -> _ValgrindWrapper:
    """Who would run Valgrind."""
    global _wrapper
    if _wrapper is None:
        _wrapper = _ValgrindWrapper()
    return _wrapper
