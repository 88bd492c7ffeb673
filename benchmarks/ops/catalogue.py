"""What is called: the rows, and of each its first samples that torch takes.

A sample whose operands are all 0-d stands back for one that has a size: it is the rarer call, and
has no other shape.

This is the one place that knows where rows and samples come from; all else sees plain data.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import PurePath
from typing import Any

from tests.contract.rows import DTYPES, NAMES, ROWS, Row, writes_self
from tests.samples import Call, Maker, find

from .plan import Case, Op
from .portable import Packed, Unportable, grown, pack, tensors, unpack
from .statements import Way, differentiable, function

__all__ = ["calls_of", "catalogue", "matches", "results_of", "rows_in_all", "runs", "way_of"]

#: Operands are tiny: what is measured is the way to the kernel.
_MOST_ELEMENTS = 4096
#: Samples that are looked at until enough of them are good.
_LOOKED_AT = 12
#: So many new shapes are timed.
NEW_SHAPES = 8

_HOMES = {
    "nn": "_C._nn",
    "linalg": "_C._linalg",
    "fft": "_C._fft",
    "special": "_C._special",
}


def catalogue(patterns: list[str], samples: int) -> Iterator[Op | None]:
    """The ops whose names match one of *patterns* (all, if there are none).

    None is given for a row that does not match, so that whoever waits sees progress.
    """
    torch = importlib.import_module("torch")
    for name in NAMES:
        row = ROWS[name]
        yield _op(torch, row, samples) if matches(row.name, row.base, patterns) else None


def matches(name: str, base: str, patterns: list[str]) -> bool:
    """A pattern names a row, an op with all its overloads, or has stars."""
    return not patterns or any(
        pattern in (name, base) or fnmatchcase(name, pattern) for pattern in patterns
    )


def rows_in_all() -> int:
    """How many rows there are."""
    return len(NAMES)


def _op(torch: Any, row: Row, samples: int) -> Op:
    family = PurePath(row.where[0]).stem
    way = way_of(torch, row)
    found = Op(row.name, family, "", way, ())
    if way.kind == "absent":
        return found._replace(missing="torch has no such function")
    generator = find(row.samples) if row.samples else None
    if generator is None:
        return found._replace(missing="the row has no samples")
    reasons = ["torch takes none of its samples"]
    for dtype in DTYPES:
        good = calls_of(torch, row, dtype, reasons)
        if good:
            cases = tuple(_case(torch, row, way, *calls) for calls in good[:samples])
            return found._replace(dtype=dtype, cases=cases)
    return found._replace(missing=reasons[-1])


def calls_of(
    torch: Any, row: Row, dtype: str, reasons: list[str] | None = None
) -> list[tuple[Packed, Packed]]:
    """Tiny calls of a row that torch takes, each also with operands that require grad.

    :param reasons: gets why calls are left out that cannot be written down.
    """
    generator = find(row.samples) if row.samples else None
    if generator is None:
        return []
    way = way_of(torch, row)
    calls = _made(generator, Maker(torch, dtype))
    grads = _made(generator, Maker(torch, dtype, grad=True))
    if len(grads) != len(calls):
        grads = calls
    good: list[tuple[Packed, Packed]] = []
    for call, with_grad in zip(calls, grads, strict=True):
        try:
            packed = Packed(pack(torch, call.args), pack(torch, call.kwargs))
            if runs(torch, way, packed) and _is_tiny(row, packed):
                both = Packed(pack(torch, with_grad.args), pack(torch, with_grad.kwargs))
                good.append((packed, both))
        except Unportable as error:
            if reasons is not None:
                reasons.append(str(error))
    good.sort(key=lambda calls: not any(t.sizes for t in tensors(calls[0])))
    return good


def _made(generator: Callable[[Maker], Iterator[Call]], make: Maker) -> list[Call]:
    """The first samples; none where the generator is not for this dtype."""
    try:
        return list(islice(generator(make), _LOOKED_AT))
    except (RuntimeError, TypeError, NotImplementedError, AttributeError):
        return []  # not for this dtype: others are tried, and the row says if none fits


def _is_tiny(row: Row, call: Packed) -> bool:
    """Few numbers; but some, unless that is what the row is about."""
    counts = [t.memory.size for t in tensors(call)]
    some = all(counts) or row.base.startswith("empty")
    return some and max(counts, default=0) <= _MOST_ELEMENTS


def _case(torch: Any, row: Row, way: Way, call: Packed, with_grad: Packed) -> Case:
    results = results_of(torch, row, way, with_grad)
    shapes = _new_shapes(torch, way, call)
    return Case(call, None if results is None else with_grad, results or (), shapes)


def runs(torch: Any, way: Way, call: Packed) -> bool:
    """Whether the framework takes the call."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = unpack(torch, call)
            function(torch, way)(*made.args, **made.kwargs)
        except Exception:
            return False
    return True


def results_of(torch: Any, row: Row, way: Way, call: Packed) -> tuple[int, ...] | None:
    """Which results can be differentiated, ``()`` for a single tensor; None: nothing can."""
    if writes_self(row) or not any(t.requires_grad for t in tensors(call)):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = unpack(torch, call)
            result = function(torch, way)(*made.args, **made.kwargs)
            found = differentiable(torch, result)
            if found is None:
                return None
            several = [result[i] for i in found] if found else [result]
            torch.autograd.backward(several, [torch.ones_like(r) for r in several])
        except Exception:
            return None
    return found


def _new_shapes(torch: Any, way: Way, call: Packed) -> tuple[Packed, ...]:
    """Calls that differ in sizes alone, by the first way of growing that both frameworks take.

    mindtorch is asked first: torch does not check every call whose sizes do not fit, and reads and
    writes beyond its memory then. None for what is torch's own affair, where that is the rule.
    """
    if way.kind == "overload" or way.name.startswith("_"):
        return ()
    sides = (importlib.import_module("mindtorch"), torch)
    number = 0
    while grown(call, 1, number) is not None:
        calls = [grown(call, step, number) for step in range(1, NEW_SHAPES + 1)]
        found = tuple(c for c in calls if c is not None)
        before = [t.sizes for t in tensors(call)]
        changed = all([t.sizes for t in tensors(c)] != before for c in found)
        changed = changed and max(t.memory.size for t in tensors(found[-1])) <= _MOST_ELEMENTS
        # The largest says for all of them: the others are tried where they are timed.
        ends = (found[0], found[-1]) if found else ()
        if changed and ends and all(runs(side, way, call) for call in ends for side in sides):
            return found
        number += 1
    return ()


def way_of(torch: Any, row: Row) -> Way:
    """How a user reaches the row: as a function, else as a method, else by its overload."""
    home = _HOMES.get(row.module, "")
    if "function" in row.variants:
        where = torch
        for part in home.split(".") if home else []:
            where = getattr(where, part)
        if hasattr(where, row.base):
            return Way("function", home, row.base)
    if "method" in row.variants and hasattr(torch.Tensor, row.base):
        return Way("method", "", row.base)
    packet = getattr(torch.ops.aten, row.base, None)
    overload = row.overload or "default"
    if packet is not None and hasattr(packet, overload):
        return Way("overload", row.base, overload)
    return Way("absent", "", row.base)
