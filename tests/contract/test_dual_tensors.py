"""Dual tensors: printing, inference, layouts, lifetimes, levels."""

from __future__ import annotations

import weakref

from tests.contract.forward_mode import forward_mode
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def printing(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.arange(6.0).reshape(2, 3)
    with fw.dual_level():
        d = fw.make_dual(x, torch.ones(2, 3) * 2)
        note(repr(d))
        note(str(d))
        note(repr(d * 2))
        note(repr(d[0]))
        note(repr(d.sum()))
        r = fw.make_dual(x.clone().requires_grad_(), torch.ones(2, 3))
        note(repr(r))
        note(repr(fw.unpack_dual(r)))
        t = fw.make_dual(x, torch.ones(2, 3, requires_grad=True))
        note(repr(t))
        p = torch.nn.Parameter(x)
        note(repr(fw.make_dual(p, torch.ones(2, 3))))
        note(
            repr(
                fw.make_dual(
                    torch.ones(2, dtype=torch.complex64), torch.ones(2, dtype=torch.complex64)
                )
            )
        )
        note(
            repr(
                fw.make_dual(torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64))
            )
        )
        note(format(d.sum()))
        note(f"{d.sum():.2f}")
    note(repr(d))


@program
def inference(torch, ns, note):
    fw = forward_mode(torch)
    with torch.inference_mode():
        x = torch.ones(2, 3)
        t = torch.ones(2, 3)
        with fw.dual_level():
            d = fw.make_dual(x, t)
            note(lambda: fw.unpack_dual(d))
            note(lambda: fw.unpack_dual(d).tangent is t)
            note(lambda: fw.unpack_dual(d).primal.is_inference())
            note(lambda: d.is_inference())
            note(lambda: fw.unpack_dual(d * 2))
            y = torch.ones(2, 3)
            note(lambda: fw.unpack_dual(y.add_(d)))
            note(lambda: fw.unpack_dual(d[0]))
    n = torch.ones(2, 3)
    with torch.inference_mode():
        with fw.dual_level():
            d = fw.make_dual(n, t)
            note(lambda: d.is_inference())
            note(lambda: fw.unpack_dual(d))
            note(lambda: fw.unpack_dual(d).primal.is_inference())
            note(lambda: fw.unpack_dual(d * 2))
    with fw.dual_level():
        note(lambda: fw.make_dual(x, t))
        note(lambda: fw.unpack_dual(fw.make_dual(n, t)))
        note(lambda: fw.unpack_dual(fw.make_dual(n, t) * 2))
        d = fw.make_dual(n, n.clone())
        with torch.inference_mode():
            e = d * 2
            note(lambda: (e.is_inference(), fw.unpack_dual(e)))
            note(lambda: fw.unpack_dual(d.view(6)))
        note(lambda: fw.unpack_dual(e))
        note(lambda: fw.unpack_dual(e * 2))


@program
def integral(torch, ns, note):
    fw = forward_mode(torch)
    f = torch.ones(2, 2)
    i = torch.ones(2, 2, dtype=torch.int64)
    b = torch.ones(2, 2, dtype=torch.bool)
    c = torch.ones(2, 2, dtype=torch.complex64)
    with fw.dual_level():
        for p in (f, i, b, c):
            for t in (f, i, b, c):
                note(lambda: fw.unpack_dual(fw.make_dual(p, t)))
        note(lambda: fw.make_dual(f, f.double()))
        note(lambda: fw.unpack_dual(fw.make_dual(f.double(), f)))
        note(lambda: fw.make_dual(f, None))
        note(lambda: fw.make_dual(None, f))
        note(lambda: fw.make_dual(f, 3.0))
        note(lambda: fw.make_dual(f, f, level=-1))
        note(lambda: fw.make_dual(f, f, level=0))
        note(lambda: fw.unpack_dual(f, level=0))
        note(lambda: fw.unpack_dual(f, level=5))
        note(lambda: fw.unpack_dual(f, level=-5))
    note(lambda: fw.make_dual(f, f))
    note(lambda: fw.make_dual(f, f, level=0))


