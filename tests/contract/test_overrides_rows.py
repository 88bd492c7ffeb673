"""What a function mode sees of every row's function and method: torch's name, types, keywords."""

from __future__ import annotations

import mindtorch
import mindtorch.overrides
import torch
import torch.overrides
from mindtorch.call.row import ROWS

from .batches import every
from .rows import NAMES, forms, is_internal, method_call, outcome, report, samples

#: Rows that differ, and why.
KNOWN: dict[str, str] = {}
#: Calls of one row: the first ones are the plainest.
CALLS = 2


def recorder(home):
    """A mode of one framework that writes down what it sees."""

    class Recorder(home.overrides.TorchFunctionMode):
        def __init__(self):
            super().__init__()
            self.seen = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            keywords = sorted(kwargs or {})  # C sees f(**{}) apart from f(), Python does not
            names = [t.__name__ for t in types]
            name = home.overrides.resolve_name(func)
            self.seen.append((name, func.__name__, names, len(args), keywords))
            return func(*args, **(kwargs or {}))

    return Recorder()


def seen(home, function, call):
    """What a mode sees of a call, and what came of it."""
    with recorder(home) as mode:
        result = outcome(function, call)
    return mode.seen, result


def compared(row):
    """The lines by which what is seen differs."""
    lines = []
    for form in forms(row):
        for sample in samples(row, most=CALLS):
            if form.name == "method" and not method_call(sample.oracle):
                continue
            theirs, result = seen(torch, form.oracle, sample.oracle)
            if result.error is not None:
                continue
            mine, own = seen(mindtorch, form.ours, sample.ours)
            if own.error is not None or mine != theirs:
                lines.append(f"{form.name} {sample!r}: ours {mine} {own.error}, torch {theirs}")
    return lines


@every("name", [n for n in NAMES if not is_internal(ROWS[n])])
def test_a_function_mode_sees_the_oracles_call(name):
    """Name, types and keywords, for the function and for the method."""
    lines = compared(ROWS[name])
    if name in KNOWN:
        assert lines, f"{name} no longer differs: take it off the list"
    else:
        report(lines)
