"""Function."""

from __future__ import annotations

import gc
import weakref

import pytest

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function, digits=4)


def ones(torch, *shape, **options):
    return torch.ones(*(shape or (2,)), requires_grad=True, **options)


def made(torch, forward, backward=lambda ctx, g: g, name="Fn", **more):
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    body.update({k: staticmethod(v) if callable(v) else v for k, v in more.items()})
    return type(name, (torch.autograd.Function,), body)


@program
def user_names_of_attributes(torch, ns, note):
    names = (
        "key",
        "saved",
        "edges",
        "extra",
        "nr",
        "quick",
        "release",
        "num_outputs",
        "variable",
        "apply_",
        "foo",
        "node",
        "message",
        "takes_undefined",
        "takes_edges",
        "is_accumulator",
        "stream",
        "hooks",
        "input_metadata",
        "release",
        "state",
    )

    def forward(ctx, x):
        for i, n in enumerate(names):
            setattr(ctx, n, i)
        ctx.save_for_backward(x, x * 2)
        return x * 2

    def backward(ctx, g):
        note([getattr(ctx, n) for n in names])
        note(len(ctx.saved_tensors))
        ctx.key = "k"
        return g * 3

    F = made(torch, forward, backward)
    a = ones(torch)
    y = F.apply(a)
    note([getattr(y.grad_fn, n) for n in names])
    y.register_hook(lambda g: note("hook") and None)
    y.grad_fn.register_hook(lambda i, o: note("post") and None)
    note(lambda: y.sum().backward(retain_graph=True))
    note(y.grad_fn.key)
    y.grad_fn.saved = 9
    y.grad_fn.edges = 10
    note(lambda: y.sum().backward())
    note(y.grad_fn.saved)
    note(a.grad)

    def setup(ctx, i, o):
        ctx.key = 3
        ctx.saved = 4
        ctx.extra = 5
        ctx.edges = 6

    F = made(
        torch,
        lambda x: x * 2,
        lambda ctx, g: (note([ctx.key, ctx.saved, ctx.extra, ctx.edges]), g)[1],
        setup_context=setup,
    )
    F.apply(a).sum().backward()
    with torch.no_grad():
        F.apply(a)


@program
def wrong_results_of_backward(torch, ns, note):
    a, b = ones(torch), ones(torch)
    for r in (
        lambda g: None,
        lambda g: (g, g),
        lambda g: (g, None),
        lambda g: (None, None),
        lambda g: 3,
        lambda g: "a",
        lambda g: [g],
        lambda g: (),
        lambda g: torch.ones(3),
        lambda g: torch.ones(2, 2),
        lambda g: torch.ones(()),
        lambda g: torch.ones(1),
        lambda g: g.double(),
        lambda g: g.to(torch.complex64),
        lambda g: g.long(),
        lambda g: torch.ones(2, device="meta"),
        lambda g: torch.ones(3, 2),
        lambda g: torch.ones(2, 1),
        lambda g: (g, 3),
        lambda g: (g, None, None),
    ):
        a = ones(torch)
        F = made(torch, lambda ctx, x: x * 1, lambda ctx, g, r=r: r(g))
        note(lambda: F.apply(a).sum().backward())
        note(a.grad)
    for r in (
        lambda g: g,
        lambda g: (g, g),
        lambda g: (g, None, g),
        lambda g: (g, g, g),
        lambda g: (g, g, None),
        lambda g: (g, None),
    ):
        F = made(torch, lambda ctx, x, n, y: x * n * y, lambda ctx, g, r=r: r(g))
        note(lambda: F.apply(a, 2, b).sum().backward())
    F = made(torch, lambda ctx, x, y: x * y.float(), lambda ctx, g: (g, g))
    note(lambda: F.apply(a, torch.ones(2, dtype=torch.int64)).sum().backward())
    F = made(torch, lambda ctx, x, y: x * y, lambda ctx, g: (g, torch.ones(5)))
    note(lambda: F.apply(a, torch.ones(2)).sum().backward())
    F = made(torch, lambda ctx, x: x * 1j, lambda ctx, g: g)
    note(lambda: F.apply(a).abs().sum().backward())
    note(a.grad)


