"""``out=``: written, resized, cast or refused as the oracle does it."""

from __future__ import annotations

from functools import lru_cache

import mindtorch
import pytest
import torch
from mindtorch.backends.overlap import iterates
from mindtorch.call.row import ROWS

from .batches import every
from .bounds import bound
from .known import ORACLE_DIES, check_all_differ, expected
from .rows import NAMES, compare, forms, outcome, report, samples, show

WITH_OUT = [n for n in NAMES if ROWS[n].out and "function" in ROWS[n].variants]


def fresh(home, results, change):
    """``out`` tensors, one for each result, of which *change* gives shape and dtype."""
    made = [change(home, r) for r in results]
    return made[0] if len(made) == 1 else tuple(made)


def empty(home, result):
    """No elements: resized in silence."""
    return home.empty(0, dtype=dtype_of(home, result))


def fitting(home, result):
    """The right shape: written as it is."""
    return home.zeros(tuple(result.shape), dtype=dtype_of(home, result))


def larger(home, result):
    """Another shape, with elements: resized with a warning."""
    return home.zeros((3, *result.shape, 2), dtype=dtype_of(home, result))


def strided(home, result):
    """The right shape, its memory in reverse order of the dimensions: strides stay."""
    n = result.dim()
    order = tuple(reversed(range(n)))
    shape = tuple(reversed(tuple(result.shape)))
    return home.zeros(shape, dtype=dtype_of(home, result)).permute(order)


def as_int(home, result):
    """Floats are not written to integers."""
    return home.zeros(tuple(result.shape), dtype=home.int64)


def as_float(home, result):
    """Most dtypes are written to double."""
    return home.zeros(tuple(result.shape), dtype=home.float64)


def as_bool(home, result):
    """Numbers are not written to bool."""
    return home.zeros(tuple(result.shape), dtype=home.bool)


def larger_int(home, result):
    """Another shape, and a dtype that is often refused: torch may resize it all the same."""
    return home.zeros((3, *result.shape, 2), dtype=home.int64)


def larger_complex(home, result):
    """Another shape, and a dtype that most results are written to."""
    return home.zeros((3, *result.shape, 2), dtype=home.complex64)


def on_meta(home, result):
    """A target on another device."""
    return home.zeros(tuple(result.shape), dtype=dtype_of(home, result), device="meta")


def requiring_grad(home, result):
    """A target that requires grad."""
    t = fitting(home, result)
    return t.requires_grad_() if t.is_floating_point() else t


def dtype_of(home, result):
    """The result's dtype in a framework."""
    return getattr(home, str(result.dtype).removeprefix("torch."))


TARGETS = [empty, fitting, larger, strided, as_int, as_float, as_bool, on_meta, requiring_grad]
#: What resizes a target before it refuses its dtype, or refuses first, or takes it by way of parts.
RESIZING = "mean.dim soft_margin_loss std.correction std.dim var.correction var.dim".split()


@every("name", WITH_OUT)
@every("target", TARGETS)
def test_out_is_written_as_the_oracle_writes_it(name, target):
    """The same numbers, strides and warnings for each kind of target, or the same refusal."""
    if (name, target.__name__) in ORACLE_DIES:
        pytest.skip("the oracle dies of it")
    report(expected("out", name, written_otherwise(name, target)))


@every("name", RESIZING)
@every("target", [larger_int, larger_complex])
def test_out_of_another_shape_and_dtype_warns_of_what_is_done_before_a_refusal(name, target):
    report(expected("out", name, written_otherwise(name, target)))


@lru_cache(1)  # each kind of target asks
def with_results(name):
    """The samples of a row that name no target and no dtype, and what the oracle gives of each."""
    row, found = ROWS[name], []
    form = forms(row)[0]
    for sample in samples(row) + samples(row, "int64", most=4) + samples(row, "complex64", most=2):
        if "out" in sample.oracle.kwargs or "dtype" in sample.oracle.kwargs:
            continue
        plain = outcome(form.oracle, sample.oracle, seed=row.random)
        if plain.error is None:
            several = isinstance(plain.value, (tuple, list))
            found.append((sample, tuple(plain.value) if several else (plain.value,)))
    return found


def written_otherwise(name, target):
    """What differs between the frameworks where each sample of a row writes to *target*."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample, results in with_results(name):
        pair, targets = [], []
        for home, call in ((mindtorch, sample.ours), (torch, sample.oracle)):
            out = fresh(home, results, target)
            targets.append(out)
            pair.append(call._replace(kwargs={**call.kwargs, "out": out}))
        theirs = outcome(form.oracle, pair[1], seed=row.random)
        if theirs.error is not None and "invalid combination" in str(theirs.error):
            continue  # no out= in torch for this overload; its text is tested with wrong calls
        mine = outcome(form.ours, pair[0], seed=row.random)
        if target is on_meta and theirs.error is None and mine.error is not None:
            continue  # some of torch's meta functions do not look at devices; ours refuse
        options = {"tolerance": bound(row, str(results[0].dtype).removeprefix("torch."))}
        found = compare(mine, theirs, **options)
        if not found and theirs.error is None:
            given = targets[0] if isinstance(targets[0], tuple) else (targets[0],)
            got = mine.value if isinstance(mine.value, tuple) else (mine.value,)
            if not all(a is b for a, b in zip(given, got, strict=True)):
                found.append("returned other tensors than out")
            elif (
                given[0]._version
                != (targets[1][0] if isinstance(targets[1], tuple) else targets[1])._version
            ):
                found.append(f"version {given[0]._version}")
        lines += [f"{show(pair[1])}: {d}" for d in found]
    return lines


@every("name", [n for n in WITH_OUT if iterates(ROWS[n])])
def test_a_target_that_is_an_operand_keeps_its_shape(name):
    """Elementwise ops resize no operand: one of another shape is refused, others are written."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample in samples(row):
        if "out" in sample.oracle.kwargs:
            continue
        plain = outcome(form.oracle, sample.oracle, seed=row.random)
        if plain.error is not None or isinstance(plain.value, (tuple, list)):
            continue
        for i, given in enumerate(sample.oracle.args):
            if not isinstance(given, torch.Tensor) or given.dtype != plain.value.dtype:
                continue
            found = []
            for home, call in ((mindtorch, sample.ours), (torch, sample.oracle)):
                args = [a.clone() if isinstance(a, home.Tensor) else a for a in call.args]
                call = call._replace(args=tuple(args), kwargs={**call.kwargs, "out": args[i]})
                found.append(outcome(form.ours if home is mindtorch else form.oracle, call))
            bounds = {"tolerance": bound(row, str(given.dtype).removeprefix("torch."))}
            lines += [f"{i} of {show(sample.oracle)}: {d}" for d in compare(*found, **bounds)]
    report(expected("out", name, lines))


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
