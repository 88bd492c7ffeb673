"""``autograd.Function``: arguments, gradients of gradients, the node and its neighbours."""

from __future__ import annotations

import re
import warnings

from tests.contract.function_cases import keeping, needs, suite, times

CASES, case, test_function_does_what_torchs_does = suite()


# Arguments ----------------------------------------------------------------------------------------


def setup(s):
    def setup_context(ctx, inputs, output):
        s.note(inputs, ctx.needs_input_grad, output)

    return setup_context


CASES.update(
    by_keyword=lambda s: s.fn(lambda ctx, a: a * 2).apply(a=s.x),
    by_keyword_default=lambda s: s.fn(times).apply(s.x, b=1),
    by_keyword_other_order=lambda s: s.fn(times, needs(s)).apply(b=s.y, a=s.x).sum().backward(),
    by_keyword_gap=lambda s: s.fn(times).apply(s.x, c=s.y),
    by_keyword_twice=lambda s: s.fn(times).apply(s.x, a=s.y),
    by_keyword_unknown=lambda s: s.fn(times).apply(s.x, d=s.y),
    by_keyword_only=lambda s: s.fn(lambda ctx, a, *, b=3: a * b).apply(s.x, b=s.y),
    too_few=lambda s: s.fn(lambda ctx, a, b: a * b).apply(s.x),
    too_many=lambda s: s.fn(lambda ctx, a, b: a * b).apply(s.x, s.x, s.x),
    without_ctx=lambda s: s.fn(lambda a, b: a * 2).apply(s.x),
    method_not_static=lambda s: type(
        "Fn", (s.torch.autograd.Function,), {"forward": lambda ctx, a: a * 2}
    ).apply(s.x),
    no_forward=lambda s: s.fn().apply(s.x),
    function_itself=lambda s: s.torch.autograd.Function.apply(s.x),
    no_tensor=lambda s: s.fn(lambda ctx, a: s.note(ctx.needs_input_grad)).apply(3),
    constants=lambda s: s.fn(lambda ctx, a: (s.note(ctx.needs_input_grad), a * 2)[1]).apply(s.c),
    integers=lambda s: s.fn(times, needs(s)).apply(s.x, s.torch.tensor([1, 2])).sum().backward(),
    a_list=lambda s: s.fn(
        lambda ctx, a: (s.note(ctx.needs_input_grad), a[0] * 2)[1], needs(s)
    ).apply([s.x]),
    twice_the_same=lambda s: s.torch.autograd.grad(
        s.fn(lambda ctx, a, b: a + b, needs(s)).apply(s.x, s.x).sum(), s.x
    ),
    setup_plain=lambda s: s.fn(lambda a, b=1: a * b, setup_context=setup(s)).apply(s.x),
    setup_too_many=lambda s: s.fn(lambda a, b=1: a * b, setup_context=setup(s)).apply(s.x, 1, 2),
    setup_too_few=lambda s: s.fn(lambda a, b: a * b, setup_context=setup(s)).apply(s.x),
    setup_keyword=lambda s: s.fn(lambda a, b=1: a * b, setup_context=setup(s)).apply(b=s.y, a=s.x),
    setup_keyword_only=lambda s: s.fn(lambda a, *, b=1: a, setup_context=setup(s)).apply(s.x, b=2),
    setup_star=lambda s: s.fn(lambda a, *c: a * 2, setup_context=setup(s)).apply(s.x, 1, 2),
    setup_returns=lambda s: s.fn(lambda a: a * 2, setup_context=lambda c, i, output: 5).apply(s.x),
    setup_twice=lambda s: [
        (f := s.fn(lambda a, b=1: a * b, setup_context=setup(s))).apply(s.x),
        f.apply(s.x, 2),
        f.apply(s.x, 3),
    ],
)


@case
def the_ctx_in_forward(s):
    def forward(ctx, a):
        s.note(ctx.needs_input_grad, ctx.to_save, ctx.saved_for_forward, ctx.dirty_tensors)
        s.note(ctx.non_differentiable, ctx.requires_grad, ctx.metadata, ctx.saved_tensors)
        s.note(len(ctx.next_functions), ctx.name(), ctx._materialize_non_diff_grads)
        s.note(s.torch.is_grad_enabled())
        ctx.save_for_backward(a)
        s.note(ctx.to_save, ctx.saved_tensors)
        return a * 2

    y = s.fn(forward).apply(s.x)
    node = y.grad_fn
    s.note(node.to_save, node.saved_tensors, node.dirty_tensors, node.needs_input_grad)
    s.note(re.sub("0x.*", "", repr(node)), type(node).__name__, node._forward_cls.__name__)
    s.note([c.__name__ for c in type(node).__mro__ if "Backward" in c.__name__])
    return y


