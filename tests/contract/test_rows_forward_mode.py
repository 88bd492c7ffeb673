"""Forward mode: every row's tangents are the oracle's, forward and over reverse."""

from __future__ import annotations

import importlib
from functools import partial

import pytest
from mindtorch.call.row import ROWS

from .batches import every, unlisted
from .bounds import GRADIENT, SUMS
from .forward_mode import warm_up
from .known import check_all_differ, expected
from .rows import (
    NAMES,
    compare,
    cotangent,
    forms,
    is_tensor,
    mapped,
    outcome,
    report,
    samples,
    tensors_in,
    writes_self,
)
from .test_rows_gradient import home_of

warm_up()

#: Of results in single precision.
SINGLE = SUMS["float32"]


def duals(call, fwd, reverse=False):
    """The call with each tensor that wants a gradient made dual."""
    count = [0]

    def dual(t):
        if not t.requires_grad:
            return t
        count[0] += 1
        primal = t if reverse else t.detach()
        return fwd.make_dual(primal, cotangent(t.detach(), count[0]))

    return mapped(call, dual)


def forward_ad(call):
    """The oracle's module or ours, by the tensors of a call."""
    found = tensors_in(call)
    home = home_of(found[0]).__name__ if found else "torch"
    return importlib.import_module(f"{home}.autograd.forward_ad")


def pushed(function, call, seed):
    """Outcome whose value holds what the call gives, and the tangents."""
    fwd = forward_ad(call)

    def run(*args, **kwargs):
        with fwd.dual_level():
            made = duals(call, fwd)
            results = tensors_in(function(*made.args, **made.kwargs))
            parts = [fwd.unpack_dual(t) for t in results]
            return [(p.primal.detach(), p.tangent) for p in parts]

    return outcome(run, call, seed=seed)


#: torch's formulas of these take factors without tangents, so that the tangents of their gradients
#: are not the derivatives, unless a graph of the gradients is recorded.
COMPLETE_WITH_GRAPH = frozenset(
    "_linalg_det _linalg_slogdet _linalg_solve_ex det linalg_det linalg_slogdet linalg_solve "
    "linalg_solve_ex linalg_tensorsolve logdet slogdet".split()
)


def pushed_over_reverse(function, call, seed, graph=False):
    """Outcome whose value holds the gradients of what the call gives, and their tangents."""
    fwd = forward_ad(call)
    home = home_of(tensors_in(call)[0])

    def run(*args, **kwargs):
        with fwd.dual_level():
            made = duals(call, fwd, reverse=True)
            results = tensors_in(function(*made.args, **made.kwargs))
            results = [t for t in results if t.requires_grad]
            if not results:
                return []
            seeds = [cotangent(t.detach(), 7 + i) for i, t in enumerate(results)]
            wanted = [t for t in tensors_in(call) if t.requires_grad]
            found = home.autograd.grad(
                results, wanted, seeds, allow_unused=True, create_graph=graph
            )
            duals_of = [None if g is None else fwd.unpack_dual(g) for g in found]
            return [d and tuple(t if t is None else t.detach() for t in d) for d in duals_of]

    return outcome(run, call, seed=seed)


def compared(row, run, dtype, most=None):
    """The lines by which *run* differs over the row's samples, *most* of them."""
    lines = []
    form = forms(row)[0]
    for sample in samples(row, dtype, grad=True, most=most):
        if not any(is_tensor(t) and t.requires_grad for t in tensors_in(sample.oracle)):
            continue
        theirs = run(form.oracle, sample.oracle, row.random)
        mine = run(form.ours, sample.ours, row.random)
        single = not theirs.error and any(
            str(t.dtype) in ("torch.float32", "torch.complex64") for t in tensors_in(theirs.value)
        )  # a ``dtype`` that was asked for
        near = SINGLE if single else GRADIENT
        # Of warnings that come once in a process, the tests of values know who gets them.
        found = compare(mine, theirs, tolerance=near, warnings=False)
        lines += [f"{dtype} {sample!r}: {d}" for d in found]
    return lines


CALLABLE = [n for n in NAMES if not writes_self(ROWS[n])]


@every("name", CALLABLE)
@every("dtype", ("float64", "complex128"))
def test_tangent_is_the_oracles(name, dtype):
    """Results have a tangent where torch's have one, and it is torch's; so are refusals."""
    report(expected("tangent", name, compared(ROWS[name], pushed, dtype)))


@pytest.mark.parametrize("part", range(30))
def test_tangent_of_the_gradient_is_the_oracles(part):
    """Gradients of dual tensors are dual: forward over reverse mode."""
    left = []
    for name in CALLABLE[part::30]:
        lines = []
        push = partial(pushed_over_reverse, graph=name in COMPLETE_WITH_GRAPH)
        for dtype, most in (("float64", 2), ("complex128", 1)):
            lines += compared(ROWS[name], push, dtype, most)
        lines = expected("over reverse", name, lines)
        case = f"test_rows_forward_mode.py::test_tangent_of_the_gradient_is_the_oracles[{name}]"
        left += [f"{name} {line}" for line in unlisted(case, lines)]
    report(left)


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
