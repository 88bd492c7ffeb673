"""``x_``: the same numbers, in the memory of the first argument, and one version later."""

from __future__ import annotations

from mindtorch.call.row import ROWS

from .batches import every
from .bounds import bound
from .known import expected
from .rows import (
    NAMES,
    Sample,
    compare,
    derived,
    mapped,
    method_call,
    outcome,
    report,
    samples,
    tensors_in,
    writes_self,
)

IN_PLACE = [n for n in NAMES if ROWS[n].inplace or writes_self(ROWS[n])]


def in_place_name(row):
    """The method that changes its first argument."""
    return row.base if writes_self(row) else row.base + "_"


def calls(row, dtype):
    """Samples whose first argument is a tensor; it is cloned, since samples share tensors."""
    for sample in samples(row, dtype):
        if method_call(sample.oracle):
            yield Sample(sample.number, *[_own_self(c) for c in (sample.ours, sample.oracle)])


def _own_self(call):
    return call._replace(args=(call.args[0].clone(), *call.args[1:]))


def method(name):
    """The method as a function."""
    return lambda self, *args, **kwargs: getattr(self, name)(*args, **kwargs)


@every("name", IN_PLACE)
@every("dtype", ["float32", "int64", "bool", "complex64", "bfloat16"])
def test_in_place_form_writes_the_oracles_numbers(name, dtype):
    """``t.x_(...)`` gives the oracle's numbers, or refuses shapes and dtypes in its words."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))
    for sample in calls(row, dtype):
        theirs = outcome(call_it, sample.oracle, seed=row.random)
        mine = outcome(call_it, sample.ours, seed=row.random)
        found = compare(mine, theirs, tolerance=bound(row, dtype))
        lines += [f"{sample!r}: {d}" for d in found]
    report(expected("inplace", name, lines))


@every("name", IN_PLACE)
def test_in_place_form_returns_the_tensor_itself_one_version_later(name):
    """``t.x_(...) is t``; its version and that of its views rise as in torch."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))
    for sample in calls(row, "float32"):
        window = sample.ours.args[0].view_as(sample.ours.args[0])
        theirs = outcome(call_it, sample.oracle, seed=row.random)
        mine = outcome(call_it, sample.ours, seed=row.random)
        if theirs.error is not None or mine.error is not None:
            continue
        versions = (sample.ours.args[0]._version, window._version)
        want = sample.oracle.args[0]._version
        if mine.value is not sample.ours.args[0]:
            lines.append(f"{sample!r}: returned another tensor")
        if versions != (want, want):
            lines.append(f"{sample!r}: versions {versions} of it and a view, torch has {want}")
    report(expected("inplace", name, lines))


@every("name", IN_PLACE)
def test_in_place_form_leaves_the_other_arguments_alone(name):
    """Only the first argument is written."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))
    for before, sample in zip(calls(row, "float32"), calls(row, "float32"), strict=True):
        outcome(call_it, sample.ours, seed=row.random)
        others = zip(
            tensors_in(before.ours._replace(args=before.ours.args[1:])),
            tensors_in(sample.ours._replace(args=sample.ours.args[1:])),
            strict=True,
        )
        lines += [f"{sample!r}: an argument changed" for a, b in others if repr(a) != repr(b)]
    report(lines)


@every("name", IN_PLACE)
def test_in_place_form_of_a_leaf_that_requires_grad_is_refused(name):
    """A leaf that requires grad is not changed in place, and its views are not either."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))
    for change in (lambda t: t.requires_grad_(), lambda t: t.requires_grad_().view_as(t)):
        for sample in list(calls(row, "float32"))[:2]:
            pair = []
            for call in (sample.ours, sample.oracle):
                pair.append(call._replace(args=(change(call.args[0].detach()), *call.args[1:])))
            mine, theirs = outcome(call_it, pair[0]), outcome(call_it, pair[1])
            if theirs.error is not None or mine.error is not None:
                lines += [f"{sample!r}: {d}" for d in compare(mine, theirs)]
    report(expected("inplace", name, lines))


@every("name", [n for n in IN_PLACE if derived(ROWS[n], "inplace")])
def test_in_place_form_writes_through_a_view(name):
    """Written through a transposed view, the base shows the numbers where torch has them."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))
    for sample in calls(row, "float32"):
        if sample.oracle.args[0].dim() < 2:
            continue
        bases, pair = [], []
        for call in (sample.ours, sample.oracle):
            base = call.args[0].transpose(0, 1).contiguous()
            bases.append(base)
            pair.append(call._replace(args=(base.transpose(0, 1), *call.args[1:])))
        mine = outcome(call_it, pair[0], seed=row.random)
        theirs = outcome(call_it, pair[1], seed=row.random)
        if theirs.error is not None:
            continue
        found = compare(mine, theirs, tolerance=bound(row, "float32"))
        if not found:
            found = compare(
                mine._replace(value=bases[0]),
                theirs._replace(value=bases[1]),
                tolerance=bound(row, "float32"),
            )
        lines += [f"{sample!r}: {d}" for d in found]
    report(expected("inplace", name, lines))


def test_the_maps_of_calls_reach_every_tensor():
    """The machinery that clones and moves arguments sees lists, tuples and keywords."""
    sample = next(iter(samples(ROWS["cat"])))
    assert len(tensors_in(sample.ours)) == len(sample.ours.args[0])
    moved = mapped(sample.ours, lambda t: t.to("meta"))
    assert {t.device.type for t in tensors_in(moved)} == {"meta"}
