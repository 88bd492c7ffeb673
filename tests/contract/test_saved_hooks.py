"""Hooks on what is saved, changes of what is saved, and version counters by hand."""

from __future__ import annotations

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def what_hooks_get(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    got = []

    def pack(t):
        got.append((t.requires_grad, t.is_leaf, t is x, t.tolist(), torch.is_grad_enabled()))
        return ("packed", t)

    def unpack(p):
        got.append(("unpack", p[0], torch.is_grad_enabled()))
        return p[1]

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x
        z = y.relu()
        w = z * 3
        s = w.sum()
        v = torch.where(x > 0, x, y)
        b = x[torch.tensor([0, 1])]
        torch.cat([x, y]).sum()
    note(got)
    got.clear()
    s.backward()
    note(got)
    note(x.grad)
    got.clear()
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        q = (x * 2).exp() * 0 + 1
        q = q * q
    got.clear()
    note(q.grad_fn._saved_self)
    note(q.grad_fn._saved_self.grad_fn is q.grad_fn.next_functions[0][0])
    (g,) = torch.autograd.grad(q.sum(), x, create_graph=True)
    note(g)
    note(torch.autograd.grad(g.sum(), x))
    note(got)
    del v, b


@program
def nesting(torch, ns, note):
    H = torch.autograd.graph.saved_tensors_hooks
    x = torch.ones(2, requires_grad=True)
    with H(lambda t: t * 2, lambda t: t):
        with H(lambda t: t * 3, lambda t: t):
            a = x * x
        b = x * x
    c = x * x
    note(torch.autograd.grad(a.sum(), x))
    note(torch.autograd.grad(b.sum(), x))
    note(torch.autograd.grad(c.sum(), x))
    h = H(lambda t: t * 2, lambda t: t * 5)
    with h:
        with h:
            d = x * x
    note(torch.autograd.grad(d.sum(), x))
    inner = []
    with H(lambda t: inner.append("outer") or t, lambda t: t):

        def pack(t):
            inner.append("pack")
            if len(inner) < 5:  # which a square saved in here would pack again
                (x * x).sum()
            with torch.no_grad():
                x * x
            return t

        with H(pack, lambda t: t):
            x * x
    note(inner)
    with H(lambda t: t.detach(), lambda t: t.clone()):
        e = x**3
    note(torch.autograd.grad(e.sum(), x))


@program
def errors(torch, ns, note):
    H = torch.autograd.graph.saved_tensors_hooks
    x = torch.ones(2, requires_grad=True)

    def run(pack, unpack):
        with H(pack, unpack):
            y = (x * 1) * (x * 1)
        y.sum().backward()

    note(lambda: run(lambda t: t, lambda t: 3))
    note(lambda: run(lambda t: t, lambda t: None))
    note(lambda: run(lambda t: t, lambda t: "a"))
    note(lambda: run(lambda t: t.mul_(2), lambda t: t))
    note(lambda: run(lambda: 1, lambda t: t))
    note(lambda: run(lambda t: t, lambda: 1))
    note(lambda: run(3, lambda t: t))
    note(lambda: run(lambda t: t, lambda t: torch.ones(3)))
    note(lambda: run(lambda t: t, lambda t: t.double()))

    def boom(t):
        raise ValueError("boom")

    note(lambda: run(boom, lambda t: t))
    note(lambda: run(lambda t: t, boom))
    note(lambda: H())
    note(lambda: H(1, 2).__enter__())
    note(lambda: (x * x).sum())


@program
def hooks_and_changes(torch, ns, note):
    H = torch.autograd.graph.saved_tensors_hooks
    x = torch.ones(2, requires_grad=True)
    with H(lambda t: t, lambda t: t):
        y = x * 1
        z = y * y
    with torch.no_grad():
        y.add_(1)
    note(lambda: torch.autograd.grad(z.sum(), x, retain_graph=True))
    with H(lambda t: t.clone(), lambda t: t):
        y = x * 1
        z = y * y
    with torch.no_grad():
        y.add_(1)
    note(lambda: torch.autograd.grad(z.sum(), x))


@program
def disabled(torch, ns, note):
    H = torch.autograd.graph.saved_tensors_hooks
    off = torch.autograd.graph.disable_saved_tensors_hooks
    x = torch.ones(2, requires_grad=True)
    with off("not now"):
        note(lambda: H(lambda t: t, lambda t: t).__enter__())
        note(lambda: torch.autograd.graph.save_on_cpu().__enter__())
        with off("nor now"):
            note(lambda: H(lambda t: t, lambda t: t).__enter__())
        note(lambda: H(lambda t: t, lambda t: t).__enter__())
        y = x * x
    with H(lambda t: t * 2, lambda t: t):
        note(lambda: off("too late").__enter__())
        y = x * x
    note(torch.autograd.grad(y.sum(), x))
    with H(lambda t: t, lambda t: t):
        pass

    @off("in function")
    def f():
        with H(lambda t: t, lambda t: t):
            pass

    note(lambda: f())


@program
def on_cpu(torch, ns, note):
    x = torch.ones(2, requires_grad=True)
    for pin in (False, True):
        with torch.autograd.graph.save_on_cpu(pin_memory=pin):
            y = (x * x).relu() * 3
        note(torch.autograd.grad(y.sum(), x))
    with torch.autograd.graph.save_on_cpu():
        y = x * x
    note(y.grad_fn._saved_self)


@program
def versions_by_hand(torch, ns, note):
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    torch.autograd.graph.increment_version(y)
    note(y._version)
    note(lambda: z.sum().backward())
    torch.autograd.graph.increment_version([y, x])
    note((y._version, x._version))
    torch.autograd.graph.increment_version((y,))
    note((y._version, y.detach()._version))
    note(lambda: torch.autograd.graph.increment_version([3]))
    note(lambda: torch.autograd.graph.increment_version(3))
    with torch.inference_mode():
        i = torch.ones(2)
    note(lambda: torch.autograd.graph.increment_version(i))
    keep = torch.autograd._unsafe_preserve_version_counter
    y = x * 1
    z = y * y
    with torch.no_grad(), keep(y):
        y.mul_(2)
        note(y._version)
    note(y._version)
    z.sum().backward()
    note(x.grad)
    with keep((x, y)), torch.no_grad():
        x.add_(1)
    note(x._version)
    note(lambda: keep([x]))
    note(lambda: keep(3))


@program
def mutation_allowed(torch, ns, note):
    allow = torch.autograd.graph.allow_mutation_on_saved_tensors

    def base():
        return torch.ones(2, 3, requires_grad=True)

    with allow() as ctx:
        a = base()
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        note((len(ctx.cloned), len(ctx.original)))
        out.backward()
        note(a.grad)
    note((len(ctx.cloned), len(ctx.original), len(ctx.tid_to_weakhandle)))
    with allow():
        a = base()
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        out2 = (b * b).sum()
        b.mul_(3)
        (out + out2).backward()
        note(a.grad)
    with allow():
        a = base()
        b = a.clone()
        v = b[0]
        out = (b**2).sum() + (v**2).sum()
        v.mul_(2)
        b.add_(1)
        out.backward()
        note(a.grad)
    with allow():
        a = base()
        b = a.clone()
        out = (b**2).sum()
    note(lambda: out.backward())

    def nested():
        with allow():
            with allow():
                pass

    note(nested.__name__)
    note(lambda: nested())
    with allow():
        a = base()
        b = a.sigmoid() * 0 + 1
        out = b.relu() * 0 + b * b
        b.zero_()
        out.sum().backward()
        note(a.grad is not None)
    with allow():
        a = base()
        b = a.clone()
        out = (b**2).sum()
        torch.add(torch.ones(2, 3), 1, out=b.detach())
        out.backward()
        note(a.grad)
    with allow():
        a = base()
        note(lambda: a.sin_())


@program
def layout_policy(torch, ns, note):
    policy = torch.autograd.enforce_grad_layout_policy
    p = torch.zeros(2, 3).t().detach().requires_grad_()
    with policy(False):
        (p * 2).backward(torch.ones(3, 2))
    note(p.grad.stride())
    p.grad = None
    (p * 2).backward(torch.ones(3, 2))
    note(p.grad.stride())

    @policy(False)
    def f():
        p.grad = None
        p.contiguous().mul(2).backward(torch.ones(3, 2))
        return p.grad.stride()

    note(f())
    note(torch._C._is_grad_layout_enforcement_enabled())


@program
def compiled_only(torch, ns, note):
    note(lambda: torch.autograd.graph.region_activation_memory_budget(0.5).__enter__())
    note(lambda: torch.autograd.graph.region_activation_memory_budget(2.0).__enter__())


@program
def hooks_entered_and_left_in_a_backward(torch, ns, note):
    hooks = torch.autograd.graph.saved_tensors_hooks
    packed = []

    def leave(x):
        ctx.__exit__()
        return x

    def enter(x):
        ctx.__enter__()
        return x

    for unpack in (leave, enter):
        ctx = hooks(lambda x: packed.append(1) or x, unpack)
        with ctx:
            y = torch.ones(2, requires_grad=True).sin().sum()
            y.backward(retain_graph=True)
            note(lambda y=y: torch.autograd.grad(y, y.grad_fn.next_functions[0][0].next_functions))
            y.cos()
        note(len(packed))
        torch.ones(2, requires_grad=True).sin()
        note(len(packed))
    for manager in (
        hooks(lambda x: x, lambda x: x),
        torch.autograd.graph.save_on_cpu(),
        torch.autograd.set_detect_anomaly(False),
        torch.autograd.detect_anomaly(),
    ):
        manager.__enter__()
        note(lambda manager=manager: manager.__exit__())
    note(torch.is_anomaly_enabled())


@program
def hooks_of_a_node_that_runs(torch, ns, note):
    class Halving(torch.autograd.graph.saved_tensors_hooks):
        def __init__(self):
            def unpack(t):
                def hook(outs, ins):
                    note((len(outs), [i is None for i in ins]))
                    return tuple(o / 2 if o is not None else None for o in outs)

                torch._C._current_autograd_node().register_hook(hook)
                return t

            super().__init__(lambda t: t, unpack)

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 3

        @staticmethod
        def backward(ctx, g):
            ctx.register_hook(lambda outs, ins: tuple(o * 10 for o in outs))
            return g * 3

    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    for form in (
        lambda: x.relu(),
        lambda: x * x,
        lambda: sum(torch.var_mean(x, dim=0)),
        lambda: Function.apply(x),
        lambda: Function.apply(x * 2),
    ):
        with Halving():
            y = form().sum()
        note(torch.autograd.grad(y, x, retain_graph=False))
        with Halving():
            y = form().sum()
        y.backward()
        note(x.grad)
        x.grad = None
