"""checkpoint."""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
import weakref

import pytest

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()


@pytest.fixture(autouse=True)
def _torchs_log_is_its_own():
    """Torch leaves its log cut off from the others; pytest then formats what is not for it."""
    logging.getLogger("LoggingTensor").propagate = True


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function, digits=4)


def ones(torch, *shape, **options):
    return torch.ones(*(shape or (2,)), requires_grad=True, **options)


def lib(torch):
    import importlib

    return importlib.import_module(torch.__name__ + ".utils.checkpoint")


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
def runs_are_counted(torch, ns, note):
    c = lib(torch)
    for early in (True, False):
        for reentrant in (True, False):
            n = []

            def f(x):
                n.append(torch.is_grad_enabled())
                y = x.sin()
                z = y.exp()
                n.append("mid")
                w = z + 1
                n.append("end")
                return w

            a = ones(torch)
            y = (
                c.checkpoint(f, a, use_reentrant=reentrant)
                if reentrant
                else c.checkpoint(f, a, use_reentrant=False, early_stop=early)
            )
            note(list(n))
            n.clear()
            y.sum().backward()
            note(n)
            note(a.grad)
    with c.set_checkpoint_early_stop(False):
        n.clear()
        y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward()
    note(n)
    n.clear()
    with c.set_checkpoint_early_stop(True):
        y = c.checkpoint(f, a, use_reentrant=False, early_stop=False)
    y.sum().backward()
    note(n)


