"""Every row's results: dtype, shape, strides and numbers are the oracle's, for every dtype."""

from __future__ import annotations

import pytest
from mindtorch.call.row import ROWS

from .batches import every
from .helpers import differences
from .known import check_all_differ, expected
from .rows import (
    DTYPES,
    NAMES,
    bound_of,
    compare,
    forms,
    is_view,
    method_call,
    outcome,
    report,
    samples,
    tensors_in,
    writes_self,
)


def differing(name, dtype, form_name):
    """One line per sample of which the result differs."""
    row = ROWS[name]
    lines = []
    for form in forms(row):
        if form.name not in form_name:
            continue
        for sample in samples(row, dtype):
            if form.name == "method" and not method_call(sample.oracle):
                continue
            theirs = outcome(form.oracle, sample.oracle, seed=row.random)
            if theirs.error is not None:
                continue  # wrong calls have tests of their own
            mine = outcome(form.ours, sample.ours, seed=row.random)
            found = compare(mine, theirs, tolerance=bound_of(row, dtype, theirs.value))
            lines += [f"{form.name}{sample!r}: {d}" for d in found]
    return lines


@every("name", NAMES)
@every("dtype", DTYPES)
def test_function_gives_the_oracles_result(name, dtype):
    """``torch.x(...)`` gives the oracle's dtype, shape, strides, requires_grad and numbers."""
    report(expected("value", name, differing(name, dtype, ("function", "overload"))))


@every("name", [n for n in NAMES if "method" in ROWS[n].variants])
def test_method_gives_the_oracles_result(name):
    """``t.x(...)`` gives the same as the oracle's method."""
    report(expected("value", name, differing(name, "float32", ("method",))))


@every("name", [n for n in NAMES if is_view(ROWS[n])])
def test_view_lies_where_the_oracles_lies(name):
    """A view shares its base's memory at the oracle's offset, and knows its base."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample in samples(row):
        theirs = outcome(form.oracle, sample.oracle)
        if theirs.error is not None:
            continue
        mine = outcome(form.ours, sample.ours)
        if mine.error is not None:
            lines.append(f"{sample!r}: raised {mine.error!r}")
            continue
        base, base_oracle = sample.ours.args[0], sample.oracle.args[0]
        for got, want in zip(tensors_in(mine.value), tensors_in(theirs.value), strict=True):
            shares = got.untyped_storage().data_ptr() == base.untyped_storage().data_ptr()
            shares_oracle = (
                want.untyped_storage().data_ptr() == base_oracle.untyped_storage().data_ptr()
            )
            if (got.storage_offset(), shares, got._is_view()) != (
                want.storage_offset(),
                shares_oracle,
                want._is_view(),
            ):
                lines.append(
                    f"{sample!r}: offset {got.storage_offset()}, shares {shares}, view "
                    f"{got._is_view()}; torch {want.storage_offset()}, {shares_oracle}, "
                    f"{want._is_view()}"
                )
    report(expected("view", name, lines))


@every("name", NAMES)
def test_arguments_stay_as_they_were(name):
    """A call changes none of its arguments, unless the oracle's does (running statistics)."""
    row, lines = ROWS[name], []
    if writes_self(row):
        pytest.skip("writes its first argument")
    form = forms(row)[0]
    for before, sample in zip(samples(row), samples(row), strict=True):
        if outcome(form.ours, sample.ours, seed=row.random).error is None:
            outcome(form.oracle, sample.oracle, seed=row.random)
            theirs = zip(tensors_in(before.oracle), tensors_in(sample.oracle), strict=True)
            written = [not _same(a, b) for a, b in theirs]
            pairs = zip(tensors_in(before.ours), tensors_in(sample.ours), written, strict=True)
            for was, now, may in pairs:
                if not may and (now._version or not _same(was, now)):
                    lines.append(f"{sample!r}: an argument changed")
    report(lines)


def _same(a, b):
    return a.shape == b.shape and not differences(a, b)


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
