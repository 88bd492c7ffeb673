"""``torch.autograd.forward_ad``: levels, dual tensors, changes in place, views, over reverse."""

from __future__ import annotations

from tests.contract.forward_mode import forward_mode
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def levels_and_refusals(torch, ns, note):
    fw = forward_mode(torch)
    x, v = torch.ones(2, 3), torch.full((2, 3), 2.0)
    whole = torch.ones(2, 3, dtype=torch.int64)
    note(lambda: fw.unpack_dual(x))
    note(lambda: fw.exit_dual_level())
    note(lambda: fw.exit_dual_level(level=3))
    with fw.dual_level() as level:
        note(level)
        note(lambda: fw.enter_dual_level())
        note(lambda: fw.make_dual(x, torch.ones(3)))
        note(lambda: fw.make_dual(whole, whole))
        note(lambda: fw.make_dual(x, whole))
        note(lambda: fw.make_dual(3, v))
        note(lambda: fw.make_dual(x, v, level=1))
        d = fw.make_dual(x, v)
        note(repr(d))
        note((d._is_view(), d.grad_fn))
        note(lambda: fw.make_dual(d, v))
        note(lambda: fw.make_dual(x, d))
        parts = fw.unpack_dual(d)
        note((parts, type(parts).__name__, parts._fields, parts.tangent is v))
        note(lambda: fw.unpack_dual(3))
        note(lambda: torch.mul(d, d, out=torch.empty(2, 3)))
        note(lambda: torch.mul(x, x, out=d))
    note(repr(d))
    note(fw.unpack_dual(d))


@program
def results(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.arange(6.0).reshape(2, 3)
    v = torch.full((2, 3), 2.0)
    with fw.dual_level():
        d = fw.make_dual(x, v)
        for f in (
            lambda: d * d,
            lambda: d.detach(),
            lambda: d.data,
            lambda: d > 0,
            lambda: d.view(6),
            lambda: d.t(),
            lambda: d[0],
            lambda: d[:, 1:],
            lambda: torch.ones_like(d),
            lambda: d.clone(),
            lambda: d.to(torch.float64),
            lambda: d.sum(),
            lambda: d.sum(0),
            lambda: d @ d.t(),
            lambda: torch.cat([d, x]),
            lambda: torch.stack([x, d]),
            lambda: d.split(2, 1)[1],
            lambda: d.max(),
            lambda: d.max(1)[0],
            lambda: d.softmax(1).sum(0) * 0 + 1,
            lambda: torch.nn.functional.linear(d, d, d[:, 0]),
            lambda: torch.where(d > 2, d, x),
            lambda: d.contiguous(),
            lambda: d.expand(2, 2, 3),
            lambda: 2 - d,
            lambda: d / 2,
            lambda: d.relu(),
            lambda: d[torch.tensor([1, 0])],
        ):
            note(lambda: fw.unpack_dual(f()))
        with fw._set_fwd_grad_enabled(False):
            note(fw.unpack_dual(d * 2))
            note(fw._is_fwd_grad_enabled())
        with torch.no_grad():
            note(fw.unpack_dual(d * 2))


@program
def changes_in_place(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.arange(6.0).reshape(2, 3)
    v = torch.full((2, 3), 2.0)
    for change in (
        lambda t, d: t.mul_(d),
        lambda t, d: t.add_(d),
        lambda t, d: t.add_(1),
        lambda t, d: t.copy_(d),
        lambda t, d: t.zero_(),
        lambda t, d: t.fill_(3.0),
        lambda t, d: t.sub_(d, alpha=2),
        lambda t, d: t.neg_(),
        lambda t, d: t[0].mul_(3),
        lambda t, d: t.__setitem__(0, d[1]),
        lambda t, d: t.view(6)[1:3].add_(d.view(6)[:2]),
        lambda t, d: t.relu_(),
        lambda t, d: t.t_(),
        lambda t, d: t.masked_fill_(t > 2, 1.0),
        lambda t, d: t.clamp_(1, 2),
    ):
        for dual in (True, False):
            with fw.dual_level():
                d = fw.make_dual(x, v)
                t = fw.make_dual(x.clone(), v * 3) if dual else x.clone()
                change(t, d)
                note(fw.unpack_dual(t))
    with fw.dual_level():
        d = fw.make_dual(x, v)
        q = torch.ones(2, 3, requires_grad=True)
        note(lambda: q.mul_(d))


@program
def over_reverse(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.arange(1.0, 4.0, requires_grad=True)
    for f in (
        lambda a: (a * a * a).sum(),
        lambda a: (a / (a + 1)).sum(),
        lambda a: (a.relu() * a).sum(),
        lambda a: (a.view(3, 1) @ a.view(1, 3)).sum(),
        lambda a: a.pow(3).mean(),
        lambda a: (torch.cat([a, a]) ** 2).sum(),
        lambda a: a.sqrt().sum() * 0 + a.prod(),
    ):
        with fw.dual_level():
            d = fw.make_dual(x, torch.full((3,), 2.0))
            out = f(d)
            note((out.requires_grad, fw.unpack_dual(out).tangent.requires_grad))
            (g,) = torch.autograd.grad(out, x, create_graph=True)
            note(fw.unpack_dual(g).tangent.detach())
            t = fw.unpack_dual(out).tangent
            note(torch.autograd.grad(t, x, allow_unused=True))


@program
def requires_grad_and_duals(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.ones(2, requires_grad=True)
    v = torch.ones(2, requires_grad=True)
    with fw.dual_level():
        d = fw.make_dual(x, v * 2)
        note((d.is_leaf, d.grad_fn.name()))
        y = d * 3
        note(fw.unpack_dual(y).tangent.detach())
        fw.unpack_dual(y).tangent.sum().backward()
        note(v.grad)


@program
def custom_functions(torch, ns, note):
    fw = forward_mode(torch)

    class Without(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class With(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, k, b):
            ctx.k = k
            ctx.save_for_forward(a)
            return a * k + b, a + 1

        @staticmethod
        def jvp(ctx, ta, tk, tb):
            (a,) = ctx.saved_tensors
            note((ta, tk, tb, a))
            return ta * ctx.k + tb, ta

        @staticmethod
        def backward(ctx, g, h):
            return g * ctx.k + h, None, g

    x = torch.ones(2)
    with fw.dual_level():
        d = fw.make_dual(x, torch.full((2,), 2.0))
        note(lambda: Without.apply(d))
        note([fw.unpack_dual(t) for t in With.apply(d, 3, d * 2)])
        note([fw.unpack_dual(t) for t in With.apply(d, 3, x)])
        note([fw.unpack_dual(t) for t in With.apply(x, 3, x)])


@program
def changes_in_place_over_reverse(torch, ns, note):
    """The formula of a tangent keeps the tangent that the change replaces."""
    fw = forward_mode(torch)
    for name in (
        *("sqrt_ exp_ tanh_ sigmoid_ reciprocal_ rsqrt_ sin_ log_ log1p_ expm1_ square_").split(),
        *("erf_ atan_ mul_ div_ pow_ addcmul_ clamp_").split(),
    ):
        x = torch.linspace(0.2, 0.9, 4, dtype=torch.float64, requires_grad=True)
        more = {"mul_": (x,), "div_": (x,), "pow_": (x,), "addcmul_": (x, x), "clamp_": (0.3, 0.8)}
        with fw.dual_level():
            d = fw.make_dual(x * 1, x * 2) * 3
            getattr(d, name)(*more.get(name, ()))
            tangent = fw.unpack_dual(2 / d).tangent
            note((name, [round(v, 9) for v in torch.autograd.grad(tangent.sum(), x)[0].tolist()]))