@program
def needs_input_grad(torch, ns, note):
    def backward(ctx, g):
        note(ctx.needs_input_grad)
        return g, (g if ctx.needs_input_grad[1] else None), None

    F = made(torch, lambda ctx, x, y, z: x * y, backward)
    a, b = ones(torch), ones(torch)
    F.apply(a, b, 3).sum().backward()
    F.apply(a, torch.ones(2), None).sum().backward()
    y = F.apply(a, b, 3)
    torch.autograd.grad(y.sum(), a)
    y = F.apply(a * 1, b * 1, 3)
    torch.autograd.grad(y.sum(), b)
    y = F.apply(a, b, 3)
    y.sum().backward(inputs=[b])

    def fw(ctx, x, y, z):
        note(ctx.needs_input_grad)
        return x * y

    F = made(torch, fw, backward)
    with torch.no_grad():
        F.apply(a, b, 3)
    F.apply(torch.ones(2), b, "s")
    F.apply(torch.ones(2), torch.ones(2), "s")

    def setup(ctx, i, o):
        note(ctx.needs_input_grad)

    made(torch, lambda x: x * 1, setup_context=setup).apply(a)


@program
def materialized_gradients(torch, ns, note):
    def backward(ctx, *g):
        note(g)
        return g[0]

    def fw(ctx, x):
        return x * 1, x * 2, 3, x.long()

    a = ones(torch)
    made(torch, fw, backward).apply(a)[1].sum().backward()

    def fw2(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2, 3, x.long()

    made(torch, fw2, backward).apply(a)[1].sum().backward()

    def fw3(ctx, x):
        o = x * 2
        ctx.mark_non_differentiable(o)
        return x * 1, o

    made(torch, fw3, backward).apply(a)[0].sum().backward()

    def fw4(ctx, x):
        o = x * 2
        ctx._materialize_non_diff_grads = (
            False if hasattr(ctx, "_materialize_non_diff_grads") else None
        )
        ctx.mark_non_differentiable(o)
        return x * 1, o

    made(torch, fw4, backward).apply(a)[0].sum().backward()

    def fw5(ctx, x):
        note(lambda: ctx.set_materialize_grads(3))
        note(lambda: ctx.set_materialize_grads("a"))
        return x * 1

    made(torch, fw5).apply(a)

    def bad(ctx, x):
        ctx.materialize_grads = False
        return x * 1, x * 2

    made(torch, bad, backward).apply(a)[1].sum().backward()


@program
def marking(torch, ns, note):
    a = ones(torch)
    b = ones(torch)

    def t(forward, *args, backward=lambda ctx, *g: g[0]):
        note(lambda: made(torch, forward, backward).apply(*args))

    t(lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1], a)
    t(lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1], a * 1)
    t(lambda ctx, x: (ctx.mark_dirty(x), x * 2)[1], a * 1)
    t(lambda ctx, x: (ctx.mark_dirty(3), x * 2)[1], a)
    t(lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2), None)[1:], a * 1)
    t(lambda ctx, x: (ctx.mark_non_differentiable(3), x * 2)[1], a)
    t(lambda ctx, x: (ctx.mark_non_differentiable(x), x * 2)[1], a)
    t(lambda ctx, x: (ctx.mark_non_differentiable(x), x)[1], a)
    t(lambda ctx, x: (ctx.save_for_backward(3), x * 2)[1], a)
    t(lambda ctx, x: (ctx.save_for_backward([x]), x * 2)[1], a)
    t(lambda ctx, x: (ctx.save_for_backward(None), x * 2)[1], a)
    t(lambda ctx, x: (setattr(ctx, "to_save", [x]), x * 2)[1], a)
    t(lambda ctx, x: (setattr(ctx, "to_save", 3), x * 2)[1], a)
    t(lambda ctx, x: (setattr(ctx, "dirty_tensors", 3), x * 2)[1], a)
    t(lambda ctx, x: (setattr(ctx, "dirty_tensors", [x]), x * 2)[1], a)
    t(lambda ctx, x: (setattr(ctx, "non_differentiable", 3), x * 2)[1], a)
    t(lambda ctx, x: (setattr(ctx, "non_differentiable", [x]), x * 2)[1], a)
    t(lambda ctx, x: (ctx.save_for_forward(3), x * 2)[1], a)
    t(lambda ctx, x: (ctx.mark_shared_storage((x, x)), x * 2)[1], a)
    t(lambda ctx, x: None, a)
    t(lambda ctx, x: 3, a)
    t(lambda ctx, x: (3, "a"), a)
    t(lambda ctx, x: [x * 2], a)
    t(lambda ctx, x: {"k": x * 2}, a)
    t(lambda ctx, x: (), a)
    t(lambda ctx, x: (x * 2, [x * 3]), a)
    t(lambda ctx, x: (x * 2, None), a)
    t(lambda ctx, x: x, a)
    t(lambda ctx, x: (x, x), a)
    t(lambda ctx, x: (lambda o: (o, o))(x * 2), a)
    t(lambda ctx, x: x.view(2), a)
    t(lambda ctx, x: x.view(2), a * 1)
    t(lambda ctx, x: x.detach(), a)
    t(lambda ctx, x: x.long(), a)
    t(lambda ctx, x: b, a)
    t(lambda ctx, x: x * 2, [a])
    t(lambda ctx, x, y: x[0] * 2, [a], b)


