"""Gradients of every row for arguments that are laid out, shaped and shared in other ways.

One generator over rows: of a sample's call it makes further ones, in which the arguments that
require grad are transposed, gapped, expanded, without elements, of size one in a dim, or the same
tensor twice. Where torch takes such a call, the gradients must be torch's in value, dtype, shape
and strides, real and complex, for second order too; where torch's backward raises, so must ours.
"""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import every
from .bounds import GRADIENT
from .known import check_all_differ, deadly, expected
from .rows import (
    NAMES,
    compare,
    forms,
    mapped,
    outcome,
    report,
    samples,
    tensors_in,
    writes_self,
)
from .test_rows_gradient import differentiable, first, home_of, leaves, second

#: Samples of one row that are varied.
SAMPLES = 2


# -- one argument in another form ------------------------------------------------------------------


def laid_out(t, strides):
    """A leaf with the numbers of *t* and *strides*."""
    fresh = home_of(t).empty_strided(tuple(t.shape), strides, dtype=t.dtype)
    return fresh.copy_(t.detach()).requires_grad_(True)


def dense(shape):
    """The strides of contiguous memory."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return strides[::-1]


def transposed(t):
    """The first dim is the closest in memory."""
    return laid_out(t, dense(tuple(t.shape)[::-1])[::-1])


def gapped(t):
    """Every other number of the memory is unused."""
    return laid_out(t, [2 * step for step in dense(tuple(t.shape))])


def expanded(t):
    """All along the first dim are one number in memory."""
    if not t.dim() or not t.shape[0]:
        return t
    return t.detach()[:1].expand(tuple(t.shape)).requires_grad_(True)


def without_elements(t):
    """Nothing is left of the first dim."""
    return t.detach().narrow(0, 0, 0).requires_grad_(True) if t.dim() else t


def of_size_one(t):
    """One is left of the first dim, over which the call may broadcast."""
    usual = t.dim() and t.shape[0]
    return t.detach().narrow(0, 0, 1).clone().requires_grad_(True) if usual else t


EVERY = {
    "transposed": transposed,
    "gapped": gapped,
    "expanded": expanded,
    "without elements": without_elements,
}


# -- calls -----------------------------------------------------------------------------------------


def changed(call, change, which=None):
    """*call* with *change* made to its leaves, or to the *which*-th of them."""
    count = iter(range(1000))

    def one(t):
        if not (t.requires_grad and t.is_leaf):
            return t
        return change(t) if which in (None, next(count)) else t

    return mapped(call, one)


def repeated(call):
    """*call* with the first leaf in the place of all that are like it; None where none is."""
    found = leaves(call)
    if len(found) < 2:
        return None
    alike = [t for t in found if (t.shape, t.dtype) == (found[0].shape, found[0].dtype)]
    if len({id(t) for t in alike}) < 2:
        return None
    others = {id(t) for t in alike}
    return mapped(call, lambda t: found[0] if id(t) in others else t)


def variants(row, sample):
    """Pairs of calls, ours and the oracle's, each with a word on how it was made.

    The arguments of a ``…_backward`` have the shapes that the forward gave; torch relies on it, and
    reads past the end of what is smaller.
    """
    for word, change in EVERY.items():
        yield word, changed(sample.ours, change), changed(sample.oracle, change)
    count = len(leaves(sample.oracle))
    broadcasts = count > 1 and "_backward" not in row.name
    for which in range(2) if broadcasts else ():
        ours, oracle = (changed(c, of_size_one, which) for c in (sample.ours, sample.oracle))
        yield f"argument {which} of size one", ours, oracle
    ours, oracle = repeated(sample.ours), repeated(sample.oracle)
    if oracle is not None:
        yield "one tensor twice", ours, oracle


def chosen(row, dtype):
    """The samples that are varied: the first with a leaf of two dims, as far as there are any."""
    usable = [s for s in samples(row, dtype, grad=True) if leaves(s.oracle)]
    usable.sort(key=lambda s: max(t.dim() for t in leaves(s.oracle)) < 2)
    return usable[:SAMPLES]


def backward_differs(run, form, ours, oracle, seed):
    """The lines by which *run* differs, where the oracle's call itself goes well."""
    made = outcome(form.oracle, oracle, seed=seed)
    if made.error is not None or not differentiable(made.value):
        return []
    mine, theirs = run(form.ours, ours, seed), run(form.oracle, oracle, seed)
    return compare(mine, theirs, tolerance=GRADIENT)


def compared(name, run, dtype):
    """The lines by which *run* differs over all variants of the row's chosen samples."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample in chosen(row, dtype):
        for word, ours, oracle in variants(row, sample):
            if deadly(name, word):
                continue
            found = backward_differs(run, form, ours, oracle, row.random)
            lines += [f"{dtype} {sample!r}, {word}: {line}" for line in found]
    return lines


WITH_FORMULAS = [n for n in NAMES if not writes_self(ROWS[n])]


@every("name", WITH_FORMULAS)
@every("dtype", ["float64", "complex128"])
def test_gradient_is_the_oracles_for_other_arguments(name, dtype):
    """Value, dtype, shape and strides of every gradient, or torch's error."""
    report(expected("gradient of variants", name, compared(name, first, dtype)))


@every("name", WITH_FORMULAS)
@every("dtype", ["float64", "complex128"])
def test_second_order_is_the_oracles_for_other_arguments(name, dtype):
    """The gradient of the gradient, as torch computes it."""
    report(expected("second order of variants", name, compared(name, second, dtype)))


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_variants_are_what_their_names_say(dtype):
    """The generator is tested itself: layouts, shapes and identity."""
    for home in (mindtorch, torch):
        t = home.ones(3, 4, dtype=getattr(home, dtype), requires_grad=True)
        assert transposed(t).stride() == (1, 3)
        assert gapped(t).stride() == (8, 2)
        assert expanded(t).stride() == (0, 1)
        assert tuple(without_elements(t).shape) == (0, 4)
        assert tuple(of_size_one(t).shape) == (1, 4)
        assert all(f(t).requires_grad and f(t).is_leaf for f in EVERY.values())
        assert len({id(x) for x in tensors_in(repeated(_pair(home)))}) == 1


def _pair(home):
    from ..samples import call

    return call(home.ones(2, requires_grad=True), home.ones(2, requires_grad=True))


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
