"""``out=`` whose memory overlaps, with itself or with an operand, is refused where the oracle does.

What comes out where it is not refused is nobody's promise: operands change while they are read.
"""

from __future__ import annotations

from math import prod

import mindtorch
import torch
from mindtorch.call.row import ROWS

from .batches import every
from .known import ORACLE_DIES, check_all_differ, expected
from .rows import forms, outcome, report, samples, show
from .test_rows_out import WITH_OUT

#: Where the target begins in the memory of an operand of *n* elements.
PLACES = {"whole": lambda n: 0, "part": lambda n: 1, "end": lambda n: max(n - 1, 1)}


def dtype_of(home, result):
    """The result's dtype in a framework."""
    return getattr(home, str(result.dtype).removeprefix("torch."))


def results_of(row, form, sample):
    """The tensors that the oracle's functional form gives, or nothing."""
    if "out" in sample.oracle.kwargs:
        return ()
    plain = outcome(form.oracle, sample.oracle, seed=row.random)
    if plain.error is not None:
        return ()
    values = plain.value if isinstance(plain.value, (tuple, list)) else (plain.value,)
    return values if all(isinstance(v, torch.Tensor) for v in values) else ()


def refusal(found):
    """The text of an error; "" where there is none."""
    return "" if found.error is None else str(found.error).splitlines()[0]


@every("name", WITH_OUT)
def test_a_target_with_elements_in_one_place_is_refused_where_the_oracle_does(name):
    """Its rows are one row, seen several times."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample in samples(row, most=4):
        results = results_of(row, form, sample)
        if (name, "twice") in ORACLE_DIES or not results or not results[0].numel():
            continue
        shape = tuple(results[0].shape)
        if shape[:1] in ((), (1,)):
            continue
        found = []
        for home, call in ((mindtorch, sample.ours), (torch, sample.oracle)):
            made = [home.zeros(tuple(r.shape), dtype=dtype_of(home, r)) for r in results]
            made[0] = home.zeros((1, *shape[1:]), dtype=made[0].dtype).expand(shape)
            out = made[0] if len(made) == 1 else tuple(made)
            run = form.ours if home is mindtorch else form.oracle
            call = call._replace(kwargs={**call.kwargs, "out": out})
            found.append(refusal(outcome(run, call, seed=row.random)))
        if found[0] != found[1]:
            lines.append(f"{show(sample.oracle)}: {found[0]!r}, torch has {found[1]!r}")
    report(expected("in one place", name, lines))


@every("name", WITH_OUT)
@every("place", PLACES)
def test_a_target_in_the_memory_of_an_operand_is_refused_where_the_oracle_does(name, place):
    """All of it, part of it, or its last element."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample in samples(row, most=4):
        results = results_of(row, form, sample)
        if len(results) != 1 or not results[0].numel():
            continue
        shape = tuple(results[0].shape)
        for i, given in enumerate(sample.oracle.args):
            if not isinstance(given, torch.Tensor) or given.dtype != results[0].dtype:
                continue
            n = given.numel()
            if not n or place == "whole" and tuple(given.shape) != shape:
                continue
            found = []
            for home, call in ((mindtorch, sample.ours), (torch, sample.oracle)):
                memory = home.zeros(n + prod(shape) + 1, dtype=dtype_of(home, results[0]))
                args = [a.clone() if isinstance(a, home.Tensor) else a for a in call.args]
                args[i] = memory[:n].view(tuple(given.shape)).copy_(args[i])
                out = memory[PLACES[place](n) :][: prod(shape)].view(shape)
                run = form.ours if home is mindtorch else form.oracle
                call = call._replace(args=tuple(args), kwargs={**call.kwargs, "out": out})
                found.append(refusal(outcome(run, call, seed=row.random)))
            if found[0] != found[1]:
                lines.append(f"{i} of {show(sample.oracle)}: {found[0]!r}, torch has {found[1]!r}")
    report(expected("shared", name, lines))


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