@program
def methods_that_are_missing(torch, ns, note):
    a = ones(torch)

    class Empty(torch.autograd.Function):
        pass

    note(lambda: Empty.apply(a))
    note(lambda: Empty.apply())

    class Fw(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    y = Fw.apply(a)
    note(lambda: y.sum().backward())

    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

        @staticmethod
        def vjp(ctx, g):
            return g

    note(lambda: Both.apply(a).sum().backward())

    class Vjp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, g):
            return g * 7

    note(lambda: Vjp.apply(a).sum().backward())
    note(a.grad)
    note(lambda: Fw())
    note(lambda: Fw()(a))

    class NonStatic(torch.autograd.Function):
        def forward(ctx, x):
            return x * 2

        def backward(ctx, g):
            return g

    note(lambda: NonStatic.apply(a).sum().backward())

    class Setup(torch.autograd.Function):
        @staticmethod
        def forward(x, y=3):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            note((inputs, output))

        @staticmethod
        def backward(ctx, g):
            return g, None

    note(lambda: Setup.apply(a))
    note(lambda: Setup.apply(a, 5))
    note(lambda: Setup.apply(a, y=6))
    note(lambda: Setup.apply(a, 5, 6))
    note(lambda: Setup.apply())
    note(lambda: Setup.apply(a, z=3))
    note(lambda: Setup.apply(a, 5, y=6))

    class SetupRet(Setup):
        @staticmethod
        def setup_context(ctx, inputs, output):
            return 3

    note(lambda: SetupRet.apply(a))

    class Kw(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, *, y=3):
            return x * y

    note(lambda: Kw.apply(a, y=5))

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y=3):
            return x * y

        @staticmethod
        def backward(ctx, g):
            return g, None

    note(lambda: Two.apply(a, y=5))
    note(lambda: Two.apply(x=a))
    note(lambda: Two.apply(y=5, x=a))
    note(lambda: Two.apply(y=5))


