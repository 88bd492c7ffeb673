"""Op rows with large operands against torch, of each floating-point dtype: ``ops --large``.

The samples are those of the tiny calls, grown to a million numbers; a row's largest tensor has as
many. Both frameworks live in this one process and take turns.
"""

from __future__ import annotations

import gc
import importlib
import json
import resource
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .catalogue import calls_of, matches, results_of, runs, way_of
from .figures import BY_NAME, OpResult, quantiles
from .portable import Packed, grown, tensors, unpack
from .statements import Turn, Way, backward, forward

__all__ = ["measure", "render", "write_json"]

DTYPES = ("float32", "float16", "bfloat16", "float64")
#: Numbers of the largest operand, at least; a way to grow that leads to four times as many is none.
ELEMENTS = 1_000_000
#: Ways to grow by number, the most like a user's first: more samples, then larger ones.
_WAYS = (2, 3, 1, 4)
ROUNDS = 5
#: What takes longer in a single call, in nanoseconds, is not called again.
_LONG = 300_000_000
#: Bytes that the process may take: an op whose result grows with the square of its operands fails.
_MEMORY = 6 << 30
_COLUMNS = ("forward", "backward")


def large(call: Packed, way: int) -> Packed | None:
    """*call* grown that way until its largest tensor has enough numbers; None if it has not."""

    def count(grown_call: Packed) -> int:
        return max(t.memory.size for t in tensors(grown_call))

    first, second = grown(call, 1, way), grown(call, 2, way)
    if first is None or second is None or count(second) <= count(call):
        return None
    low, high = 1, 2
    while (found := grown(call, high, way)) is not None and count(found) < ELEMENTS:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        found = grown(call, middle, way)
        low, high = (low, middle) if found and count(found) >= ELEMENTS else (middle, high)
    found = grown(call, high, way)
    return found if found is not None and count(found) < 4 * ELEMENTS else None


def _large_call(torch: Any, way: Way, calls: Sequence[Packed]) -> Packed | None:
    """The first of *calls* that both frameworks take when it is large; mindtorch is asked first."""
    sides = (importlib.import_module("mindtorch"), torch)
    for call in calls:
        if not all(t.memory.size for t in tensors(call)):
            continue
        for number in _WAYS:
            found = large(call, number)
            if found is not None and all(runs(side, way, found) for side in sides):
                return found
    return None


def measure(
    rows: Sequence[Any], patterns: list[str], on_row: Callable[[], None]
) -> Iterator[OpResult]:
    """The figures of each row and dtype that can grow."""
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    ours = importlib.import_module("mindtorch")
    gc.disable()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    for row in rows:
        on_row()
        if not matches(row.name, row.base, patterns):
            continue
        way = way_of(torch, row)
        if way.kind == "overload" and row.base.startswith("_") or way.kind == "absent":
            continue
        for dtype in DTYPES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = _of_dtype(torch, ours, row, way, dtype)
            gc.collect()
            if found is not None:
                yield found


def _of_dtype(torch: Any, ours: Any, row: Any, way: Way, dtype: str) -> OpResult | None:
    pairs = [p for p in calls_of(torch, row, dtype) if any(t.dtype == dtype for t in tensors(p[0]))]
    call = _large_call(torch, way, [plain for plain, _ in pairs])
    if call is None:
        return None
    head = (f"{row.name} {dtype}", row.where[0], way.kind, dtype)
    times: dict[str, tuple[float, float]] = {}
    try:
        times["forward"] = _timed(ours, torch, way, call, None)
        graded = _large_call(torch, way, [with_grad for _, with_grad in pairs])
        results = None if graded is None else results_of(torch, row, way, graded)
        if graded is not None and results is not None:
            times["backward"] = _timed(ours, torch, way, graded, results)
    except Exception as error:
        text = str(error).partition("\n")[0]
        return OpResult(*head, times, missing=f"{type(error).__name__}: {text}")
    return OpResult(*head, times)


def _timed(
    ours: Any, torch: Any, way: Way, call: Packed, results: tuple[int, ...] | None
) -> tuple[float, float]:
    """The least nanoseconds of a call, of ours and of torch's."""
    turns: list[Turn] = []
    for side in (ours, torch):
        made = unpack(side, call)
        given = forward(side, way, made) if results is None else backward(side, way, made, results)
        turns.append(given)
    best = [float(turn(1)) for turn in turns]
    if max(best) > _LONG:
        return best[0], best[1]
    for number in range(ROUNDS):
        for which in (0, 1) if number % 2 else (1, 0):
            best[which] = min(best[which], float(turns[which](1)))
    return best[0], best[1]


def render(found: Sequence[OpResult], facts: dict[str, Any], top: int | None) -> None:
    """The slowest rows by each column, and quantiles by dtype."""
    from rich.console import Console

    from .table import amount_of, table_of

    console = Console(highlight=False)
    for name in _COLUMNS:
        column = BY_NAME[name]
        figures = [(op.figure(column), op) for op in found if op.figure(column) is not None]
        figures.sort(key=lambda pair: -(pair[0] or 0.0))
        table = table_of(f"ours ÷ torch, {column.title}", "ratio", "ours, ms", "torch, ms")
        for ratio, op in figures if top is None else figures[:top]:
            ms = [amount_of(t / 1e6) for t in op.times[name]]
            table.add_row(op.name, amount_of(ratio), *ms)
        console.print(table)
        table = table_of(column.title, "rows", "median", "p90", "worst")
        for dtype in DTYPES:
            ratios = [ratio or 0.0 for ratio, op in figures if op.dtype == dtype]
            if ratios:
                three = quantiles(ratios) or ()
                table.add_row(dtype, str(len(ratios)), *(amount_of(x) for x in three))
        console.print(table)
    for op in found:
        if op.missing:
            console.print(f"not timed: {op.name}: {op.missing}", markup=False)
    console.print(
        f"one thread, CPU time, least of {ROUNDS + 1} turns, operands of {ELEMENTS:,} numbers; "
        f"{facts['processor']}; torch {facts['torch']}, numpy {np.__version__}",
        markup=False,
    )


def write_json(path: Path, found: Sequence[OpResult], facts: dict[str, Any]) -> None:
    """All figures, for later comparison."""
    rows = [
        op._asdict() | {"figures": {name: op.figure(BY_NAME[name]) for name in _COLUMNS}}
        for op in found
    ]
    data = {"machine": facts, "elements": ELEMENTS, "rows": rows}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
