"""Dual tensors: inference, layouts, lifetimes, views, changes, detaching, ``Function.jvp``."""

from __future__ import annotations

import copy
import importlib
import pickle
import warnings
import weakref

import pytest
import torch
import torch.autograd.forward_ad as oracle

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()

with warnings.catch_warnings():
    # The oracle compiles its decompositions upon the first dual tensor, and warns of that.
    warnings.simplefilter("ignore")
    with oracle.dual_level():
        oracle.make_dual(torch.ones(1), torch.ones(1))


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function)


def module(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.forward_ad")


@program
def printing(torch, ns, note):
    fw = module(torch)
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
    fw = module(torch)
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
    fw = module(torch)
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
    fw = module(torch)
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
    fw = module(torch)

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
def views_inplace(torch, ns, note):
    fw = module(torch)
    for mk in (
        lambda b: b.narrow(0, 0, 1),
        lambda b: b[1],
        lambda b: b.t(),
        lambda b: b.view(-1),
        lambda b: b.unbind(0)[0],
        lambda b: b.split(1)[1],
        lambda b: b.diagonal(),
        lambda b: b.as_strided((2,), (1,)),
        lambda b: b.expand(2, 2, 2),
        lambda b: b.unsqueeze(0),
        lambda b: b.detach(),
        lambda b: b.select(0, 1),
        lambda b: b.reshape(4),
        lambda b: b[:, 0],
        lambda b: b.permute(1, 0),
        lambda b: b.unfold(0, 1, 1),
        lambda b: b.view_as(b),
        lambda b: b.swapaxes(0, 1),
        lambda b: b.movedim(0, 1),
        lambda b: b.squeeze(),
        lambda b: b.chunk(2)[1],
        lambda b: b.data,
    ):
        with fw.dual_level():
            base = torch.arange(4.0).reshape(2, 2)
            view = mk(base)
            dual = fw.make_dual(torch.full(view.shape, 3.0), torch.full(view.shape, 5.0))
            note(lambda: view.copy_(dual))
            note(fw.unpack_dual(view))
            note(fw.unpack_dual(base))
            note(fw.unpack_dual(mk(base)))
        with fw.dual_level():
            base = fw.make_dual(torch.arange(4.0).reshape(2, 2), torch.ones(2, 2) * 7)
            view = mk(base)
            note(fw.unpack_dual(view))
            note(lambda: view.mul_(2))
            note(fw.unpack_dual(view))
            note(fw.unpack_dual(base))
        with fw.dual_level():
            base = torch.arange(4.0).reshape(2, 2)
            view = mk(base)
            dual = fw.make_dual(torch.full((2, 2), 3.0), torch.full((2, 2), 5.0))
            base.copy_(dual)
            note(fw.unpack_dual(view))
            note(fw.unpack_dual(base))


@program
def nograd_views(torch, ns, note):
    fw = module(torch)
    for outer in (True, False):
        for inner in (True, False):
            with fw.dual_level():
                base = torch.arange(4.0).reshape(2, 2)
                with torch.set_grad_enabled(outer):
                    view = base[0]
                dual = fw.make_dual(torch.ones(2), torch.full((2,), 5.0))
                with torch.set_grad_enabled(inner):
                    view.copy_(dual)
                note(fw.unpack_dual(view))
                note(fw.unpack_dual(base))
                note(base._version)
            with fw.dual_level():
                base = torch.arange(4.0).reshape(2, 2)
                d = base.detach()
                v = d[0]
                v.copy_(dual := fw.make_dual(torch.ones(2), torch.full((2,), 5.0)))
                note(fw.unpack_dual(d))
                note(fw.unpack_dual(v))
                note(fw.unpack_dual(base))
                dv = d.view(-1)
                note(fw.unpack_dual(dv))


@program
def detach_tracking(torch, ns, note):
    fw = module(torch)
    with fw.dual_level():
        d = fw.make_dual(torch.ones(4), torch.ones(4) * 2)
        e = d.detach()
        note(fw.unpack_dual(e))
        note(e._is_view())
        note(e._base is None)
        e.mul_(3)
        note(fw.unpack_dual(d))
        note(fw.unpack_dual(e))
        e.copy_(d)
        note(fw.unpack_dual(d))
        note(fw.unpack_dual(e))
        f = d.clone()
        f.detach_()
        note(lambda: fw.unpack_dual(f))
        g = d.clone()[0:2]
        note(lambda: fw.unpack_dual(g.detach_()))
        h = d.data
        note(fw.unpack_dual(h))
        k = d.clone()
        k.data = torch.ones(4) * 5
        note(lambda: fw.unpack_dual(k))
        k = d.clone()
        k.data = d
        note(lambda: fw.unpack_dual(k))
        m = torch.ones(4)
        m.data = d
        note(lambda: fw.unpack_dual(m))
        s = torch.ones(4)
        note(lambda: s.set_(d))
        s = d.clone()
        note(lambda: s.set_())
        s = d.clone()
        note(lambda: s.resize_(2))
        s = d.clone()
        note(lambda: s.resize_as_(torch.ones(2)))
        s = d.clone()
        note(lambda: s.resize_(4))
        note(lambda: fw.unpack_dual(s))
        note(lambda: fw.unpack_dual(copy.copy(d)))
        note(lambda: fw.unpack_dual(copy.deepcopy(d)))
        note(lambda: fw.unpack_dual(pickle.loads(pickle.dumps(d))))
        note(lambda: d.numpy())
        note(lambda: d.tolist())
        note(lambda: d.sum().item())
        note(lambda: fw.unpack_dual(torch.as_tensor(d)))
        note(lambda: fw.unpack_dual(torch.tensor(d)))
        note(lambda: fw.unpack_dual(torch.asarray(d)))
        note(lambda: fw.unpack_dual(torch.nn.Parameter(d)))
        note(lambda: fw.unpack_dual(d.requires_grad_()))
        note(lambda: d.grad)
        note(lambda: bool(d[0] > 0))
        note(lambda: fw.unpack_dual(d.to(torch.float64).to(torch.int64)))
        note(lambda: fw.unpack_dual(d.type(torch.float64)))
        note(lambda: fw.unpack_dual(d.cpu()))
        note(lambda: fw.unpack_dual(d.to("cpu")))
        note(lambda: fw.unpack_dual(d.to("cpu", copy=True)))
        note(lambda: fw.unpack_dual(d.contiguous()))
        note(
            lambda: fw.unpack_dual(
                d.alias_copy() if hasattr(d, "alias_copy") else torch.alias_copy(d)
            )
        )
        note(lambda: fw.unpack_dual(d.view(torch.int32)))
        note(lambda: fw.unpack_dual(d.float()))


@program
def out_variants(torch, ns, note):
    fw = module(torch)
    x = torch.ones(3)
    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        o = torch.empty(3)
        note(lambda: torch.add(d, d, out=o))
        note(lambda: torch.add(x, x, out=d))
        note(lambda: torch.sin(d, out=o))
        note(lambda: torch.cat([d, d], out=torch.empty(6)))
        note(lambda: torch.matmul(d, d, out=torch.empty(())))
        note(
            lambda: torch.max(
                d.view(1, 3), 0, out=(torch.empty(3), torch.empty(3, dtype=torch.int64))
            )
        )
        note(lambda: torch.zeros(3, out=d))
        note(lambda: torch.ones(3, out=fw.make_dual(x, x)))
        note(lambda: torch.linspace(0, 1, 3, out=fw.make_dual(x, x)))
        note(lambda: torch.sum(d, 0, out=torch.empty(())))
        note(lambda: torch.mean(d, 0, out=torch.empty(())))
        note(lambda: torch.stack([d], out=torch.empty(1, 3)))


@program
def jvp_functions(torch, ns, note):
    fw = module(torch)
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

    class NoOpAdd(NoOp):
        @staticmethod
        def jvp(ctx, t):
            return t + 1

    run(NoOpAdd.apply, x)

    class NoOpView(NoOp):
        @staticmethod
        def jvp(ctx, t):
            return t.view_as(t)

    run(NoOpView.apply, x)

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

    class ViewWrong(View):
        @staticmethod
        def jvp(ctx, t):
            return t.clone()

    run(ViewWrong.apply, x)

    class ViewWrong2(View):
        @staticmethod
        def jvp(ctx, t):
            return t

    run(ViewWrong2.apply, x)

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

    class WrongNone(Wrong):
        @staticmethod
        def jvp(ctx, t):
            return None

    run(WrongNone.apply, x)

    class WrongNum(Wrong):
        @staticmethod
        def jvp(ctx, t):
            return t, t

    run(WrongNum.apply, x)

    class WrongType(Wrong):
        @staticmethod
        def jvp(ctx, t):
            return 3

    run(WrongType.apply, x)

    class WrongDtype(Wrong):
        @staticmethod
        def jvp(ctx, t):
            return t.double()

    run(WrongDtype.apply, x)

    class Raises(Wrong):
        @staticmethod
        def jvp(ctx, t):
            raise ValueError("no")

    run(Raises.apply, x)

    class ListJvp(Wrong):
        @staticmethod
        def jvp(ctx, t):
            return [t * 2]

    run(ListJvp.apply, x)

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
    fw = module(torch)
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
def level_programs(torch, ns, note):
    fw = module(torch)
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
    fw = module(torch)
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
