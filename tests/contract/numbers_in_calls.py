"""What rows make of one number after another: ``python -m`` this, with the order."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import mindtorch

from ..samples import Maker, find
from .rows import NAMES, ROWS, error_text, forms, outcome, own_self, show

NUMBERS = (1, 0, -1, 2, -2, 0.5, -1.0, 1.0, 300, -300)


def variants(call: Any) -> Iterator[tuple[Any, Any, Any]]:
    """*call* with other numbers in the place of each of its numbers; the place, and the number."""
    order = NUMBERS if sys.argv[1:] == ["forward"] else NUMBERS[::-1]
    for at, value in [*enumerate(call.args), *call.kwargs.items()]:
        for number in order if type(value) in (int, float) else ():
            if type(number) is type(value) and isinstance(at, int):
                args = (*call.args[:at], number, *call.args[at + 1 :])
                yield at, number, call._replace(args=args)
            elif type(number) is type(value):
                yield at, number, call._replace(kwargs={**call.kwargs, at: number})


def main() -> None:
    """Print each call and the looks of its result, or its error."""
    warnings.simplefilter("ignore")
    found = {}
    for name in NAMES:
        row = ROWS[name]
        generator = find(row.samples)
        if "Scalar" not in row.schema or row.random or generator is None:
            continue
        run = forms(row)[0].ours
        for dtype in ("float32", "uint8"):
            call = next(generator(Maker(mindtorch, dtype)), None)
            for at, number, other in variants(call) if call is not None else ():
                told = outcome(run, own_self(row, other))
                text = show(told.value) if told.error is None else error_text(told.error)
                found[f"{name} of {dtype} with {number} for argument {at}"] = text
    print(json.dumps(found))


if __name__ == "__main__":
    main()
