"""Forward mode inside of forward mode: every row's tangents of tangents are the oracle's."""

from __future__ import annotations

import importlib

import pytest
from mindtorch.call.row import ROWS

from .forward_mode import warm_up
from .known import check_all_differ, expected
from .rows import (
    NAMES,
    compare,
    cotangent,
    forms,
    mapped,
    outcome,
    report,
    samples,
    tensors_in,
)
from .test_rows_gradient import home_of

warm_up()

ROWS_WITH_GRADIENT = [n for n in NAMES if ROWS[n].grad and any(ROWS[n].grad.values())]


def twice(function, call, seed):
    """Outcome whose value is the derivative along the same direction, taken twice."""
    found = tensors_in(call)
    home = importlib.import_module(home_of(found[0]).__name__ if found else "torch")
    wanting = [t for t in found if t.requires_grad]
    points = tuple([t.detach() for t in wanting])
    directions = tuple([cotangent(t.detach(), i + 1) for i, t in enumerate(wanting)])

    def of_points(*given):
        put = {id(t): g for t, g in zip(wanting, given, strict=True)}
        made = mapped(call, lambda t: put.get(id(t), t))
        results = tensors_in(function(*made.args, **made.kwargs))
        return tuple([t for t in results if t.is_floating_point() or t.is_complex()])

    def along(f):
        return lambda *given: home.func.jvp(f, given, directions)[1]

    return outcome(
        lambda: along(along(of_points))(*points), call._replace(args=(), kwargs={}), seed=seed
    )


@pytest.mark.parametrize("part", range(20))
def test_tangents_of_tangents_are_the_oracles(part):
    """What an inner level computes of the tangents an outer level follows."""
    lines = []
    for name in ROWS_WITH_GRADIENT[part::20]:
        row = ROWS[name]
        lines += [f"{name} {line}" for line in expected("twice", name, compared(row))]
    report(lines)


def compared(row):
    """What differs, a line each."""
    form, lines = forms(row)[0], []
    for sample in samples(row, "float64", grad=True, most=1):
        theirs = twice(form.oracle, sample.oracle, row.random)
        if theirs.error is not None:
            continue  # a formula of the oracle's that changes tangents in place, which jvp refuses
        mine = twice(form.ours, sample.ours, row.random)
        found = compare(mine, theirs, tolerance=(1e-6, 1e-8), warnings=False, strides=False)
        lines += [f"{sample!r}: {d}" for d in found if "requires_grad" not in d]
    return lines


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
