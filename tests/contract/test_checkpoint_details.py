"""``checkpoint``: arguments, errors, modules and functions inside, hooks, what it saves."""

from __future__ import annotations

import contextlib
import gc
import weakref

from tests.contract.programs import ones, submodule, suite

program, test_same_program_same_notes = suite(digits=4)


def lib(torch):
    return submodule(torch, "utils.checkpoint")


@program
def errors(torch, ns, note):
    c = lib(torch)
    a = ones(torch)

    def f(x):
        return x * x

    note(lambda: c.checkpoint(f, a))
    note(lambda: c.checkpoint(f, a, use_reentrant=True, foo=3))
    note(lambda: c.checkpoint(f, a, use_reentrant=False, foo=3))
    note(lambda: c.checkpoint(f, a, use_reentrant=True, context_fn=lambda: 3))
    note(lambda: c.checkpoint(f, a, use_reentrant=True, debug=True))
    note(lambda: c.checkpoint(f, a, use_reentrant=True, determinism_check="none"))
    note(lambda: c.checkpoint(f, a, use_reentrant=True, early_stop=False))
    note(lambda: c.checkpoint(f, a, use_reentrant=False, determinism_check="x"))
    note(lambda: c.checkpoint(f, a, use_reentrant=False, context_fn=3))
    note(lambda: c.checkpoint(f, a, use_reentrant=False, context_fn=lambda: 3))
    note(
        lambda: c.checkpoint(
            f,
            a,
            use_reentrant=False,
            context_fn=lambda: (contextlib.nullcontext(), contextlib.nullcontext()),
            debug=True,
        )
    )
    note(lambda: c.checkpoint(3, a, use_reentrant=False))
    note(lambda: c.checkpoint(3, a, use_reentrant=True))
    note(lambda: c.checkpoint(f, torch.ones(2), use_reentrant=True))
    note(lambda: c.checkpoint(f, torch.ones(2), use_reentrant=False))
    note(lambda: c.checkpoint(f, use_reentrant=False))
    note(lambda: c.checkpoint())
    note(lambda: c.checkpoint_sequential([f, f, f], 2, a))
    note(lambda: c.checkpoint_sequential([f, f, f], 2, a, use_reentrant=False))
    note(lambda: c.checkpoint_sequential([f, f, f], 2, a, use_reentrant=True, foo=3))
    note(lambda: c.checkpoint_sequential([f, f, f], 5, a, use_reentrant=False))
    note(lambda: c.checkpoint_sequential([f, f, f], 0, a, use_reentrant=False))

    def raising(x):
        raise ValueError("in")

    note(lambda: c.checkpoint(raising, a, use_reentrant=True))
    note(lambda: c.checkpoint(raising, a, use_reentrant=False))
    note(torch.is_grad_enabled())
    y = c.checkpoint(f, a, use_reentrant=True)
    note(lambda: torch.autograd.grad(y.sum(), a))
    y = c.checkpoint(f, a, use_reentrant=True)
    note(lambda: y.sum().backward(inputs=[a]))
    y = c.checkpoint(f, a, use_reentrant=True)
    y.sum().backward()
    note(lambda: y.sum().backward())
    y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward()
    note(lambda: y.sum().backward())
    note(a.grad)
    y = c.checkpoint(lambda x: x.detach(), a, use_reentrant=True)
    note(lambda: y.sum().backward())
    y = c.checkpoint(lambda x: (x * 2, 3, "s"), a, use_reentrant=True)
    note(y[1:])
    y[0].sum().backward()
    note(a.grad)
    note(lambda: c.checkpoint(lambda x: [x * 2, {"k": x * 3}], a, use_reentrant=False))


@program
def keyword_arguments_and_structures(torch, ns, note):
    c = lib(torch)
    a, b = ones(torch), ones(torch)

    def f(x, y=None, *, z=3, d=None):
        return x * y * z if d is None else x * y * d["k"]

    for kw in (dict(y=b), dict(y=b, z=5), dict(y=b, d={"k": a})):
        a.grad = b.grad = None
        y = c.checkpoint(f, a, use_reentrant=False, **kw)
        y.sum().backward()
        note([a.grad, b.grad])
    a.grad = None
    y = c.checkpoint(lambda l: l[0] * l[1]["k"], [a, {"k": b}], use_reentrant=False)
    y.sum().backward()
    note(a.grad)
    y = c.checkpoint(lambda x, n: x.exp() if n is None else x, a, None, use_reentrant=True)
    y.sum().backward()
    note(a.grad)


@program
def sequential(torch, ns, note):
    c = lib(torch)
    torch.manual_seed(0)
    for reentrant in (True, False):
        for segs in (1, 2, 3, 4):
            m = torch.nn.Sequential(
                torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 2), torch.nn.Tanh()
            )
            for p in m.parameters():
                torch.nn.init.constant_(p, 0.25)
            x = ones(torch, 3, 2)
            n = []
            m[2].register_forward_hook(lambda *a: n.append(1))
            y = c.checkpoint_sequential(m, segs, x, use_reentrant=reentrant)
            y.sum().backward()
            note(x.grad)
            note(m[0].weight.grad)
            note(len(n))


