"""What nodes save: hooks on it, versions, mutation that is detected or allowed."""

from __future__ import annotations

import gc
import os
import tempfile

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def places_are_not_made_by_programs(torch, ns, note):
    note(lambda: torch._C._autograd.SavedTensor())
    x = ones(torch)
    note(lambda: type((x * x).grad_fn._raw_saved_self)())


@program
def default_hooks(torch, ns, note):
    S = torch.autograd.graph.saved_tensors_hooks
    a = ones(torch)
    log = []
    with S(
        lambda x: (log.append(("pack", x.tolist(), x.requires_grad, x is a)), x * 2)[1],
        lambda x: (log.append(("unpack", x.tolist())), x)[1],
    ):
        y = a * a
        z = y.exp()
    note(log)
    log.clear()
    z.sum().backward()
    note(log)
    note(a.grad)
    with S(lambda x: x, lambda x: x):
        with S(lambda x: x + 1, lambda x: x - 1):
            y = a * 3
        z = a * a
    note(y.grad_fn._saved_other if hasattr(y.grad_fn, "_saved_other") else None)
    note(lambda: S(3, lambda x: x).__enter__())
    note(lambda: S(lambda x: x, None).__enter__())
    note(lambda: S(lambda x: x))
    with S(lambda x: 3, lambda x: x):
        y = a * a
    note(lambda: y.sum().backward())
    with S(lambda x: x, lambda x: "s"):
        y = a.exp()
    note(lambda: y.sum().backward())

    def boom(*x):
        raise ValueError("boom")

    with S(boom, lambda x: x):
        note(lambda: a * a)
        note(lambda: a + a)
    with S(lambda x: x, boom):
        y = a * a
    note(lambda: y.sum().backward())
    note(lambda: y.grad_fn._saved_self)
    with S(lambda x: x.mul_(2), lambda x: x):
        note(lambda: (a * 1) * (a * 2))
    with S(lambda x: None, lambda x: torch.ones(2) * 7):
        y = a * a
    y.sum().backward(retain_graph=True)
    note(a.grad)
    with S(lambda x: x, lambda x: torch.ones(5)):
        y = a * a
    note(lambda: y.sum().backward())
    with S(lambda x: x, lambda x: x.double()):
        y = a * a
    a.grad = None
    note(lambda: y.sum().backward())
    note(a.grad)
    note(repr(S(lambda x: x, lambda x: x).pack_hook(3)))


@program
def hooks_in_functions(torch, ns, note):
    S = torch.autograd.graph.saved_tensors_hooks

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(x, y, None)
            return y

        @staticmethod
        def backward(ctx, g):
            x, y, n = ctx.saved_tensors
            note([x, y, n, y.grad_fn is not None])
            ctx.saved_tensors
            return g * x

    log = []
    a = ones(torch)
    with S(lambda x: (log.append("p"), x * 5)[1], lambda x: (log.append("u"), x * 2)[1]):
        y = Fn.apply(a)
    y.sum().backward()
    note(log)
    note(a.grad)
    with S(
        lambda x: (log.append(("inner", torch.is_grad_enabled())), x * 5)[1],
        lambda x: (log.append(("unpack", torch.is_grad_enabled())), x)[1],
    ):
        y = a.exp()
    log.clear()
    torch.autograd.grad(y.sum(), a, create_graph=True)
    note(log)
    with S(lambda x: (log.append("p"), x)[1], lambda x: x), torch.no_grad():
        log.clear()
        a * a
        note(log)


@program
def forbidding_hooks(torch, ns, note):
    g = torch.autograd.graph
    D, S = g.disable_saved_tensors_hooks, g.saved_tensors_hooks
    C = torch._C._autograd
    note(C._saved_tensors_hooks_is_enabled())
    with D("no hooks"):
        note(C._saved_tensors_hooks_is_enabled())
        note(lambda: S(lambda x: x, lambda x: x).__enter__())
        with D("inner"):
            note(lambda: S(lambda x: x, lambda x: x).__enter__())
        note(lambda: S(lambda x: x, lambda x: x).__enter__())
    note(C._saved_tensors_hooks_is_enabled())
    with S(lambda x: x, lambda x: x):
        note(lambda: D("has hooks").__enter__())
    note(C._saved_tensors_hooks_is_enabled())

    @D("deco")
    def f(x):
        return S(lambda x: x, lambda x: x).__enter__()

    note(lambda: f(1))
    note(f.__name__)
    try:
        with D("x"):
            raise ValueError
    except ValueError:
        pass
    note(C._saved_tensors_hooks_is_enabled())
    note(lambda: D(3).__enter__())


@program
def on_cpu(torch, ns, note):
    a = ones(torch)
    g = torch.autograd.graph
    with g.save_on_cpu():
        y = a * a
    y.sum().backward()
    note(a.grad)
    with g.save_on_cpu(pin_memory=False):
        y = a.exp()
    note(y.grad_fn._saved_result)
    note(lambda: g.save_on_cpu(True, "cpu").__class__.__name__)
    note(isinstance(g.save_on_cpu(), g.saved_tensors_hooks))


@program
def versions(torch, ns, note):
    inc = torch.autograd.graph.increment_version
    a = torch.ones(2)
    inc(a)
    note(a._version)
    inc([a, a])
    note(a._version)
    inc(x for x in (a,))
    note(a._version)
    note(lambda: inc(3))
    note(lambda: inc([3]))
    note(lambda: inc(None))
    with torch.inference_mode():
        i = torch.ones(2)
    note(lambda: inc(i))
    note(lambda: inc([a, i]))
    note(a._version)
    b = ones(torch)
    y = b * 1
    z = y * y
    inc(y)
    note(lambda: z.sum().backward())
    v = a[0:1]
    inc(v)
    note(a._version)
    U = torch.autograd._unsafe_preserve_version_counter
    with U(a):
        a.add_(1)
    note(a._version)
    with U((a, v)):
        v.add_(1)
    note((a._version, v._version))
    note(lambda: U(3))
    note(lambda: U([a]))


