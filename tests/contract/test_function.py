"""``autograd.Function``: what it returns, refuses and says, case by case as torch has it.

A case is a function of a :class:`Side`: the module, and makers of Functions and tensors. What it
gives back is described with all that a Function decides (history, views, versions), its errors and
warnings by their text, and both frameworks must have said the same.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import warnings

import pytest

CASES = {}


def case(function):
    """Enter *function* as a case."""
    CASES[function.__name__] = function
    return function


def cases(**given):
    """Enter each keyword as a case."""
    CASES.update(given)


class Side:
    """One framework."""

    def __init__(self, torch):
        self.torch = torch
        self.notes = []
        self.x = torch.tensor([1.0, 2.0], requires_grad=True)
        self.y = torch.tensor([3.0, 4.0], requires_grad=True)
        self.c = torch.tensor([5.0, 6.0])

    def mid(self):
        """A result: no leaf."""
        return self.x * 1

    def fn(self, forward=None, backward=None, **more):
        """A Function of these methods."""
        body = {}
        if forward is not None:
            body["forward"] = staticmethod(forward)
        if backward is not None:
            body["backward"] = staticmethod(backward)
        for name, value in more.items():
            body[name] = staticmethod(value) if callable(value) else value
        return type("Fn", (self.torch.autograd.Function,), body)

    def note(self, *what):
        """Write something down, for the comparison."""
        self.notes.append(self.described(what))

    def described(self, value):
        """*value* as text."""
        if isinstance(value, self.torch.Tensor):
            edge = value.grad_fn.name() if value.grad_fn is not None else ""
            which = "x" if value is self.x else ""
            base = "of x" if value._base is self.x else ""
            facts = (value.requires_grad, edge, value.output_nr, value._is_view(), value._version)
            return f"{value.detach().tolist()} {value.dtype} {facts} {which}{base}"
        if isinstance(value, (list, tuple)):
            inner = ", ".join(map(self.described, value))
            return f"{type(value).__name__}({inner})"
        return repr(value)

    def run(self, function):
        """What *function* gives, says and notes."""
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                text = self.described(function(self))
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
        said = [f"{w.category.__name__}: {w.message}" for w in heard]
        lines = [*self.notes, text, *said]
        return [clean(line) for line in lines if "torch.jit.script" not in line]


def clean(line):
    """*line* without what differs between two runs."""
    line = re.sub(r"0x[0-9a-f]+", "0x", line)
    line = re.sub(r" \(Triggered internally at [^)]*\)", "", line)
    return line.replace("mindtorch", "torch")


# Arguments ----------------------------------------------------------------------------------------


def needs(s):
    """A backward that notes what it is asked for."""

    def backward(ctx, *grads):
        s.note(ctx.needs_input_grad, len(ctx.next_functions))
        return (grads[0],) * len(ctx.needs_input_grad)

    return backward


def times(ctx, a, b=1, c=2):
    return a * b


def setup(s):
    def setup_context(ctx, inputs, output):
        s.note(inputs, ctx.needs_input_grad, output)

    return setup_context


cases(
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


# Results ------------------------------------------------------------------------------------------


def marked(*marks):
    """A forward that adds 1 in place and marks its argument."""

    def forward(ctx, a):
        for mark in marks:
            getattr(ctx, mark)(a)
        return a.add_(1)

    return forward


def enabled(s):
    def forward(ctx, a):
        with s.torch.enable_grad():
            return a * 2

    return forward


def part_of_fresh(ctx, a):
    return (a * 2)[:1]


def fresh_and_part(ctx, a):
    b = a * 2
    return b, b[:1]


def constant(ctx, a):
    b = a * 2
    ctx.mark_non_differentiable(b)
    return b


def made_without_grad(s):
    mid = s.mid()
    with s.torch.no_grad():
        return mid[:1]


FORWARDS = {
    "fresh": lambda s: lambda ctx, a: a * 2,
    "same": lambda s: lambda ctx, a: a,
    "same_twice": lambda s: lambda ctx, a: (a, a),
    "same_and_fresh": lambda s: lambda ctx, a: (a, a * 2),
    "view": lambda s: lambda ctx, a: a.view(-1),
    "views": lambda s: lambda ctx, a: (a[:1], a[1:]),
    "detached": lambda s: lambda ctx, a: a.detach(),
    "constant": lambda s: constant,
    "constant_input": lambda s: lambda ctx, a: (ctx.mark_non_differentiable(a), a)[1],
    "constant_among": lambda s: (
        lambda ctx, a: (lambda b: (ctx.mark_non_differentiable(b), b, a)[1:])(a * 3)
    ),
    "dirty": lambda s: marked("mark_dirty"),
    "dirty_constant": lambda s: marked("mark_dirty", "mark_non_differentiable"),
    "dirty_and_fresh": lambda s: lambda ctx, a: (ctx.mark_dirty(a), a.add_(1), a * 1)[1:],
    "dirty_twice": lambda s: lambda ctx, a: (ctx.mark_dirty(a), a.add_(1), a)[1:],
    "dirty_not_returned": lambda s: lambda ctx, a: (ctx.mark_dirty(a), a + 1)[1],
    "dirty_not_input": lambda s: lambda ctx, a: (lambda b: (ctx.mark_dirty(b), b)[1])(a * 2),
    "dirty_neither": lambda s: lambda ctx, a: (lambda b: (ctx.mark_dirty(b), b + 1)[1])(a * 2),
    "dirty_number": lambda s: lambda ctx, a: (ctx.mark_dirty(3), a * 2)[1],
    "changed_unmarked": lambda s: lambda ctx, a: a.add_(1),
    "integers": lambda s: lambda ctx, a: (a.int(), a * 2),
    "recorded": enabled,
    "part": lambda s: part_of_fresh,
    "whole_and_part": lambda s: fresh_and_part,
    "list": lambda s: lambda ctx, a: [a * 2],
    "list_among": lambda s: lambda ctx, a: ([a * 2], a * 3),
    "number_among": lambda s: lambda ctx, a: (a * 2, 5, None),
    "number": lambda s: lambda ctx, a: 5,
    "none": lambda s: lambda ctx, a: None,
    "nothing": lambda s: lambda ctx, a: (),
    "tuple_of_one": lambda s: lambda ctx, a: (a * 2,),
    "constant_number": lambda s: lambda ctx, a: (ctx.mark_non_differentiable(3), a * 2)[1],
}
ARGUMENTS = {
    "leaf": lambda s: s.x,
    "mid": lambda s: s.mid(),
    "constant": lambda s: s.c,
    "view": lambda s: s.mid()[:1],
    "view_of_leaf": lambda s: s.x[:1],
    "chunk": lambda s: s.mid().chunk(2)[0],
    "view_of_constant": lambda s: s.c[:1],
    "untracked_view": made_without_grad,
}


def tensors_in(s, value):
    values = value if isinstance(value, (list, tuple)) else [value]
    return [v for v in values if isinstance(v, s.torch.Tensor)]


def on_argument(forward, argument):
    def result(s):
        given = ARGUMENTS[argument](s)
        s.note(s.fn(FORWARDS[forward](s), needs(s)).apply(given))
        return given

    return result


def changed_after(forward, argument):
    def result(s):
        made = tensors_in(s, s.fn(FORWARDS[forward](s), needs(s)).apply(ARGUMENTS[argument](s)))
        made[-1].add_(1)
        return made

    return result


def base_changed_after(forward):
    def result(s):
        given = s.mid()
        made = tensors_in(s, s.fn(FORWARDS[forward](s), needs(s)).apply(given))
        given.add_(1)
        return made

    return result


def without_grad(forward):
    def result(s):
        with s.torch.no_grad():
            return s.fn(FORWARDS[forward](s)).apply(s.x)

    return result


def gradients_of(forward):
    def result(s):
        def backward(ctx, *grads):
            s.note(grads)
            return s.c

        given = s.mid()
        made = tensors_in(s, s.fn(FORWARDS[forward](s), backward).apply(given))
        made[0].sum().backward()
        return s.x.grad

    return result


for _f in FORWARDS:
    for _a in ARGUMENTS:
        CASES[f"result_{_f}_of_{_a}"] = on_argument(_f, _a)
    for _a in ("leaf", "mid", "constant"):
        CASES[f"changed_{_f}_of_{_a}"] = changed_after(_f, _a)
    CASES[f"base_changed_{_f}"] = base_changed_after(_f)
    CASES[f"without_grad_{_f}"] = without_grad(_f)
    CASES[f"gradients_{_f}"] = gradients_of(_f)


# Backward -----------------------------------------------------------------------------------------

RETURNED = {
    "fits": lambda t: t.ones(2),
    "too_many": lambda t: (t.ones(2), t.ones(2)),
    "one_none": lambda t: None,
    "nones_behind": lambda t: (t.ones(2), None, None),
    "list": lambda t: [t.ones(2)],
    "text": lambda t: "a",
    "number": lambda t: 1.0,
    "nothing": lambda t: (),
    "longer": lambda t: t.ones(3),
    "shorter": lambda t: t.ones(1),
    "scalar": lambda t: t.ones(()),
    "more_dims": lambda t: t.ones(2, 2),
    "dims_of_one": lambda t: t.ones(1, 2),
    "double": lambda t: t.ones(2, dtype=t.float64),
    "integers": lambda t: t.ones(2, dtype=t.int32),
    "complex": lambda t: t.ones(2) + 1j,
    "meta": lambda t: t.ones(2, device="meta"),
}


def returns(value, **more):
    def run(s):
        given = value(s.torch)
        y = s.fn(lambda ctx, a: a * 2, lambda ctx, g: given, **more).apply(s.x)
        (grad,) = s.torch.autograd.grad(y.sum(), s.x, allow_unused=True)
        return grad

    return run


for _name, _value in RETURNED.items():
    CASES[f"backward_returns_{_name}"] = returns(_value)

cases(
    for_a_number=lambda s: s.fn(times, lambda ctx, g: (g, g)).apply(s.x, 3).sum().backward(),
    for_a_constant=lambda s: (
        s.fn(times, lambda ctx, g: (g, s.torch.ones(7))).apply(s.x, s.c).sum().backward()
    ),
    no_backward=lambda s: s.fn(times).apply(s.x).sum().backward(),
    backward_and_vjp=lambda s: (
        s.fn(times, lambda c, g: g, vjp=lambda c, g: g).apply(s.x).sum().backward()
    ),
    vjp_only=lambda s: s.torch.autograd.grad(
        s.fn(times, vjp=lambda c, g: g * 3).apply(s.x).sum(), s.x
    ),
    save_number=lambda s: s.fn(lambda c, a: (c.save_for_backward(a, 5), a * 2)[1]).apply(s.x),
    save_number_unrecorded=lambda s: s.fn(lambda c, a: (c.save_for_backward(a, 5), a * 2)[1]).apply(
        s.c
    ),
    save_for_forward_number=lambda s: s.fn(lambda c, a: (c.save_for_forward(a, 5), a * 2)[1]).apply(
        s.x
    ),
    to_save_tuple=lambda s: (
        s.fn(lambda c, a: (setattr(c, "to_save", (a,)), a * 2)[1]).apply(s.x).grad_fn.saved_tensors
    ),
    to_save_list=lambda s: s.fn(lambda c, a: (setattr(c, "to_save", [a]), a * 2)[1]).apply(s.x),
    shared_storage=lambda s: s.fn(lambda c, a: (c.mark_shared_storage((a, a)), a * 2)[1]).apply(
        s.x
    ),
    materialize_number=lambda s: s.fn(lambda c, a: (c.set_materialize_grads(3), a)[1]).apply(s.x),
    materialize_attribute=lambda s: s.fn(
        lambda c, a: (setattr(c, "materialize_grads", None), a)[1]
    ).apply(s.x),
    materialize_read=lambda s: s.fn(lambda c, a: c.materialize_grads).apply(s.x),
    instance=lambda s: s.torch.autograd.Function(),
    instance_called=lambda s: s.fn(times)(1)(s.x),
    unknown_attribute=lambda s: s.fn(lambda ctx, a: ctx.nothing).apply(s.x),
    saved_variables=lambda s: (
        s.fn(lambda c, a: (c.save_for_backward(a), a * 2)[1]).apply(s.x).grad_fn.saved_variables
    ),
)


def keeping(*more):
    """A forward that saves its argument."""

    def forward(ctx, a):
        ctx.save_for_backward(a, *more)
        return a * 2

    return forward


@case
def saved_tensors_are_freed(s):
    y = s.fn(keeping(), lambda ctx, g: g).apply(s.x)
    y.sum().backward()
    with contextlib.suppress(RuntimeError):
        s.note(y.grad_fn._raw_saved_tensors)
    return y.grad_fn.saved_tensors


@case
def backward_again_without_saved_tensors(s):
    y = s.fn(keeping(), lambda ctx, g: g).apply(s.x)
    y.backward(s.c)
    y.backward(s.c)
    return s.x.grad


@case
def backward_again_with_saved_tensors(s):
    y = s.fn(keeping(), lambda ctx, g: g * ctx.saved_tensors[0]).apply(s.x)
    y.backward(s.c, retain_graph=True)
    y.backward(s.c)
    s.note(s.x.grad)
    y.backward(s.c)


def freeing(s):
    def backward(ctx, g):
        s.note(ctx.saved_tensors)
        ctx.maybe_clear_saved_tensors()
        s.note(ctx.saved_tensors)
        return g

    return backward


cases(
    maybe_clear=lambda s: s.fn(keeping(), freeing(s)).apply(s.x).backward(s.c),
    maybe_clear_retained=lambda s: (
        s.fn(keeping(), freeing(s)).apply(s.x).backward(s.c, retain_graph=True)
    ),
    clear_on_access=lambda s: (
        s.fn(
            keeping(),
            lambda c, g: c.saved_tensors + c.saved_tensors,
            clear_saved_tensors_on_access=True,
        )
        .apply(s.x)
        .backward(s.c)
    ),
    clear_on_access_once=lambda s: s.torch.autograd.grad(
        s.fn(keeping(), lambda c, g: c.saved_tensors[0], clear_saved_tensors_on_access=True)
        .apply(s.x)
        .sum(),
        s.x,
    ),
    clear_on_access_retained=lambda s: (
        s.fn(
            keeping(),
            lambda c, g: c.saved_tensors + c.saved_tensors,
            clear_saved_tensors_on_access=True,
        )
        .apply(s.x)
        .backward(s.c, retain_graph=True)
    ),
    boxed=lambda s: s.torch.autograd.grad(
        s.fn(lambda c, a: (a * 2, a * 3), lambda c, g: (s.note(g), g[0])[1], boxed_grads_call=True)
        .apply(s.x)[0]
        .sum(),
        s.x,
    ),
)


@case
def results_inputs_and_what_is_between_are_saved(s):
    def forward(ctx, a, b):
        between = a * 3
        out = between * b
        ctx.save_for_backward(a, None, between, out, b)
        return out

    def backward(ctx, g):
        s.note(ctx.saved_tensors)
        s.note([t is not None and t.grad_fn is node for t in ctx.saved_tensors])
        s.note(ctx.saved_tensors[0] is s.x, ctx.saved_tensors[3] is y)
        return g, None

    y = s.fn(forward, backward).apply(s.x, s.c)
    node = y.grad_fn
    s.note(len(node._raw_saved_tensors))
    y.sum().backward(retain_graph=True)
    s.torch.autograd.grad(y.sum(), s.x, create_graph=True)


def change_of(which):
    def run(s):
        def forward(ctx, a):
            between = a * 3
            out = between * 1
            ctx.save_for_backward(a, between, out)
            s.between = between
            return out

        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

        mid = s.mid()
        y = s.fn(forward, backward).apply(mid)
        with s.torch.no_grad():
            {"argument": mid, "between": s.between, "result": y}[which].add_(1)
        y.sum().backward()

    return run


for _which in ("argument", "between", "result"):
    CASES[f"change_of_saved_{_which}"] = change_of(_which)


@case
def saved_tensors_go_through_hooks(s):
    def pack(t):
        s.note("pack", t)
        return t * 2

    def unpack(t):
        s.note("unpack", t)
        return t / 2

    def forward(ctx, a):
        out = a * 3
        ctx.save_for_backward(a, out)
        return out

    def backward(ctx, g):
        s.note(ctx.saved_tensors)
        return g

    with s.torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = s.fn(forward, backward).apply(s.x)
    y.sum().backward()


@case
def hooks_on_raw_saved_tensors(s):
    y = s.fn(keeping(), lambda ctx, g: g * ctx.saved_tensors[0]).apply(s.x)
    y.grad_fn._raw_saved_tensors[0].register_hooks(lambda t: t * 5, lambda t: t + 1)
    y.sum().backward()
    return s.x.grad


def pair(s, materialize, marks=False):
    def forward(ctx, a):
        ctx.set_materialize_grads(materialize)
        constant = a * 3
        if marks:
            ctx.mark_non_differentiable(constant)
        return a * 1, a * 2, constant

    def backward(ctx, *grads):
        s.note(grads)
        return next((g for g in grads if g is not None), None)

    return s.fn(forward, backward)


for _m in (True, False):
    for _k in (True, False):
        CASES[f"materialized_{_m}_{_k}"] = lambda s, m=_m, k=_k: s.torch.autograd.grad(
            pair(s, m, k).apply(s.x)[1].sum(), s.x
        )


@case
def an_undefined_gradient_arrives(s):
    nothing = s.fn(lambda ctx, a: a * 2, lambda ctx, g: None)

    def seeing(ctx, g):
        s.note(g)
        return g

    def absent(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2

    nothing.apply(s.fn(lambda ctx, a: a * 2, seeing).apply(s.x)).sum().backward()
    nothing.apply(s.fn(absent, seeing).apply(s.y)).sum().backward()
    return s.x.grad, s.y.grad


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


# vmap ---------------------------------------------------------------------------------------------


def ruled(s, **more):
    return s.fn(
        lambda a: a * 2, lambda ctx, g: g * 2, setup_context=lambda c, i, output: None, **more
    )


def vmapped(s, **more):
    return s.torch.vmap(ruled(s, **more).apply)(s.x)


cases(
    vmap_without_setup=lambda s: s.torch.vmap(s.fn(lambda c, a: a * 2).apply)(s.x),
    vmap_without_rule=vmapped,
    vmap_two_rules=lambda s: vmapped(s, generate_vmap_rule=True, vmap=lambda i, d, a: (a, 0)),
    vmap_one_result=lambda s: vmapped(s, vmap=lambda i, d, a: a),
    vmap_three_results=lambda s: vmapped(s, vmap=lambda i, d, a: (a, 0, 0)),
    vmap_dims_misfit=lambda s: vmapped(s, vmap=lambda i, d, a: (a, (0, 0))),
    vmap_own=lambda s: vmapped(s, vmap=lambda i, d, a: (s.note(i, d, a), (a * 3, 0))[1]),
    vmap_generated=lambda s: vmapped(s, generate_vmap_rule=True),
    vmap_nested=lambda s: s.torch.vmap(
        s.torch.vmap(ruled(s, generate_vmap_rule=True).apply), randomness="same"
    )(s.torch.ones(2, 3)),
)


def product(s, rule):
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.k = 2
        s.note(ctx.needs_input_grad, inputs[0].shape, output.shape)

    def backward(ctx, g):
        a, b, out = ctx.saved_tensors
        s.note(a.shape, b.shape, out.shape, g.shape, ctx.k)
        return g * b, g * a

    more = {"generate_vmap_rule": True}
    if rule:
        made = []
        more = {"vmap": lambda info, dims, a, b: (made[0].apply(a, b), 0)}
    function = s.fn(lambda a, b: a * b, backward, setup_context=setup_context, **more)
    if rule:
        made.append(function)
    return function


def differentiated(rule, dims):
    def run(s):
        a = s.torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
        b = s.y if dims[1] is None else (a.detach() + 1).requires_grad_()
        y = s.torch.vmap(product(s, rule).apply, dims)(a, b)
        s.note(y)
        first = s.torch.autograd.grad(y.sum(), (a, b), create_graph=True)
        second = s.torch.autograd.grad(first[0].sum(), b)
        return [g.detach() for g in (*first, *second)]

    return run


for _rule in (True, False):
    for _dims in ((0, None), (0, 0), (1, 1)):
        if not (_rule and _dims == (1, 1)):
            CASES[f"vmap_gradient_{_rule}_{_dims}"] = differentiated(_rule, _dims)


@pytest.mark.parametrize("name", CASES)
def test_function_does_what_torchs_does(name):
    """Results, notes, errors and warnings of a case are the same on both sides."""
    want = Side(importlib.import_module("torch")).run(CASES[name])
    got = Side(importlib.import_module("mindtorch")).run(CASES[name])
    assert got == want