@case
def the_ctx_of_a_call_that_is_not_recorded(s):
    seen = []

    def forward(ctx, a):
        seen.append(ctx)
        ctx.save_for_backward(a)
        return a * 2

    with s.torch.no_grad():
        y = s.fn(forward).apply(s.x)
    s.note(seen[0].needs_input_grad, seen[0].saved_tensors, seen[0].to_save)
    return y


@case
def inference_mode(s):
    with s.torch.inference_mode():
        y = s.fn(lambda ctx, a: (s.note(ctx.needs_input_grad), a * 2)[1]).apply(s.x)
    return y.requires_grad, y.is_leaf


# Twice --------------------------------------------------------------------------------------------


def cube(s, once=False):
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a * a

    def backward(ctx, g):
        s.note(s.torch.is_grad_enabled())
        (a,) = ctx.saved_tensors
        return 3 * a * a * g

    if once:
        backward = s.torch.autograd.function.once_differentiable(backward)
    return s.fn(forward, backward)


@case
def double_backward(s):
    y = cube(s).apply(s.x)
    (first,) = s.torch.autograd.grad(y.sum(), s.x, create_graph=True)
    (second,) = s.torch.autograd.grad(first.sum(), s.x, create_graph=True)
    (third,) = s.torch.autograd.grad(second.sum(), s.x)
    return first, second, third.tolist()


@case
def double_backward_of_what_is_differentiable_once(s):
    y = cube(s, True).apply(s.x)
    (plain,) = s.torch.autograd.grad(y.sum(), s.x, retain_graph=True)
    seed = s.torch.ones(2, requires_grad=True)
    (first,) = s.torch.autograd.grad(y, s.x, seed, create_graph=True)
    s.note(plain, first, first.grad_fn.name())
    first.sum().backward()


@case
def once_differentiable_without_need(s):
    y = cube(s, True).apply(s.x)
    return s.torch.autograd.grad(y.sum(), s.x, create_graph=True)


@case
def the_gradient_depends_on_a_saved_result(s):
    def forward(ctx, a):
        out = a.exp()
        ctx.save_for_backward(out)
        return out

    exp = s.fn(forward, lambda ctx, g: g * ctx.saved_tensors[0])
    (first,) = s.torch.autograd.grad(exp.apply(s.c.requires_grad_()).sum(), s.c, create_graph=True)
    (second,) = s.torch.autograd.grad(first.sum(), s.c)
    return s.torch.allclose(first, second)


# The node -----------------------------------------------------------------------------------------


@case
def hooks_of_the_node(s):
    y = s.fn(lambda ctx, a: a * 2, lambda ctx, g: g).apply(s.x)
    node = y.grad_fn
    node.register_prehook(lambda grads: (s.note("pre", grads), (grads[0] * 2,))[1])
    node.register_hook(lambda ins, outs: s.note("post", ins, outs))
    y.register_hook(lambda g: (s.note("tensor", g), g * 3)[1])
    node.metadata["mine"] = 1
    s.note(node.metadata, node.next_functions[0][1], node.requires_grad)
    y.sum().backward()
    return s.x.grad


@case
def the_node_called_by_hand(s):
    y = s.fn(lambda ctx, a: a * 2, lambda ctx, g: g * 2).apply(s.x)
    return y.grad_fn(s.c)


def handing_out(recorded, mid):
    """A result that has a history of its own, made outside."""

    def run(s):
        own = s.mid() if mid else s.y
        y = s.fn(lambda ctx, a: own, lambda ctx, g: g).apply(s.x if recorded else s.c)
        return own is y, y, own

    return run


for _r in (True, False):
    for _m in (True, False):
        CASES[f"result_from_outside_{_r}_{_m}"] = handing_out(_r, _m)


@case
def an_inference_tensor_is_saved(s):
    with s.torch.inference_mode():
        c = s.torch.ones(2)
    s.note(s.fn(lambda ctx, a, b: a * 2, lambda ctx, g: (g, None)).apply(s.x, c))

    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * 2

    s.note(s.fn(forward).apply(s.c, c))
    return s.fn(forward).apply(s.x, c)