@program
def exceptions_inside(torch, ns, note):
    a = ones(torch)

    class MyErr(Exception):
        pass

    def boom(ctx, g):
        raise MyErr("backward")

    F = made(torch, lambda ctx, x: x * 2, boom)
    y = F.apply(a)
    note(lambda: y.sum().backward())
    note(lambda: y.sum().backward())
    note(a.grad)

    def fboom(ctx, x):
        raise MyErr("forward")

    note(lambda: made(torch, fboom).apply(a))
    note(torch.is_grad_enabled())

    def fboom2(ctx, x):
        x.mul_(2)
        raise MyErr("forward")

    b = a * 1
    note(lambda: made(torch, fboom2).apply(b))
    note((b, b._version))

    def sboom(ctx, i, o):
        raise MyErr("setup")

    note(lambda: made(torch, lambda x: x * 2, setup_context=sboom).apply(a))
    note(torch.is_grad_enabled())

    def kb(ctx, g):
        raise KeyboardInterrupt("kb")

    try:
        made(torch, lambda ctx, x: x * 2, kb).apply(a).sum().backward()
    except BaseException as e:
        note(type(e).__name__)

    def se(ctx, g):
        raise SystemExit(3)

    try:
        made(torch, lambda ctx, x: x * 2, se).apply(a).sum().backward()
    except BaseException as e:
        note((type(e).__name__, e.args))

    def si(ctx, g):
        raise StopIteration(3)

    try:
        made(torch, lambda ctx, x: x * 2, si).apply(a).sum().backward()
    except BaseException as e:
        note((type(e).__name__, e.args))


@program
def once_differentiable(torch, ns, note):
    od = torch.autograd.function.once_differentiable

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @od
        def backward(ctx, g):
            note((torch.is_grad_enabled(), g.requires_grad))
            (x,) = ctx.saved_tensors
            return g * x * 2

    a = ones(torch)
    F.apply(a).sum().backward()
    note(a.grad)
    (g,) = torch.autograd.grad(F.apply(a).sum(), a, create_graph=True)
    note(g)
    note(lambda: g.sum().backward())
    note(F.backward.__name__)

    class Several(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        @od
        def backward(ctx, g):
            return g, None

    b = ones(torch)
    g = torch.autograd.grad(Several.apply(a, b).sum(), [a, b], create_graph=True, allow_unused=True)
    note(g)
    g = torch.autograd.grad(
        (Several.apply(a, b) * a).sum(), [a], create_graph=True, allow_unused=True
    )
    note(lambda: g[0].sum().backward())


@program
def saved_tensors_of_functions(torch, ns, note):
    a = ones(torch)

    def fw(ctx, x):
        y = x * 2
        z = x * 3
        ctx.save_for_backward(x, y, z, None)
        return y

    def bw(ctx, g):
        x, y, z, n = ctx.saved_tensors
        note(
            [
                x.requires_grad,
                x.is_leaf,
                y.requires_grad,
                y.grad_fn is not None,
                z.requires_grad,
                n,
                x is a,
            ]
        )
        return g

    F = made(torch, fw, bw)
    y = F.apply(a)
    note(y.grad_fn.saved_tensors[1] is y)
    note(y.grad_fn.saved_tensors[1].grad_fn is y.grad_fn)
    y.sum().backward()
    note(lambda: y.grad_fn.saved_tensors)
    note(lambda: y.sum().backward())
    note(lambda: y.grad_fn._raw_saved_tensors)
    F = made(torch, fw, lambda ctx, g: g)
    y = F.apply(a)
    y.sum().backward()
    note(lambda: y.sum().backward())
    y = F.apply(a)
    y.mul_(2)
    note(lambda: y.grad_fn.next_functions[0][0].saved_tensors)
    note(lambda: y.sum().backward())
    b = a * 1
    y = F.apply(b)
    b.mul_(2)
    note(lambda: y.grad_fn.saved_tensors)
    F2 = made(torch, fw, bw)
    y = F2.apply(b)
    b.mul_(2)
    note(lambda: y.sum().backward())

    def late(ctx, x):
        ctx.keep = x
        return x * 2

    def latebw(ctx, g):
        ctx.save_for_backward(g)
        note(lambda: ctx.saved_tensors)
        return g

    made(torch, late, latebw).apply(a).sum().backward()

    def twice(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x, x)
        return x * 2

    note(len(made(torch, twice).apply(a).grad_fn.saved_tensors))

    def inside(ctx, x):
        ctx.save_for_backward(x)
        note(lambda: ctx.saved_tensors)
        note(lambda: ctx.needs_input_grad)
        return x * 2

    made(torch, inside).apply(a)
    with torch.no_grad():
        made(torch, inside).apply(a)


@program
def clearing_saved_tensors(torch, ns, note):
    a = ones(torch)

    def fw(ctx, x):
        ctx.save_for_backward(x, x * 2)
        return x * 2

    def bw(ctx, g):
        note(len(ctx.saved_tensors))
        note(lambda: ctx.saved_tensors)
        return g

    F = made(torch, fw, bw, clear_saved_tensors_on_access=True)
    y = F.apply(a)
    note(lambda: y.sum().backward(retain_graph=True))
    note(lambda: y.sum().backward())

    def bw2(ctx, g):
        note(len(ctx.saved_tensors))
        ctx.maybe_clear_saved_tensors()
        note(lambda: len(ctx.saved_tensors))
        return g

    F = made(torch, fw, bw2)
    y = F.apply(a)
    note(lambda: y.sum().backward(retain_graph=True))
    note(lambda: y.sum().backward())
    note(lambda: y.sum().backward())


@program
def boxed_gradients(torch, ns, note):
    a = ones(torch)

    def bw(ctx, grads):
        note(grads)
        note(type(grads).__name__)
        return grads[0]

    F = made(torch, lambda ctx, x: (x * 1, x * 2), bw, boxed_grads_call=True)
    note(lambda: F.apply(a)[0].sum().backward())


@program
def double_backward(torch, ns, note):
    def fw(ctx, x):
        y = x**3
        ctx.save_for_backward(x, y)
        return y

    def bw(ctx, g):
        x, y = ctx.saved_tensors
        return g * 3 * x**2 + 0 * y

    F = made(torch, fw, bw)
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    (g,) = torch.autograd.grad(F.apply(a).sum(), a, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), a, create_graph=True)
    (k,) = torch.autograd.grad(h.sum(), a)
    note([g, h, k])

    def fwc(ctx, x):
        with torch.enable_grad():
            xx = x.detach().requires_grad_()
            ctx.y = xx.exp()
            ctx.x = xx
        return ctx.y.detach()

    def bwc(ctx, g):
        return torch.autograd.grad(ctx.y, ctx.x, g)[0]

    F = made(torch, fwc, bwc)
    note(torch.autograd.grad(F.apply(a * 0).sum(), a))