@program
def reentrant_details(torch, ns, note):
    c = lib(torch)
    a, b = ones(torch), ones(torch)

    def f(x, y, n):
        return x * y * n, x + y

    u, v = c.checkpoint(f, a, b, 3, use_reentrant=True)
    note((u.grad_fn.name(), v.grad_fn is u.grad_fn, u))
    u.sum().backward()
    note((a.grad, b.grad))
    y = c.checkpoint(f, a, torch.ones(2), 3, use_reentrant=True)
    (y[0] + y[1]).sum().backward()
    note(a.grad)
    note(lambda: c.detach_variable((a, 3, b * 2)))
    note(lambda: c.detach_variable([a]))
    note(lambda: c.check_backward_validity([torch.ones(2)]))
    note(lambda: c.check_backward_validity([a]))
    x = c.checkpoint(lambda x: x.mul(2), a, use_reentrant=True, preserve_rng_state=False)
    x.sum().backward()
    note(a.grad)
    note(lambda: c.CheckpointFunction.apply(lambda x: x * 2, True, a))


@program
def functions_in_checkpoints(torch, ns, note):
    c = lib(torch)

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y * x

    class Twice(Fn):
        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors[0]
            y = ctx.saved_tensors[1]
            return g * y * x

    a = ones(torch)
    for F in (Fn, Twice):
        for early in (True, False):
            a.grad = None
            y = c.checkpoint(lambda x: F.apply(x).sin(), a, use_reentrant=False, early_stop=early)
            note(lambda: y.sum().backward(retain_graph=True))
            note(a.grad)
            note(lambda: y.sum().backward())
            note(a.grad)

    class NonVar(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, d):
            ctx.d = d
            return x * d["k"]

        @staticmethod
        def backward(ctx, g):
            return g * ctx.d["k"], None

    y = c.checkpoint(lambda x: NonVar.apply(x, {"k": 3}), a, use_reentrant=False)
    y.sum().backward()
    note(a.grad)


@program
def inplace_in_checkpoints(torch, ns, note):
    c = lib(torch)
    a = ones(torch)

    def f(x):
        y = x.clone()
        y.mul_(2)
        z = y.exp()
        z.mul_(3) if False else None
        y.zero_()
        return z

    y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward()
    note(a.grad)

    def g(x):
        y = x.clone()
        z = y.sin()
        y.mul_(2)
        return z

    y = c.checkpoint(g, a, use_reentrant=False)
    note(lambda: y.sum().backward())
    note(a.grad)
    b = a * 1

    def h(x):
        x.mul_(2)
        return x.exp()

    y = c.checkpoint(h, b, use_reentrant=False)
    note(lambda: y.sum().backward())
    note(a.grad)


@program
def detached_and_hooked(torch, ns, note):
    c = lib(torch)
    log = []
    a = ones(torch)

    def f(x):
        y = x.sin()
        if y.requires_grad:
            y.register_hook(lambda g: log.append(g.tolist()))
        return y.exp()

    y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward()
    note(log)
    note(a.grad)
    log.clear()
    y = c.checkpoint(f, a, use_reentrant=True)
    y.sum().backward()
    note(log)
    S = torch.autograd.graph.saved_tensors_hooks
    log.clear()
    with S(lambda x: (log.append("p"), x)[1], lambda x: (log.append("u"), x)[1]):
        y = c.checkpoint(lambda x: x.sin().exp(), a, use_reentrant=False)
        z = y.cos()
    z.sum().backward()
    note(log)
    log.clear()

    def g(x):
        with S(lambda x: (log.append("p"), x)[1], lambda x: (log.append("u"), x)[1]):
            return x.sin().exp()

    y = c.checkpoint(g, a, use_reentrant=False)
    y.sum().backward()
    note(log)
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        note(lambda: c.checkpoint(lambda x: x.sin(), a, use_reentrant=False))
        note(lambda: c.checkpoint(lambda x: x.sin(), a, use_reentrant=True))


@program
def kwargs_shared_and_modules(torch, ns, note):
    c = lib(torch)

    class M(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.full((2, 2), 0.5))
            self.n = 0

        def forward(self, x, scale=1.0):
            self.n += 1
            return torch.relu(x @ self.w) * scale

    for re in (True, False):
        m = M()
        x = ones(torch, 2, 2)
        y = (
            c.checkpoint(m, x, use_reentrant=re)
            if re
            else c.checkpoint(m, x, use_reentrant=False, scale=2.0)
        )
        y.sum().backward()
        note((m.w.grad, x.grad, m.n))
    m = M()
    x = torch.ones(2, 2)
    c.checkpoint(m, x, use_reentrant=False).sum().backward()
    note((m.w.grad, m.n))
    y = c.checkpoint(m, x, use_reentrant=True)
    note(y.requires_grad)


@program
def saved_object_identity(torch, ns, note):
    c = lib(torch)
    for early in (True, False):

        def f(*ts):
            return sum(t.sin() for t in ts)

        ts = [ones(torch) for _ in range(3)]
        a = ones(torch) * 1
        y = c.checkpoint(f, *ts, a, use_reentrant=False, early_stop=early)
        y.sum().backward()
        note([t.grad for t in ts])
    x = ones(torch)
    z = c.checkpoint(lambda t: t.sin().sin(), x, use_reentrant=False)
    w = c.checkpoint(lambda t: t.exp(), z, use_reentrant=False)
    w.sum().backward()
    note(x.grad)
    u = x * 1
    z = c.checkpoint(lambda t: t.sin(), u, use_reentrant=False)
    u.mul_(2)
    note(lambda: z.sum().backward())


@program
def functions_stopped_early_are_freed(torch, ns, note):
    """What a Function made in a recomputation that was stopped inside of it lives no longer."""
    made = []

    class Kept(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.clone()
            ctx.save_for_backward(y)
            made.append(weakref.ref(y))
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    gc.collect()
    gc.disable()
    try:
        x = torch.ones(2, requires_grad=True)
        lib(torch).checkpoint(Kept.apply, x, use_reentrant=False).sum().backward()
        note(len(made))
        note([each() is None for each in made])
        note(x.grad)
    finally:
        gc.enable()