@program
def retained_graphs(torch, ns, note):
    c = lib(torch)
    n = []

    def f(x):
        n.append(1)
        return x.sin().exp()

    a = ones(torch)
    y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    y.sum().backward(retain_graph=True)
    note((len(n), a.grad))
    y.sum().backward()
    note(len(n))
    y = c.checkpoint(f, a, use_reentrant=True)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    note((len(n), a.grad))
    y = c.checkpoint(f, a, use_reentrant=False)
    (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    note((g, len(n)))
    (h,) = torch.autograd.grad(g.sum(), a)
    note((h, len(n)))
    y = c.checkpoint(f, a, use_reentrant=False)
    note(lambda: y.grad_fn._saved_result)
    note(lambda: y.grad_fn._saved_result)
    note(len(n))
    y = c.checkpoint(f, a, use_reentrant=False)
    note(lambda: torch.autograd.grad(y.sum(), a))


@program
def nested(torch, ns, note):
    c = lib(torch)
    ck = functools.partial(c.checkpoint, use_reentrant=False)
    n = []

    def sin(x):
        n.append("sin")
        return x.sin()

    def exp(x):
        n.append("exp")
        return x.exp()

    def inner(x):
        return ck(exp, ck(sin, x))

    def outer(x):
        return ck(sin, ck(inner, ck(exp, x)))

    a = ones(torch)
    for f in (
        inner,
        outer,
        lambda x: ck(outer, x),
        lambda x: ck(lambda y: ck(lambda z: ck(sin, z), y), x).exp(),
    ):
        a.grad = None
        n.clear()
        y = f(a)
        y.sum().backward(retain_graph=True)
        note((a.grad, len(n)))
        y.sum().backward()
        note((a.grad, len(n), n))
    (g,) = torch.autograd.grad(outer(a).sum(), a, create_graph=True)
    note(torch.autograd.grad(g.sum(), a))
    n.clear()
    with c.set_checkpoint_early_stop(False):
        y = outer(a)
    y.sum().backward()
    note(n)

    def mixed(x):
        return c.checkpoint(sin, ck(exp, x), use_reentrant=True)

    a.grad = None
    ck(mixed, a).sum().backward() if False else mixed(a).sum().backward()
    note(a.grad)
    n.clear()
    y = c.checkpoint(lambda x: ck(sin, x) * 2, a, use_reentrant=True)
    y.sum().backward()
    note((a.grad, n))


@program
def backward_inside(torch, ns, note):
    c = lib(torch)
    a = ones(torch)

    def f(x):
        y = x * 2
        z = y.detach().requires_grad_()
        w = z.exp()
        w.sum().backward()
        return y.sin() * z.grad

    for early in (True, False):
        a.grad = None
        y = c.checkpoint(f, a, use_reentrant=False, early_stop=early)
        note(y)
        note(lambda: y.sum().backward())
        note(a.grad)

    def g(x):
        y = x.exp()
        (gr,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        return gr * x

    a.grad = None
    y = c.checkpoint(g, a, use_reentrant=False)
    note(lambda: y.sum().backward())
    note(a.grad)

    def h(x):
        s = x.sin()
        s.sum().backward(retain_graph=True)
        return s

    a.grad = None
    y = c.checkpoint(h, a, use_reentrant=False)
    note(lambda: y.sum().backward())
    note(a.grad)


@program
def differing_runs(torch, ns, note):
    c = lib(torch)
    a = ones(torch)

    def varying(kinds):
        state = {"n": 0}

        def f(x):
            k = kinds[min(state["n"], len(kinds) - 1)]
            state["n"] += 1
            return k(x)

        return f

    def one(x):
        return x.sin()

    cases = [
        [lambda x: x.sin().exp(), one],
        [one, lambda x: x.sin().exp()],
        [lambda x: x.sin(), lambda x: torch.cat([x, x]).sin()[:2]],
        [lambda x: x.sin(), lambda x: x.double().sin().float()],
        [lambda x: x.sin(), lambda x: x],
        [lambda x: x.sin() * x, lambda x: x.sin() * x.detach()],
    ]
    for kinds in cases:
        for opts in (
            dict(),
            dict(determinism_check="none"),
            dict(early_stop=False),
            dict(early_stop=False, determinism_check="none"),
        ):
            y = c.checkpoint(varying(kinds), a, use_reentrant=False, **opts)
            note(lambda: y.sum().backward())
    y = c.checkpoint(varying(cases[0]), a, use_reentrant=False, debug=True)

    def first(f):
        try:
            f()
        except Exception as e:
            return (
                type(e).__name__,
                [
                    l
                    for l in str(e).splitlines()
                    if "site-packages" not in l and "/tmp" not in l and ":" in l
                ][:0],
                type(e.__cause__).__name__,
            )

    note(lambda: first(lambda: y.sum().backward()))
    note(issubclass(c.CheckpointError, RuntimeError))
    with c.set_checkpoint_debug_enabled(True):
        y = c.checkpoint(varying(cases[0]), a, use_reentrant=False)
    note(lambda: first(lambda: y.sum().backward()))
    with c.set_checkpoint_debug_enabled(False):
        y = c.checkpoint(varying(cases[0]), a, use_reentrant=False, debug=True)
    note(lambda: y.sum().backward())
    note(lambda: c.set_checkpoint_debug_enabled(3).__enter__())
    note(lambda: c.set_checkpoint_debug_enabled(None).__enter__())


@program
def contexts(torch, ns, note):
    c = lib(torch)
    log = []

    @contextlib.contextmanager
    def cm(name):
        log.append("+" + name)
        try:
            yield
        finally:
            log.append("-" + name)

    a = ones(torch)

    def f(x):
        log.append("f")
        return x.sin().exp()

    y = c.checkpoint(f, a, use_reentrant=False, context_fn=lambda: (cm("fw"), cm("re")))
    note(log)
    y.sum().backward()
    note(log)
    log.clear()

    def swallow():
        class S:
            def __enter__(self):
                pass

            def __exit__(self, *e):
                return True

        return S(), S()

    def raising(x):
        raise ValueError("x")

    note(lambda: c.checkpoint(raising, a, use_reentrant=False, context_fn=swallow))
    state = []

    def later(x):
        state.append(1)
        if len(state) > 1:
            raise ValueError("again")
        return x.sin()

    y = c.checkpoint(later, a, use_reentrant=False)
    note(lambda: y.sum().backward())
    state.clear()
    y = c.checkpoint(later, a, use_reentrant=True)
    note(lambda: y.sum().backward())
    note(torch.is_grad_enabled())
    with torch.no_grad():
        y = c.checkpoint(f, a, use_reentrant=False)
        note(y)
        y = c.checkpoint(f, a, use_reentrant=True)
        note(y)
    note([x.__class__.__name__ for x in c.noop_context_fn()])


@program
def random_numbers(torch, ns, note):
    c = lib(torch)
    for reentrant in (True, False):
        for keep in (True, False):
            torch.manual_seed(3)
            masks = []

            def f(x):
                m = torch.rand(2)
                masks.append(m)
                return (x * m).sin()

            a = ones(torch)
            y = c.checkpoint(f, a, use_reentrant=reentrant, preserve_rng_state=keep)
            torch.rand(3)
            state = torch.get_rng_state()
            y.sum().backward()
            note(torch.equal(masks[0], masks[-1]))
            note(torch.equal(state, torch.get_rng_state()))
            note(a.grad if keep else None)
    torch.manual_seed(1)
    d = torch.nn.Dropout(0.5)
    x = torch.ones(20, requires_grad=True)
    y = c.checkpoint(d, x, use_reentrant=False)
    y.sum().backward()
    note(torch.equal(y.detach(), x.grad))


@program
def autocast_is_kept(torch, ns, note):
    c = lib(torch)
    for reentrant in (True, False):
        seen = []
        w = ones(torch, 2, 2)

        def f(x):
            y = torch.mm(x, w)
            seen.append(
                (
                    str(y.dtype),
                    torch.is_autocast_enabled("cpu"),
                    str(torch.get_autocast_dtype("cpu")),
                    torch.is_autocast_cache_enabled(),
                )
            )
            return y.float().sin()

        a = ones(torch, 2, 2)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = c.checkpoint(f, a, use_reentrant=reentrant)
        y.sum().backward()
        note(seen)
        note(a.grad.dtype)
        with torch.autocast("cpu", enabled=False):
            y = c.checkpoint(f, a, use_reentrant=reentrant)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y.sum().backward()
        note(seen[2:])


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
def graph_exec_group(torch, ns, note):
    c = lib(torch)
    n = []

    def f(x):
        n.append(1)
        y = x.sin()
        return y.exp(), y.cos()

    a = ones(torch)
    u, v = c.checkpoint(f, a, use_reentrant=False)
    with c.GraphExecGroup():
        pass
    u, v = c.checkpoint(lambda x: (x.sin(), x.cos()), a, use_reentrant=False)
    with c.GraphExecGroup():
        note(lambda: torch.autograd.grad(u.sum(), a))
        note(lambda: torch.autograd.grad(v.sum(), a))
    u, v = c.checkpoint(f, a, use_reentrant=False)
    with c.GraphExecGroup():
        note(lambda: torch.autograd.grad(u.sum(), a, retain_graph=True))
        note(lambda: torch.autograd.grad(v.sum(), a))
    note(len(n))
    with c.GraphExecGroup():
        note(lambda: c.GraphExecGroup().__enter__())

    def twice(gg):
        with gg:
            pass
        with gg:
            pass

    note(lambda: twice(c.GraphExecGroup()))


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
def selective(torch, ns, note):
    c = lib(torch)
    P = c.CheckpointPolicy
    note([(p.name, p.value) for p in P])
    ops = torch.ops.aten
    log = []

    def run(policy, fn, **kw):
        n = []
        a = torch.full((3, 3), 0.5, requires_grad=True)

        def f(x):
            n.append(1)
            return fn(x)

        def outcome():
            y = c.checkpoint(
                f,
                a,
                use_reentrant=False,
                context_fn=lambda: c.create_selective_checkpoint_contexts(policy, **kw),
            )
            y.sum().backward(retain_graph=False)
            return a.grad, len(n)

        note(outcome)

    def mlp(x):
        return torch.mm(torch.mm(x, x).sin(), x).exp()

    run([ops.mm.default], mlp)
    run([], mlp)

    def pol(ctx, op, *args, **kw):
        log.append((str(op), ctx.is_recompute))
        return P.MUST_SAVE if op is ops.mm.default else P.PREFER_RECOMPUTE

    run(pol, mlp)
    note(log)
    log.clear()
    for p in P:
        run(lambda ctx, op, *a, **k: p, mlp)
    run(lambda ctx, op, *a, **k: True, mlp)
    run(lambda ctx, op, *a, **k: False, mlp)
    run(lambda ctx, op, *a, **k: 3, mlp)
    run(3, mlp)
    run([3], mlp)
    run(["a"], mlp)
    run([torch.mm], mlp)
    run([ops.mm], mlp)
    run([ops.mm.default], lambda x: torch.mm(x, x).mul_(2))
    run([ops.mm.default], lambda x: torch.mm(x, x).mul_(2), allow_cache_entry_mutation=True)
    run([ops.sin.default], lambda x: x.sin().view(9).exp())
    run([ops.view.default], lambda x: x.sin().view(9).exp())
    counts = {"n": 0}

    def unstable(ctx, op, *a, **k):
        counts["n"] += 1
        return P.MUST_SAVE if not ctx.is_recompute else P.MUST_RECOMPUTE

    run(unstable, mlp)

    def unstable2(ctx, op, *a, **k):
        return P.MUST_RECOMPUTE if not ctx.is_recompute else P.MUST_SAVE

    run(unstable2, mlp)
    note(lambda: c.create_selective_checkpoint_contexts([ops.mm.default])[0].__class__.__name__)
    note(
        lambda: [
            x.__class__.__name__ for x in c.create_selective_checkpoint_contexts([ops.mm.default])
        ]
    )
    note(lambda: c.SelectiveCheckpointContext(is_recompute=True).is_recompute)
    note(lambda: c.SelectiveCheckpointContext())
    a = torch.full((3, 3), 0.5, requires_grad=True)
    y = c.checkpoint(
        mlp,
        a,
        use_reentrant=False,
        context_fn=functools.partial(c.create_selective_checkpoint_contexts, [ops.mm.default]),
    )
    note(lambda: y.sum().backward(retain_graph=True))
    note(lambda: y.sum().backward())
    note(a.grad)
    y = c.checkpoint(
        mlp,
        a,
        use_reentrant=False,
        context_fn=functools.partial(c.create_selective_checkpoint_contexts, [ops.mm.default]),
    )
    g = torch.autograd.grad(y.sum(), a, create_graph=True)
    note(g)
    note(lambda: torch.autograd.grad(g[0].sum(), a))


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
def memory_is_given_back(torch, ns, note):
    c = lib(torch)

    class Obj:
        pass

    refs = []

    def f(x):
        y = x.sin()
        refs.append(weakref.ref(y))
        return y.exp()

    a = ones(torch)
    y = c.checkpoint(f, a, use_reentrant=False)
    note(refs[0]() is None)
    y.sum().backward()
    note([r() is None for r in refs])
    o = Obj()
    r = weakref.ref(o)
    y = c.checkpoint(lambda x, o: x.sin(), a, o, use_reentrant=False)
    del o
    note(r() is None)
    y.sum().backward()
    del y
    gc.collect(1)
    note(r() is None)


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
def errors_inside_nested(torch, ns, note):
    c = lib(torch)
    ck = functools.partial(c.checkpoint, use_reentrant=False)
    a = ones(torch)
    n = []

    def bad(x):
        n.append(1)
        if len(n) > 1:
            raise RuntimeError("later")
        return x.sin()

    y = ck(lambda x: ck(bad, x).exp(), a)
    note(lambda: y.sum().backward())
    note(len(n))
    note(a.grad)
    y = ck(lambda x: x.sin(), a)
    note(lambda: y.sum().backward())
    note(a.grad)


@program
def selective_again(torch, ns, note):
    c = lib(torch)
    ops = torch.ops.aten
    ck = functools.partial(c.checkpoint, use_reentrant=False)
    cf = functools.partial(
        c.create_selective_checkpoint_contexts, [ops.mm.default, ops.sin.default]
    )
    a = torch.full((2, 2), 0.5, requires_grad=True)
    y = ck(lambda x: ck(lambda z: torch.mm(z, z).sin(), x) + torch.mm(x, x), a, context_fn=cf)
    note(lambda: y.sum().backward())
    note(a.grad)
    y = ck(lambda x: torch.mm(x, x).sin().exp(), a, context_fn=cf)
    (g,) = torch.autograd.grad(y.sum(), a, create_graph=False)
    note(g)

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, x.sin())
            return torch.mm(x, x)

        @staticmethod
        def backward(ctx, g):
            x, s = ctx.saved_tensors
            return g @ x.t() + x.t() @ g + 0 * s

    y = ck(lambda x: Fn.apply(x).exp(), a, context_fn=cf)
    note(lambda: y.sum().backward())
    note(a.grad)
    torch.manual_seed(0)
    cr = functools.partial(
        c.create_selective_checkpoint_contexts, [ops.rand_like.default, ops.bernoulli_.float]
    )
    y = ck(lambda x: (x * torch.rand_like(x)).exp(), a, context_fn=cr)
    note(lambda: y.sum().backward())
    note(a.grad)
    y = ck(lambda x: torch.mm(x, x).view(4).exp(), a, context_fn=cf)
    note(lambda: y.sum().backward())
    y = ck(
        lambda x: torch.max(torch.mm(x, x), 0)[0].exp(),
        a,
        context_fn=functools.partial(c.create_selective_checkpoint_contexts, [ops.max.dim]),
    )
    note(lambda: y.sum().backward())
    note(a.grad)


@program
def default_device_type(torch, ns, note):
    c = lib(torch)
    before = c.DefaultDeviceType._default_device_type
    c.DefaultDeviceType.set_device_type("meta")
    note(c.DefaultDeviceType.get_device_type())
    a = ones(torch)
    c.checkpoint(lambda x: x.sin(), a, use_reentrant=False).sum().backward()
    note(a.grad)
    c.DefaultDeviceType._default_device_type = before
    note(lambda: c.get_device_states(a, 3))
    note(lambda: c.set_device_states([], [], device_type="meta"))