@program
def subclasses_and_names(torch, ns, note):
    F = made(torch, lambda ctx, x: x * 2, name="Some_Name")
    y = F.apply(ones(torch))
    note(y.grad_fn.name())
    note(type(y.grad_fn).__name__)
    note(repr(y))
    note(repr(y.grad_fn))
    note(F._backward_cls.__name__)
    note(type(y.grad_fn)._forward_cls is F)
    note(isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction))
    note(isinstance(y.grad_fn, torch.autograd.function.FunctionCtx))
    note(isinstance(y.grad_fn, torch.autograd.graph.Node))
    note(type(F).__name__)
    note(lambda: y.grad_fn(torch.ones(2)))
    note(lambda: y.grad_fn.apply(torch.ones(2)))
    note(lambda: y.grad_fn.apply())
    note(lambda: F.apply.__name__)
    note(lambda: F.forward(None, torch.ones(2)))
    note(lambda: F.backward(None, torch.ones(2)))

    class G(F):
        @staticmethod
        def backward(ctx, g):
            return g * 9

    z = G.apply(ones(torch))
    note(z.grad_fn.name())

    class H(G):
        pass

    note(H.apply(ones(torch)).grad_fn.name())


@program
def returned_inputs(torch, ns, note):
    F = made(torch, lambda ctx, x: x, lambda ctx, g: g * 3)
    a = ones(torch)
    y = F.apply(a)
    note([y is a, y.grad_fn.name(), y._is_view(), y._base is a])
    y.sum().backward()
    note(a.grad)
    note(lambda: y.mul_(2))
    b = a * 1
    y = F.apply(b)
    note([y is b, y._is_view()])
    note(lambda: y.mul_(2))
    note(lambda: (y.sum().backward(), a.grad))
    c = torch.ones(2)
    y = F.apply(c)
    note([y is c, y.requires_grad, y._is_view()])

    def dirty(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    D = made(torch, dirty, lambda ctx, g: g * 5)
    d = a * 1
    y = D.apply(d)
    note([y is d, d.grad_fn.name(), d._version])
    y.sum().backward()
    note(a.grad)
    base = a * 1
    v = base[0:1]
    note(lambda: D.apply(v))
    note(lambda: base.grad_fn.name())
    note(lambda: (base.sum().backward(), a.grad)[1])
    leafview = a[0:1]
    note(lambda: D.apply(leafview))
    with torch.no_grad():
        nv = a[0:1]
    note(lambda: D.apply(nv))


@program
def grad_mode_in_forward(torch, ns, note):
    def fw(ctx, x):
        note(torch.is_grad_enabled())
        with torch.enable_grad():
            y = x * 2
            note(y.requires_grad)
        note(y.grad_fn is not None)
        return y

    F = made(torch, fw)
    a = ones(torch)
    y = F.apply(a)
    note(y.grad_fn.name())
    y.sum().backward()
    note(a.grad)


@program
def nothing_differentiable(torch, ns, note):
    F = made(torch, lambda ctx, x: x * 2)
    note(F.apply(torch.ones(2)))
    note(F.apply(torch.ones(2, dtype=torch.int64)))
    note(lambda: F.apply(3))
    note(lambda: made(torch, lambda ctx: torch.ones(2)).apply())
    note(lambda: made(torch, lambda ctx: 5).apply())
    with torch.inference_mode():
        i = torch.ones(2)
        note(F.apply(i).is_inference())
    note(lambda: F.apply(i))

    def sv(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    note(lambda: made(torch, sv).apply(i, ones(torch)))
    with torch.inference_mode():
        note(lambda: made(torch, sv).apply(i, ones(torch)).requires_grad)


@program
def ctx_outlives_and_cycles(torch, ns, note):
    class Obj:
        pass

    def run(keep):
        o = Obj()

        def fw(ctx, x):
            ctx.o = o
            y = x * 2
            if keep:
                ctx.y = y
            return y

        y = made(torch, fw).apply(ones(torch))
        y.sum().backward()
        return weakref.ref(o)

    gc.collect(1)
    note(run(False)() is None)
    r = run(True)
    gc.collect()
    note(r() is None)
    ctxs = []

    def stash(ctx, x):
        ctxs.append(ctx)
        ctx.save_for_backward(x)
        return x * 2

    y = made(torch, stash).apply(ones(torch))
    del y
    gc.collect(1)
    note(lambda: ctxs[0].saved_tensors)
    note(lambda: ctxs[0].next_functions[0][0].name())
    note(lambda: ctxs[0].metadata)
    note(lambda: ctxs[0].name())

    try:
        made(torch, lambda ctx, x: (ctxs.append(ctx), 1 / 0)[0]).apply(ones(torch))
    except ZeroDivisionError:
        pass
    note(lambda: ctxs[-1].saved_tensors)


@program
def hooks_of_function_nodes(torch, ns, note):
    log = []
    F = made(
        torch,
        lambda ctx, x, y: (x * y, x + y),
        lambda ctx, g, h: (log.append([g.tolist(), h.tolist()]), (g + h, g))[1],
    )
    a, b = ones(torch), ones(torch)
    u, v = F.apply(a, b)
    u.grad_fn.register_prehook(
        lambda o: (
            log.append([None if x is None else x.tolist() for x in o]),
            (o[0], torch.ones(2) * 7) if False else None,
        )[1]
    )
    u.grad_fn.register_hook(lambda i, o: (log.append([len(i), len(o)]), (i[0] * 2, i[1]))[1])
    u.sum().backward()
    note(log)
    note([a.grad, b.grad])
    note(u.grad_fn is v.grad_fn)
    note(lambda: u.grad_fn.register_hook(lambda *x: None).remove())