@case
def several_results(s):
    def forward(ctx, a, b):
        return a + b, a * b, a - b

    def backward(ctx, *grads):
        s.note(grads, ctx.needs_input_grad)
        return grads[0] + grads[1], grads[2]

    one, two, three = s.fn(forward, backward).apply(s.x, s.y)
    s.note(one.grad_fn is two.grad_fn, [t.output_nr for t in (one, two, three)])
    (two.sum() + three.sum()).backward(retain_graph=True)
    one.retain_grad()
    one.sum().backward()
    return s.x.grad, s.y.grad, one.grad


@case
def anomaly_names_the_node(s):
    def failing(ctx, g):
        raise ValueError("my own")

    with s.torch.autograd.set_detect_anomaly(True):
        y = s.fn(lambda ctx, a: a * 2, lambda ctx, g: g * float("nan")).apply(s.x)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y.sum().backward()


@case
def an_error_of_the_users_own(s):
    def failing(ctx, g):
        raise ValueError("my own")

    s.fn(lambda ctx, a: a * 2, failing).apply(s.x).sum().backward()


@case
def user_attributes_live_on_the_ctx(s):
    def forward(ctx, a, how):
        ctx.how = how
        ctx.needs_input_grad = "mine"
        return a * 2

    def backward(ctx, g):
        s.note(ctx.how, ctx.needs_input_grad)
        return g, None

    s.fn(forward, backward).apply(s.x, {"k": 1}).sum().backward()


@case
def users_choose_any_name(s):
    names = ("key", "edges", "saved", "extra", "num_outputs", "input_metadata", "nr", "state")

    def forward(ctx, a):
        ctx.save_for_backward(a)
        for name in names:
            setattr(ctx, name, f"my {name}")
        s.note([getattr(ctx, name) for name in names])
        return a * 2

    def backward(ctx, g):
        s.note([getattr(ctx, name) for name in names], ctx.saved_tensors)
        return g * 3

    y = s.fn(forward, backward).apply(s.mid())
    y.register_hook(lambda g: g * 2)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    s.note(s.x.grad)
    return y.grad_fn.saved_tensors


@case
def a_subclass_inherits_its_methods(s):
    base = s.fn(lambda ctx, a: a * 2, lambda ctx, g: g * 7)
    derived = type("Derived", (base,), {})
    y = derived.apply(s.x)
    y.sum().backward()
    return y, s.x.grad, derived._backward_cls.__name__


@case
def a_function_is_changed_after_its_definition(s):
    base = s.fn(lambda ctx, a: a * 2, lambda ctx, g: g)
    y = base.apply(s.x)
    base.backward = staticmethod(lambda ctx, g: g * 9)
    base.forward = staticmethod(lambda ctx, a: a * 5)
    y.sum().backward()
    return s.x.grad, base.apply(s.x)


@case
def a_function_inside_a_function(s):
    inner = s.fn(lambda ctx, a: a * 2, lambda ctx, g: g * 2)
    outer = s.fn(
        lambda ctx, a: (s.note(inner.apply(a)), inner.apply(a))[1], lambda ctx, g: inner.apply(g)
    )
    return outer.apply(s.x), s.torch.autograd.grad(outer.apply(s.x).sum(), s.x, create_graph=True)


@case
def a_backward_inside_a_backward(s):
    def backward(ctx, g):
        with s.torch.enable_grad():
            z = s.torch.ones(2, requires_grad=True)
            (z * z).sum().backward()
        return g * z.grad

    return s.torch.autograd.grad(s.fn(keeping(), backward).apply(s.x).sum(), s.x)


@case
def names_of_the_module(s):
    module = s.torch.autograd.function
    s.note(sorted(module.__all__))
    plain = s.fn(times)
    separate = s.fn(times, setup_context=lambda c, i, output: None)
    is_defined = module._is_setup_context_defined
    s.note(is_defined(plain.setup_context), is_defined(separate.setup_context))
    s.note(issubclass(plain._backward_cls, module.BackwardCFunction))
    s.note(isinstance(plain, module.FunctionMeta), issubclass(plain, module.FunctionCtx))
    s.note(plain._backward_cls.__name__, plain._backward_cls.__module__)
    node = plain.apply(s.x).grad_fn
    return isinstance(node, module.FunctionCtx), isinstance(node, s.torch.autograd.graph.Node)


@case
def legacy_in_place_function(s):
    made = s.torch.autograd.function.InplaceFunction(True)
    return made.inplace
