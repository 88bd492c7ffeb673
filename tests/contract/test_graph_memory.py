"""No reference cycle keeps a graph alive: memory returns without the garbage collector."""

from __future__ import annotations

import gc
import weakref

import mindtorch
import pytest
from mindtorch.call.row import ROWS

from .rows import NAMES, forms, outcome, samples, tensors_in, writes_self

DIFFERENTIABLE = [n for n in NAMES if not writes_self(ROWS[n]) and ROWS[n].grad]


@pytest.fixture
def no_collector():
    """The collector rests while the test looks on; what was garbage before may stay so."""
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
        calls = [s.ours for s in samples(row, "float64", grad=True, most=1)]
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


REFUSALS = {}


def refusal(call):
    """Enter a call that fails, or answers though it failed within."""
    REFUSALS[call.__name__] = call
    return call


@refusal
def none_is_no_tensor(x):
    assert not (x == None) and x != None  # noqa: E711  (== is the call under test)
    assert x not in [None]


@refusal
def arguments_that_fit_no_signature(x):
    mindtorch.add(x, None)


@refusal
def arguments_that_fit_no_method(x):
    x.mul("a", 3)


@refusal
def shapes_that_do_not_fit(x):
    (x * 2) @ mindtorch.ones(7, 7, dtype=x.dtype)


@refusal
def a_target_of_another_shape(x):
    y = (x * 2).detach()
    mindtorch.add(y, y, out=mindtorch.ones(2, dtype=mindtorch.int64))


@refusal
def a_target_elsewhere(x):
    y = x.detach() * 2
    mindtorch.add(y, y, out=mindtorch.ones(2, 3, device="meta"))


@refusal
def a_leaf_in_place(x):
    x.mul_(2)


@refusal
def a_changed_saved_value(x):
    y = x * 1
    z = y * y
    y.add_(1)
    z.sum().backward()


@refusal
def a_hook_that_raises(x):
    y = x * 2
    y.register_hook(lambda g: 1 / 0)
    y.sum().backward()


@refusal
def a_function_that_raises(x):
    class Wrong(mindtorch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("no")

    Wrong.apply(x * 1).sum().backward()


@refusal
def a_forward_that_raises(x):
    class Wrong(mindtorch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            raise ValueError("no")

    Wrong.apply(x * 1)


@refusal
def a_second_backward(x):
    y = (x * x).sum()
    y.backward()
    y.backward()


@refusal
def a_checkpoint_that_raises(x):
    def body(a):
        raise ValueError("no")

    mindtorch.utils.checkpoint.checkpoint(body, x * 1, use_reentrant=False)


@refusal
def a_gradient_of_another_shape(x):
    (x * 2).backward(mindtorch.ones(7))


@refusal
def an_unused_input(x):
    y = x * 2
    mindtorch.autograd.grad((x * 3).sum(), y)


@refusal
def an_index_out_of_range(x):
    (x * 2)[9]


@refusal
def a_mask_that_does_not_fit(x):
    (x * 2)[mindtorch.ones(5, dtype=mindtorch.bool)]


@refusal
def a_mask_to_fill_that_does_not_fit(x):
    x.detach()[mindtorch.ones(5, dtype=mindtorch.bool)] = 1.0


@refusal
def a_view_of_freed_memory(x):
    y = x.detach().clone()
    y.untyped_storage().resize_(0)
    y[1:]


@refusal
def a_view_in_place_of_freed_memory(x):
    y = x.detach().clone()
    y.untyped_storage().resize_(0)
    y.squeeze_()


@refusal
def a_window_past_freed_memory(x):
    y = x.detach().clone()
    y.untyped_storage().resize_(0)
    y.index_select(0, mindtorch.tensor([0]))


@refusal
def a_traced_call_of_what_is_missing(x):
    with mindtorch.dispatch_trace():
        mindtorch.ops.mkldnn._is_mkldnn_acl_supported(x)


@refusal
def a_module_of_another_width(x):
    mindtorch.nn.Linear(5, 1, dtype=x.dtype)(x * 1)


@refusal
def no_room_on_the_device(x):
    y = x.detach().to("npu")
    y.new_empty(1 << 50)


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refused_call_lets_go_of_its_arguments(name, no_collector):
    """When the error is gone, so is what it was about: frames do not hold their own errors."""
    made = []
    x = mindtorch.ones(2, 3, dtype=mindtorch.float64, requires_grad=True)

    def run(x):
        """Results die with the frames of the call."""
        here = x * 1
        watched = [weakref.ref(here), weakref.ref(here.grad_fn)]
        try:
            REFUSALS[name](x if name == "a_leaf_in_place" else here)
        except Exception as error:
            made.append(type(error).__name__)
        return watched

    run(x)  # the first call may leave something behind
    watched = [*run(x), weakref.ref(x)]
    del x
    assert made or name == "none_is_no_tensor"
    assert not [r for r in watched if r() is not None]