@program
def metadata(torch, ns, note):
    fw = forward_mode(torch)
    with fw.dual_level():
        # storage sizes
        a = torch.rand(8)[:4]
        b = torch.rand(4)
        a = torch.arange(8.0)[:4]
        b = torch.arange(4.0)
        d = fw.make_dual(a, b)
        note(fw.unpack_dual(d).tangent is b)
        note(fw.unpack_dual(d).tangent.untyped_storage().nbytes())
        d = fw.make_dual(b, a)
        note(fw.unpack_dual(d).tangent is a)
        note(fw.unpack_dual(d).tangent.untyped_storage().nbytes())
        # offset zero numel
        a = torch.ones(0)
        b = torch.ones(3)[3:]
        note(lambda: fw.unpack_dual(fw.make_dual(a, b)).tangent is b)
        a = torch.arange(4.0)[1:3]
        b = torch.ones(2)
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a, b)).tangent is b,
                fw.unpack_dual(fw.make_dual(a, b)).tangent.storage_offset(),
            )
        )
        note(lambda: fw.unpack_dual(fw.make_dual(b, a)).tangent is a)
        # strides
        a = torch.arange(6.0).reshape(2, 3).t()
        b = torch.ones(3, 2)
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a, b)).tangent is b,
                fw.unpack_dual(fw.make_dual(a, b)).tangent.stride(),
            )
        )
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(b, a)).tangent is a,
                fw.unpack_dual(fw.make_dual(b, a)).tangent.stride(),
            )
        )
        # conj
        a = torch.ones(2, dtype=torch.complex64) * (1 + 2j)
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a.conj(), a)).tangent is a,
                fw.unpack_dual(fw.make_dual(a.conj(), a)).tangent.is_conj(),
            )
        )
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a, a.conj())).tangent.is_conj(),
                fw.unpack_dual(fw.make_dual(a, a.conj())).tangent,
            )
        )
        x = a.conj()
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a.conj(), x)).tangent is x,
                fw.unpack_dual(fw.make_dual(a.conj(), x)).tangent.is_conj(),
            )
        )
        n = torch.imag(a.conj())
        note(n.is_neg())
        b = torch.ones(2)
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(n, b)).tangent is b,
                fw.unpack_dual(fw.make_dual(n, b)).tangent.is_neg(),
            )
        )
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(b, n)).tangent is n,
                fw.unpack_dual(fw.make_dual(b, n)).tangent.is_neg(),
            )
        )
        # expanded
        e = torch.ones(1).expand(3)
        b = torch.arange(3.0)
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(e, b)).tangent is b,
                fw.unpack_dual(fw.make_dual(e, b)).tangent.stride(),
            )
        )
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(b, e)).tangent is e,
                fw.unpack_dual(fw.make_dual(b, e)).tangent.stride(),
            )
        )
        # size-1 dims strides
        a = torch.ones(1, 3).t()
        b = torch.ones(3, 1)
        note((a.stride(), b.stride()))
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a, b)).tangent is b,
                fw.unpack_dual(fw.make_dual(a, b)).tangent.stride(),
            )
        )
        a = torch.ones(3, 4)[:, :2]
        b = torch.ones(3, 2)
        note(
            lambda: (
                fw.unpack_dual(fw.make_dual(a, b)).tangent is b,
                fw.unpack_dual(fw.make_dual(a, b)).tangent.stride(),
                fw.unpack_dual(fw.make_dual(a, b)).tangent.untyped_storage().nbytes(),
            )
        )


@program
def cleanup(torch, ns, note):
    fw = forward_mode(torch)

    def get():
        t = torch.ones(2)
        return t, weakref.ref(t)

    x = torch.ones(2)
    with fw.dual_level():
        t, r = get()
        d = fw.make_dual(x, t)
        del t
        note(r() is not None)
        u = fw.unpack_dual(d)
        note(u.tangent is r())
        y = d * 3
        ty = weakref.ref(fw.unpack_dual(y).tangent)
        del u
        note(ty() is not None)
    note(r() is None)
    note(ty() is None)
    with fw.dual_level():
        t, r = get()
        d = fw.make_dual(x, t)
        del t
        del d
        note(r() is None)
        # a view keeps its base's tangent
        t, r = get()
        d = fw.make_dual(x, t)
        v = d[0]
        del t
        fw.unpack_dual(v)
        del d
        note(r() is None)


@program
def level_programs(torch, ns, note):
    fw = forward_mode(torch)
    note(fw.enter_dual_level())
    note(lambda: fw.enter_dual_level())
    fw.exit_dual_level()
    note(lambda: fw.exit_dual_level())
    note(lambda: fw.exit_dual_level(level=0))

    @fw.dual_level()
    def f(x):
        return fw.unpack_dual(fw.make_dual(x, x) * 2)

    note(lambda: f(torch.ones(2)))
    note(lambda: f(torch.ones(2)))
    try:
        with fw.dual_level():
            raise KeyError("x")
    except KeyError:
        pass
    note(fw.enter_dual_level())
    fw.exit_dual_level()
    note(lambda: fw.dual_level().__enter__())
    note(lambda: fw.exit_dual_level(level=0))
    note(lambda: fw.unpack_dual(torch.ones(2)))
    note(lambda: fw.unpack_dual(3))
    note(lambda: fw.unpack_dual(torch.ones(2), level=0))
    with fw.dual_level():
        x = fw.make_dual(torch.ones(2), torch.ones(2))
    with fw.dual_level():
        note(fw.unpack_dual(x))
        note(fw.unpack_dual(x * 2))
        a = torch.ones(2, requires_grad=True)
        b = torch.ones(2, requires_grad=True)
        d = fw.make_dual(a, b)
        p, t = fw.unpack_dual(d)
        note(
            (
                p.requires_grad,
                t.requires_grad,
                t is b,
                p._is_view(),
                p.grad_fn.name(),
                p._base is a,
                d._base is a,
                p is a,
            )
        )
        note(lambda: torch.autograd.grad(t.sum() + p.sum(), (a, b)))


@program
def backward_destroyed(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.ones(4, requires_grad=True)
    with fw.dual_level():
        d = fw.make_dual(x, torch.ones(4) * 2)
        y = d * d * d
        t = fw.unpack_dual(y).tangent
        y.sum().backward()
        note(x.grad)
        note(fw.unpack_dual(x.grad))
        note(lambda: t.sum().backward())
        note(x.grad)
    note(x.grad)
    x.grad = None
    with fw.dual_level():
        d = fw.make_dual(x, torch.ones(4) * 2)
        (d.sqrt() * d).sum().backward()
        note(lambda: fw.unpack_dual(x.grad))
        x.grad = None
        (g,) = torch.autograd.grad((d.sqrt() * d).sum(), x, create_graph=True)
        note(lambda: fw.unpack_dual(g).tangent.detach())
