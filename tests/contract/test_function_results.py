"""``autograd.Function``: results that are new, views, arguments, changed or no tensors."""

from __future__ import annotations

from tests.contract.function_cases import needs, suite

CASES, case, test_function_does_what_torchs_does = suite()


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
