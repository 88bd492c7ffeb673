"""A tensor as torch's C++ code prints it, which a few of its messages do.

Source: torch aten/src/ATen/core/Formatting.cpp, print.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import float64

from ..core.dims import type_string

__all__ = ["cxx_text"]

_WIDTH = 80


def cxx_text(t: Any) -> str:
    """*t*, of two dims or more: its matrices one by one, then its type and sizes."""
    sizes = ",".join(map(str, t.shape))
    last = f"[ {type_string(t)}{{{sizes}}} ]"
    if not t.numel():
        return last
    numbers = t.detach().cpu().to(float64).resolve_conj().numpy()
    if numbers.ndim == 2:
        return _matrix(numbers, 0) + last
    parts = [
        f"({','.join(str(i + 1) for i in place)},.,.) = \n" + _matrix(numbers[place], 1)
        for place in _places(numbers.shape[:-2])
    ]
    return "\n".join(parts) + last


def _places(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every index into *shape*, the first dim fastest."""
    for reverse in np.ndindex(*reversed(shape)):
        yield tuple(reversed(reverse))


def _matrix(numbers: Any, indent: int) -> str:
    """Rows of numbers, in several blocks of columns where a line is too short."""
    scale, width, form = _format(numbers)
    columns = (_WIDTH - indent) // (width + 1)
    count = numbers.shape[1]
    margin = " " * indent
    text = ""
    for begin in range(0, count, columns):
        end = min(begin + columns, count)
        if columns < count:
            text += "\n" if begin else ""
            text += f"Columns {begin + 1} to {end}{margin}"
        if scale != 1:
            text += f"{_short(scale)} *\n{margin}"
        rows = [
            " ".join(f"{x / scale:{form}}".rjust(width) for x in row)
            for row in numbers[:, begin:end].tolist()
        ]
        text += f"\n{margin}{' ' if scale != 1 else ''}".join(rows) + "\n"
    return text


def _format(numbers: Any) -> tuple[float, int, str]:
    """What the numbers are divided by, the width of each, and its format."""
    finite = np.abs(numbers[np.isfinite(numbers)])
    whole = bool((finite == np.floor(finite)).all())
    least, most = (
        (_digits(float(finite.min())), _digits(float(finite.max()))) if finite.size else (1, 1)
    )
    if whole:
        return (1.0, 11, ".4e") if most > 9 else (1.0, most + 1, "g")
    if most - least > 4:
        return 1.0, 12 if abs(most) > 99 or abs(least) > 99 else 11, ".4e"
    if most > 5 or most < 0:
        return math.pow(10, most - 1), 7, ".4f"
    return 1.0, 7 if most == 0 else most + 6, ".4f"


def _digits(x: float) -> int:
    """How many digits stand before the point of *x*."""
    return math.floor(math.log10(x)) + 1 if x else 1


def _short(x: float) -> str:
    """The shortest text of a number, without a point where none is needed."""
    text = repr(x)
    return text.removesuffix(".0")
