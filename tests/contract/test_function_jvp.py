"""``Function.jvp``: what it gets, gives, and what is refused."""

from __future__ import annotations

from tests.contract.forward_mode import forward_mode
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def with_jvp(base, jvp):
    """A Function that differs from *base* in its ``jvp`` alone."""
    return type(base)(f"{base.__name__}Too", (base,), {"jvp": staticmethod(jvp)})


@program
def jvp_functions(torch, ns, note):
    fw = forward_mode(torch)
    Fn = torch.autograd.Function

    def run(f, *args):
        with fw.dual_level():
            duals = [
                fw.make_dual(a, torch.full(a.shape, 2.0 + i))
                if isinstance(a, torch.Tensor) and a.is_floating_point()
                else a
                for i, a in enumerate(args)
            ]

            def go():
                out = f(*duals)
                outs = out if isinstance(out, tuple) else (out,)
                return (
                    [fw.unpack_dual(o) if isinstance(o, torch.Tensor) else o for o in outs]
                    + [o is d for o in outs for d in duals]
                    + [getattr(o, "_is_view", lambda: None)() for o in outs]
                )

            note(lambda: go())
            for d in duals:
                if isinstance(d, torch.Tensor):
                    note(lambda: fw.unpack_dual(d))

    x = torch.arange(1.0, 4.0)

    class NoOp(Fn):
        @staticmethod
        def forward(ctx, a):
            return a

        @staticmethod
        def backward(ctx, g):
            return g

        @staticmethod
        def jvp(ctx, t):
            return t

    run(NoOp.apply, x)

    run(with_jvp(NoOp, lambda ctx, t: t + 1).apply, x)
    run(with_jvp(NoOp, lambda ctx, t: t.view_as(t)).apply, x)

    class View(Fn):
        @staticmethod
        def forward(ctx, a):
            return a.view_as(a)

        @staticmethod
        def backward(ctx, g):
            return g

        @staticmethod
        def jvp(ctx, t):
            return t.view_as(t)

    run(View.apply, x)

    run(with_jvp(View, lambda ctx, t: t.clone()).apply, x)
    run(with_jvp(View, lambda ctx, t: t).apply, x)

    class ViewNarrow(View):
        @staticmethod
        def forward(ctx, a):
            return a.narrow(0, 1, 2)

        @staticmethod
        def jvp(ctx, t):
            return t.narrow(0, 1, 2)

    run(ViewNarrow.apply, x)

    class Dirty(Fn):
        @staticmethod
        def forward(ctx, a):
            a.mul_(2)
            ctx.mark_dirty(a)
            return a

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            t.mul_(2)
            return t

    run(Dirty.apply, x.clone())

    class DirtyWrong(Dirty):
        @staticmethod
        def jvp(ctx, t):
            return t * 2

    run(DirtyWrong.apply, x.clone())

    class DirtyClone(Dirty):
        @staticmethod
        def jvp(ctx, t):
            t.mul_(2)
            return t.clone()

    run(DirtyClone.apply, x.clone())

    class NonDiff(Fn):
        @staticmethod
        def forward(ctx, a):
            o = a * 2
            p = a * 3
            ctx.mark_non_differentiable(p)
            return o, p

        @staticmethod
        def backward(ctx, g, h):
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            return t * 2, None

    run(NonDiff.apply, x)

    class NonDiffW(NonDiff):
        @staticmethod
        def jvp(ctx, t):
            return t * 2, t * 3

    run(NonDiffW.apply, x)

    class Wrong(Fn):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            return torch.ones(5)

    run(Wrong.apply, x)

    run(with_jvp(Wrong, lambda ctx, t: None).apply, x)
    run(with_jvp(Wrong, lambda ctx, t: (t, t)).apply, x)
    run(with_jvp(Wrong, lambda ctx, t: 3).apply, x)
    run(with_jvp(Wrong, lambda ctx, t: t.double()).apply, x)

    class Raises(Wrong):
        @staticmethod
        def jvp(ctx, t):
            raise ValueError("no")

    run(Raises.apply, x)

    run(with_jvp(Wrong, lambda ctx, t: [t * 2]).apply, x)

    class NoJvp(Fn):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    run(NoJvp.apply, x)

    class Args(Fn):
        @staticmethod
        def forward(ctx, k, a, b, i):
            ctx.k = k
            ctx.save_for_forward(a, b)
            ctx.save_for_backward(a)
            return a * k + b

        @staticmethod
        def backward(ctx, g):
            return None, g * ctx.k, g, None

        @staticmethod
        def jvp(ctx, k, ta, tb, ti):
            a, b = ctx.saved_tensors
            note((k, ta, tb, ti, a, b))
            return ta * ctx.k + (0 if tb is None else tb)

    run(Args.apply, 2.0, x, x + 1, torch.ones(2, dtype=torch.int64))
    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        note(lambda: fw.unpack_dual(Args.apply(3.0, d, x, torch.ones(2))))

    class NoMat(Args):
        @staticmethod
        def forward(ctx, k, a, b, i):
            ctx.set_materialize_grads(False)
            return Args.forward(ctx, k, a, b, i)

    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        note(lambda: fw.unpack_dual(NoMat.apply(3.0, d, x, torch.ones(2))))

    class Setup(Fn):
        @staticmethod
        def forward(a, b):
            return a * b

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(*inputs, output)
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * b, g * a

        @staticmethod
        def jvp(ctx, ta, tb):
            a, b, o = ctx.saved_tensors
            note((a, b, o))
            note(fw.unpack_dual(a))
            return ta * b + a * tb

    run(Setup.apply, x, x + 1)

    # double use: forward over reverse of a Function
    class Cube(Fn):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            ctx.save_for_forward(a)
            return a**3

        @staticmethod
        def backward(ctx, g):
            (a,) = ctx.saved_tensors
            return g * 3 * a**2

        @staticmethod
        def jvp(ctx, t):
            (a,) = ctx.saved_tensors
            return t * 3 * a**2

    q = x.clone().requires_grad_()
    with fw.dual_level():
        d = fw.make_dual(q, torch.ones(3))
        out = Cube.apply(d)
        (g,) = torch.autograd.grad(out.sum(), q, create_graph=True)
        note(lambda: fw.unpack_dual(g).tangent)
        note(lambda: fw.unpack_dual(out).tangent)
        note(lambda: torch.autograd.grad(fw.unpack_dual(out).tangent.sum(), q))