@program
def mutation_is_detected(torch, ns, note):
    a = ones(torch, 2, 2)
    y = a * 1
    z = y**2
    y.add_(1)
    note(lambda: z.sum().backward())
    y = a.exp()
    y.add_(1)
    note(lambda: y.sum().backward())
    y = a.tanh()
    v = y[0]
    v.zero_()
    note(lambda: y.sum().backward())
    y = a * 1
    z = torch.cat([y * y, y])
    y[0, 0] = 3
    note(lambda: z.sum().backward())
    w = torch.ones(2, 2)
    z = a * w
    w.add_(1)
    note(lambda: z.sum().backward())
    w = torch.ones(2, 2)
    z = a * w
    w.data.add_(1)
    note(lambda: z.sum().backward())
    w = torch.ones(2, 2)
    z = a * w
    w.detach().add_(1)
    note(lambda: z.sum().backward())
    y = a.max(0)
    z = y[0].sum()
    y[1].add_(0)
    note(lambda: z.backward())
    i = torch.tensor([0])
    z = a[i]
    i.add_(1)
    note(lambda: z.sum().backward())
    u = (a * 1).unbind(0)
    note(lambda: u[0].mul_(2))
    m = torch.mm(a, w)
    w.mul_(2)
    note(lambda: m.sum().backward())
    with torch.no_grad():
        m = a * a
    y = a * 1
    z = y.sigmoid()
    with torch.no_grad():
        y.mul_(2)
    note(lambda: z.sum().backward())
    y = a * 1
    z = y.pow(2)
    with torch.no_grad():
        y.mul_(2)
    note(lambda: z.sum().backward())


@program
def allowed_mutation(torch, ns, note):
    A = torch.autograd.graph.allow_mutation_on_saved_tensors
    a = ones(torch, 2, 3)
    with A() as ctx:
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        note(len(ctx.cloned))
        note(len(ctx.original))
        note(len(ctx.tid_to_weakhandle))
        note(len(ctx.sid_to_tid))
        out.backward()
        note(a.grad)
        note((len(ctx.cloned), len(ctx.original)))
    note((len(ctx.cloned), len(ctx.original)))
    note(type(ctx).__name__)
    a.grad = None
    with A() as ctx:
        c = a.clone()
        v = c.view(-1)
        out = (c**2).sum()
        v[0] = 5
        v.mul_(3)
        c.zero_()
        out2 = (c * a).sum()
        c.fill_(4)
        note(len(ctx.cloned))
        (out + out2).backward()
        note(a.grad)
    a.grad = None
    with A() as ctx:
        b = a.clone()
        y = b.exp()
        y.mul_(2)
        z = y.sin()
        y.neg_()
        z.sum().backward()
        note(a.grad)
    with A():
        note(lambda: A().__enter__())
    with A():
        z = (a.clone() ** 2).sum()
    note(lambda: z.backward())
    with A():
        note(lambda: z.backward())
    try:
        with A():
            z = a * a
            raise ValueError
    except ValueError:
        pass
    with A():
        pass
    with A() as ctx:
        b = a.clone()
        c = torch.ones(2, 3)
        z = b * c
        torch.add(c, 1, out=c)
        note(len(ctx.cloned))
        torch._foreach_mul_([c], 2) if hasattr(torch, "_foreach_mul_") else None
        z.sum().backward()
    note(a.grad)
    with A() as ctx:
        b = a.clone()
        z = b * b
        del z
        gc.collect(1)
        note((len(ctx.cloned), len(ctx.original), len(ctx.tid_to_weakhandle)))
        b.mul_(2)
        note(len(ctx.cloned))

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    a.grad = None
    with A():
        b = a.clone()
        y = Fn.apply(b)
        b.mul_(100)
        y.sum().backward()
        note(a.grad)
    a.grad = None
    with A():
        b = a.clone()
        v = b[0]
        y = v**2
        b.mul_(100)
        z = v**2
        v.zero_()
        (y.sum() + z.sum()).backward()
        note(a.grad)


@program
def saved_on_disk(torch, ns, note):
    a = torch.full((2,), 3.0, requires_grad=True)
    with tempfile.TemporaryDirectory() as d:

        class F:
            def __init__(self, n):
                self.n = n

            def __del__(self):
                os.remove(self.n)

        def pack(x):
            n = os.path.join(d, str(len(os.listdir(d))))
            torch.save(x, n)
            return F(n)

        def unpack(f):
            return torch.load(f.n)

        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = a * a
        note(len(os.listdir(d)))
        y.sum().backward()
        note(a.grad)
        note(len(os.listdir(d)))
        del y
        note(len(os.listdir(d)))


def test_what_is_saved_on_the_host_may_be_pinned():
    """``save_on_cpu(pin_memory=True)`` keeps it in pinned memory and gives it back."""
    import mindtorch as torch

    kept = []
    hooks = torch.autograd.graph.save_on_cpu(pin_memory=True)
    pack = hooks.pack_hook
    hooks.pack_hook = lambda t: kept.append(pack(t)) or kept[-1]
    x = torch.full((2,), 3.0, device="npu").requires_grad_()
    with hooks:
        y = x * x
    assert [(str(device), t.device.type, t.is_pinned()) for device, t in kept] == [
        ("npu:0", "cpu", True)
    ] * 2
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]
