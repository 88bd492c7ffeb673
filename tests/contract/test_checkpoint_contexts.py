"""``checkpoint`` and its surroundings: contexts, random numbers, autocast, policies."""

from __future__ import annotations

import contextlib
import functools

from tests.contract.programs import ones, submodule, suite

program, test_same_program_same_notes = suite(digits=4)


def lib(torch):
    return submodule(torch, "utils.checkpoint")


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
    run([len], mlp)
    run([ops.mm], mlp)
    run([ops.mm.default], lambda x: torch.mm(x, x).mul_(2).sin())
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
