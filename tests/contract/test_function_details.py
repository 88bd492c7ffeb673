"""``autograd.Function`` in detail: attributes, marks, methods, errors, what ``forward`` gives."""

from __future__ import annotations

from tests.contract.programs import made, ones, suite

program, test_same_program_same_notes = suite(digits=4)


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
def instances_of_functions(torch, ns, note):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    f = Same()
    x = torch.ones(1, requires_grad=True)
    x._backward_hooks = {}
    note(lambda: f(x))
    for name in (
        "next_functions _input_metadata metadata saved_tensors _raw_saved_tensors requires_grad "
        "needs_input_grad dirty_tensors non_differentiable saved_for_forward to_save"
    ).split():
        note(lambda name=name: getattr(f, name))
    note(lambda: f.name())
    note(lambda: f._sequence_nr() >= 0)
    note(lambda: f._set_sequence_nr(2))
    note(lambda: f._register_hook_dict(x))
    note(lambda: f.register_hook(lambda a, b: None).remove())
    note(lambda: f.register_prehook(lambda a: None).remove())
    note(lambda: setattr(f, "next_functions", 1))
    f.metadata["own"] = 1
    note(f.metadata)


@program
def pure_views(torch, ns, note):
    """A Function that says it only shows its argument differently; its result may change."""

    def made(inputs, outputs, form):
        class View(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *args):
                ctx._is_pure_view = True
                shown = form(args[0])
                return {1: shown, 2: (shown, args[0] * 2), 3: (shown, 3)}[outputs]

            @staticmethod
            def backward(ctx, *grads):
                return (torch.ones(3),) + (None,) * (inputs - 1)

        return View

    for inputs, outputs in ((1, 1), (1, 2), (1, 3), (2, 1)):
        for form in (
            lambda x: x.view_as(x),
            lambda x: x.narrow(0, 0, 2),
            lambda x: x.clone(),
            lambda x: x,
            lambda x: x.clone()[0],
        ):
            view = made(inputs, outputs, form)
            for grad in (True, False):
                x = torch.ones(3, requires_grad=grad).clone()
                more = [torch.ones(3)] * (inputs - 1)

                def change(view=view, x=x, more=more, grad=grad):
                    y = view.apply(x, *more)
                    note((y._is_view(), y.requires_grad, y.grad_fn and y.grad_fn.name()))
                    if grad:
                        note(torch.autograd.grad(y.sum(), x, retain_graph=True))
                    y *= 3
                    return y.grad_fn and y.grad_fn.name(), x.grad_fn and x.grad_fn.name(), y

                note(change)
                note(x)
            with torch.no_grad():
                note(lambda view=view, x=x, more=more: view.apply(x, *more))

    class Said(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            note(lambda: setattr(ctx, "_is_pure_view", 3))
            note(lambda: ctx._is_pure_view)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g

    note(Said.apply(torch.ones(2, requires_grad=True)))
