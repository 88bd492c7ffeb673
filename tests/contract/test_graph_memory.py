"""No reference cycle keeps a graph alive: memory returns without the garbage collector."""

from __future__ import annotations

import gc
import weakref

import mindtorch
import pytest
from mindtorch.ops.row import ROWS

from .rows import NAMES, forms, outcome, samples, tensors_in, writes_self

DIFFERENTIABLE = [n for n in NAMES if not writes_self(ROWS[n]) and ROWS[n].grad]


@pytest.fixture
def no_collector():
    """The collector rests while the test looks on."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _outlives(row, call):
    """Whether results or nodes of a call outlive their names; a backward has gone through them."""
    made = outcome(forms(row)[0].ours, call, seed=row.random)
    results = [t for t in tensors_in(made.value) if t.requires_grad]
    if not results:
        return False
    try:
        sum(t.sum() for t in results).backward()
    except RuntimeError:  # a row that refuses gradients; the error itself holds on to them
        return False
    watched = [weakref.ref(t) for t in results]
    watched += [weakref.ref(t.grad_fn) for t in results if t.grad_fn is not None]
    del made, results
    return any(r() is not None for r in watched)


def test_results_and_nodes_of_every_row_die_with_their_last_name(no_collector):
    """The first call may leave something behind: its formulas are compiled then."""
    cyclic = []
    for name in DIFFERENTIABLE:
        row = ROWS[name]
        calls = [s.ours for s in samples(row, "float64", grad=True)[:1]]
        for call in calls:
            _outlives(row, call)
            if _outlives(row, call):
                cyclic.append(name)
    assert not cyclic


PROGRAMS = {}


def program(function):
    """Enter a program that returns what it leaves to die."""
    PROGRAMS[function.__name__] = function
    return function


@program
def in_place_and_views(x):
    y = x * 2
    v = y[0]
    v.mul_(3)
    y.add_(1)
    w = y.view(-1)
    w.sum().backward()
    return y, v, w


@program
def hooks_on_everything(x):
    y = x * 2
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.grad_fn.register_hook(lambda gi, go: None)
    z = y.exp()
    z.sum().backward()
    return y, z


@program
def saved_hooks(x):
    with mindtorch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x * x
        z = y.relu() * y
    z.sum().backward()
    return y, z


@program
def second_order(x):
    y = (x**3).sum()
    (g,) = mindtorch.autograd.grad(y, x, create_graph=True)
    (h,) = mindtorch.autograd.grad(g.sum(), x)
    return y, g, h


@program
def checkpointed(x):
    y = mindtorch.utils.checkpoint.checkpoint(lambda a: (a * a).relu() * a, x, use_reentrant=False)
    y.sum().backward()
    return (y,)


@program
def custom_function(x):
    class Square(mindtorch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * a

        @staticmethod
        def backward(ctx, g):
            (a,) = ctx.saved_tensors
            return g * a * 2

    y = Square.apply(x)
    y.sum().backward()
    return (y,)


@program
def forward_mode(x):
    forward_ad = mindtorch.autograd.forward_ad
    with forward_ad.dual_level():
        d = forward_ad.make_dual(x, x.detach())
        y = (d * d).exp()
        t = forward_ad.unpack_dual(y).tangent
    return d, y, t


@program
def functions_of_functions(x):
    f = mindtorch.func
    a = f.grad(lambda v: (v**3).sum())(x)
    b = f.jacrev(lambda v: v * v)(x)
    c = f.hessian(lambda v: (v**3).sum())(x)
    return a, b, c


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_program_made_dies_with_it(name, no_collector):
    """Views, hooks, checkpoints, levels: nothing outlives the names."""
    x = mindtorch.ones(2, 3, dtype=mindtorch.float64, requires_grad=True)
    made = PROGRAMS[name](x)
    nodes = [t.grad_fn for t in made if t.grad_fn is not None]
    watched = [weakref.ref(t) for t in (x, *made, *nodes)]
    del x, made, nodes
    assert not [r for r in watched if r() is not None]