@program
def jvp_of_results(torch, ns, note):
    fw = forward_mode(torch)
    Fn = torch.autograd.Function
    x = torch.arange(1.0, 4.0)

    class F(Fn):
        @staticmethod
        def forward(ctx, a):
            note(fw.unpack_dual(a))
            return a * 2

        @staticmethod
        def jvp(ctx, t):
            note(fw.unpack_dual(t))
            note(torch.is_grad_enabled())
            note(fw._is_fwd_grad_enabled())
            return t * 2

    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        note(fw.unpack_dual(F.apply(d)))
        with torch.no_grad():
            note(fw.unpack_dual(F.apply(d)))
        with fw._set_fwd_grad_enabled(False):
            note(fw.unpack_dual(F.apply(d)))
        q = fw.make_dual(x.clone().requires_grad_(), x * 2)
        o = F.apply(q)
        note(o.requires_grad)
        note(o.grad_fn.name())
        note(fw.unpack_dual(o).tangent)

    class Int(Fn):
        @staticmethod
        def forward(ctx, a):
            return a.long(), a * 2

        @staticmethod
        def jvp(ctx, t):
            return None, t * 2

    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        note(lambda: [fw.unpack_dual(t) for t in Int.apply(d)])

    class Int2(Int):
        @staticmethod
        def jvp(ctx, t):
            return t, t * 2

    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        note(lambda: [fw.unpack_dual(t) for t in Int2.apply(d)])


@program
def tangents_of_views_are_views(torch, ns, note):
    """What ``jvp`` gives for a view of an argument is the tangent, not a copy in the base's."""
    fw = forward_mode(torch)

    class Shown(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, form):
            ctx.form = form
            return x + 1, form(x)

        @staticmethod
        def jvp(ctx, t, _):
            return t * 1, ctx.form(t)

    for form in (
        lambda x: x.view_as(x),
        lambda x: x.narrow(0, 1, 2),
        lambda x: x.view(1, 3),
        lambda x: x.detach().clone(),
    ):
        x, t = torch.arange(3.0), torch.arange(3.0, 6.0)
        with fw.dual_level():
            dual = fw.make_dual(x, t)
            plain, shown = Shown.apply(dual, form)
            tangent = fw.unpack_dual(shown).tangent
            note((tangent._is_view(), tangent._base is t, tangent.stride()))
            note(tangent)
            t.mul_(2)
            note(tangent)
            note(fw.unpack_dual(plain).tangent)
            shown.mul_(3)
            note(fw.unpack_dual(shown).tangent)
            note(fw.unpack_dual(dual).tangent)
