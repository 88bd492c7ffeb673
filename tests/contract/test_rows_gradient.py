"""Gradients: the oracle's numbers, its node names, and the same again for second order."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import every
from .bounds import GRADIENT
from .known import check_all_differ, expected
from .rows import (
    NAMES,
    compare,
    cotangent,
    error_text,
    forms,
    mapped,
    method_call,
    outcome,
    report,
    samples,
    show,
    tensors_in,
    writes_self,
)
from .test_rows_inplace import IN_PLACE, in_place_name, method

DTYPES = ("float64", "complex128")


def home_of(value):
    """The framework of a tensor."""
    return mindtorch if isinstance(value, mindtorch.Tensor) else torch


def differentiable(result):
    """The results to which a gradient can be given."""
    return [t for t in tensors_in(result) if t.requires_grad]


def leaves(call):
    """The arguments of which gradients are asked."""
    return [t for t in tensors_in(call) if t.requires_grad and t.is_leaf]


def gradients(results, inputs, *, create_graph=False, seed=0):
    """The gradients of *inputs* for deterministic gradients of *results*."""
    home = home_of(inputs[0])
    cotangents = [cotangent(r.detach(), seed + i) for i, r in enumerate(results)]
    return home.autograd.grad(
        results, inputs, cotangents, allow_unused=True, create_graph=create_graph
    )


def first(function, call, seed):
    """Outcome whose value holds the results' facts and the gradients."""

    def both(*args, **kwargs):
        result = function(*args, **kwargs)
        outs = differentiable(result)
        facts = [(t.requires_grad, t.is_leaf) for t in tensors_in(result)]
        inputs = leaves(call)
        grads = gradients(outs, inputs) if outs and inputs else ()
        return {"facts": facts, "grads": tuple(grads)}

    return outcome(both, call, seed=seed)


def second(function, call, seed):
    """Outcome whose value is the gradient of the gradient."""

    def both(*args, **kwargs):
        inputs = leaves(call)
        outs = differentiable(function(*args, **kwargs))
        if not outs or not inputs:
            return ()
        grads = [
            g
            for g in gradients(outs, inputs, create_graph=True)
            if g is not None and g.requires_grad
        ]
        return tuple(gradients(grads, inputs, seed=50)) if grads else ()

    return outcome(both, call, seed=seed)


def node_names(function, call, seed):
    """Outcome whose value is the name of each result's ``grad_fn``."""

    def both(*args, **kwargs):
        found = tensors_in(function(*args, **kwargs))
        return [None if t.grad_fn is None else t.grad_fn.name() for t in found]

    return outcome(both, call, seed=seed)


def compared(row, run, dtype, **options):
    """The lines by which *run* differs over the row's samples."""
    lines = []
    form = forms(row)[0]
    for sample in samples(row, dtype, grad=True):
        theirs = run(form.oracle, sample.oracle, row.random)
        mine = run(form.ours, sample.ours, row.random)
        lines += [f"{dtype} {sample!r}: {d}" for d in compare(mine, theirs, **options)]
    return lines


DIFFERENTIABLE = [n for n in NAMES if not writes_self(ROWS[n])]


@every("name", DIFFERENTIABLE)
@every("dtype", DTYPES)
def test_gradient_is_the_oracles(name, dtype):
    """Results require grad where torch's do, and every argument gets torch's gradient."""
    report(expected("gradient", name, compared(ROWS[name], first, dtype, tolerance=GRADIENT)))


@every("name", DIFFERENTIABLE)
def test_gradient_of_the_gradient_is_the_oracles(name):
    """Formulas are made of differentiable ops: second order needs no second formula."""
    report(
        expected("second order", name, compared(ROWS[name], second, "float64", tolerance=GRADIENT))
    )


@every("name", DIFFERENTIABLE)
def test_grad_fn_has_the_oracles_name(name):
    """``t.grad_fn.name()`` is torch's class of node, with its number."""
    report(expected("node", name, compared(ROWS[name], node_names, "float32")))


@every("name", IN_PLACE)
def test_gradient_goes_through_the_in_place_form(name):
    """After ``y.x_(...)`` on a non-leaf, gradients and the node's name are torch's."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))

    def run(self, *args, **kwargs):
        y = self * 1
        call_it(y, *args, **kwargs)
        return y

    for sample in samples(row, "float64", grad=True):
        if not method_call(sample.oracle):
            continue
        theirs = first(run, sample.oracle, row.random)
        if theirs.error is not None:
            continue
        mine = first(run, sample.ours, row.random)
        found = compare(mine, theirs, tolerance=GRADIENT)
        found = found or compare(
            node_names(run, sample.ours, row.random),
            node_names(run, sample.oracle, row.random),
            warnings=False,
        )
        lines += [f"{sample!r}: {d}" for d in found]
    report(expected("gradient", name, lines))


@every("name", DIFFERENTIABLE)
def test_nothing_is_recorded_without_grad_mode(name):
    """Under ``no_grad`` no result has a ``grad_fn``; one requires grad where the oracle's does."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample in samples(row, grad=True, most=3):
        with mindtorch.no_grad(), torch.no_grad():
            mine = outcome(form.ours, sample.ours, seed=row.random)
            theirs = outcome(form.oracle, sample.oracle, seed=row.random)
        if theirs.error is not None:
            continue
        inputs = {id(t) for t in tensors_in(sample.ours)}
        results = zip(tensors_in(mine.value), tensors_in(theirs.value), strict=True)
        for got, want in results:
            if id(got) in inputs:
                continue
            if got.grad_fn is not None or got.requires_grad != want.requires_grad:
                lines.append(f"{show(sample.oracle)}: {got.requires_grad} {got.grad_fn}")
    report(lines)


def requiring(call, which):
    """*call* with copies of its floating tensors, of which only the *which*-th requires grad."""
    count = iter(range(1000))

    def one(t):
        if not t.is_floating_point():
            return t
        return t.detach().clone().requires_grad_(next(count) == which)

    return mapped(call, one)


@pytest.mark.parametrize("part", range(10))
def test_an_argument_without_a_gradient_is_refused(part):
    """Where torch says that an argument may not require grad, so does mindtorch, in its words."""
    lines = []
    for name in NAMES[part::10]:
        row = ROWS[name]
        form = forms(row)[0]
        for sample in samples(row, "float64", most=1) if row.grad or row.composite else ():
            found = [t for t in tensors_in(sample.oracle) if t.is_floating_point()]
            for which in range(len(found)) if len(found) > 1 else ():
                theirs = outcome(form.oracle, requiring(sample.oracle, which), seed=row.random)
                mine = outcome(form.ours, requiring(sample.ours, which), seed=row.random)
                errors = [None if o.error is None else error_text(o.error) for o in (mine, theirs)]
                if errors[0] != errors[1] and "INTERNAL ASSERT" not in str(errors[1]):
                    lines.append(f"{name} {sample!r} {which}: {errors[0]}, torch {errors[1]}")
    report(lines)


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
