"""``torch.inference_mode``: what is made in it, and what may be done with that outside."""

from __future__ import annotations

from itertools import product

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def made(torch):
    with torch.inference_mode():
        return torch.ones(2, 3)


@program
def what_is_made(torch, ns, note):
    g = torch.ones(2, 3, requires_grad=True)
    n = torch.ones(2, 3)
    with torch.inference_mode():
        for make in (
            lambda: torch.ones(2, 3),
            lambda: torch.tensor([1.0]),
            lambda: torch.tensor(1),
            lambda: n * 2,
            lambda: g * 2,
            lambda: g @ g.t(),
            lambda: torch.cat([g, n]),
            lambda: g.view(6),
            lambda: n.view(6),
            lambda: g[0],
            lambda: n.detach(),
            lambda: g.detach(),
            lambda: n.data,
            lambda: n.clone(),
            lambda: n.to(torch.float64),
            lambda: n.contiguous(),
            lambda: n.add_(1),
            lambda: torch.ones(3)[0],
            lambda: torch.ones(2, 3).t(),
            lambda: torch.ones(4).split(2)[0],
            lambda: n.split(1)[0],
            lambda: n.max(0)[0],
            lambda: torch.nn.functional.linear(n, n),
            lambda: torch.zeros_like(g),
            lambda: torch.ones(2).sum(),
            lambda: torch.rand(2) * 0,
            lambda: torch.from_numpy(n.numpy()),
            lambda: n.expand(2, 2, 3),
            lambda: torch.ones(2, 3).reshape(6),
        ):
            t = make()
            note((t.is_inference(), t.requires_grad, t.is_leaf, t._is_view()))
        note(torch.is_grad_enabled())
        note(torch.is_inference_mode_enabled())
        with torch.inference_mode(False):
            note((torch.ones(1).is_inference(), torch.is_grad_enabled(), (g * 2).requires_grad))
        with torch.enable_grad():
            note((g * 2).requires_grad)
        a = torch.ones(2, requires_grad=True)
        note((a.requires_grad, (a * 2).requires_grad))
        a.add_(1)
        note(lambda: a._version)
        note(lambda: g.add_(1))
    note((torch.ones(1).is_inference(), n._version))


@program
def used_outside(torch, ns, note):
    g = torch.ones(2, 3, requires_grad=True)
    n = torch.ones(2, 3)
    for use in (
        lambda i: i._version,
        lambda i: i.add_(1),
        lambda i: i.zero_(),
        lambda i: i.t_(),
        lambda i: torch.add(n, 1, out=i),
        lambda i: torch.add(i, 1, out=n.clone()),
        lambda i: i.requires_grad_(),
        lambda i: setattr(i, "requires_grad", True),
        lambda i: i.requires_grad_(False),
        lambda i: i * g,
        lambda i: g * i,
        lambda i: g * i.view(6),
        lambda i: g.mm(i),
        lambda i: g + i.view(6),
        lambda i: i + g,
        lambda i: i * 2 + g,
        lambda i: i.clone() * g,
        lambda i: torch.cat([i, g]),
        lambda i: (i * 2).is_inference(),
        lambda i: i.view(6).is_inference(),
        lambda i: i[0].is_inference(),
        lambda i: i.split(1)[1].is_inference(),
        lambda i: i.detach().is_inference(),
        lambda i: i.data.is_inference(),
        lambda i: i.clone().is_inference(),
        lambda i: i.contiguous() is i,
        lambda i: i.view(6)._is_view(),
        lambda i: i[0].add_(1),
        lambda i: n.add_(i),
        lambda i: i.view(6).requires_grad,
        lambda i: torch.nn.functional.linear(i, g),
        lambda i: torch.nn.functional.linear(g, i),
        lambda i: i.sum(),
        lambda i: torch.is_inference(i),
    ):
        note(lambda: use(made(torch)))  # the oracle changes some before it refuses
    for change in (
        lambda x, i: x.mul_(i),
        lambda x, i: x.div_(i),
        lambda x, i: x.add_(i),
        lambda x, i: x.pow_(i),
        lambda x, i: x.copy_(i),
        lambda x, i: x.atan2_(i.view(2, 3)),
        lambda x, i: n.clone().mul_(i),
        lambda x, i: n.clone().mul_(x),
        lambda x, i: n.clone().addcmul_(i, x),
    ):
        x = g.clone()
        note(lambda: change(x, made(torch)))
        note((x.detach(), x._version, x.grad_fn.name()))
    with torch.no_grad():
        note(lambda: made(torch).add_(1))
        note(lambda: (made(torch) * g).requires_grad)
        note(lambda: g.clone().mul_(made(torch)))
    with torch.inference_mode():
        note(lambda: made(torch).add_(1))
        note(lambda: made(torch).requires_grad_().requires_grad)


@program
def views_of_normal_tensors(torch, ns, note):
    for change in (lambda v, h: v.add_(1), lambda v, h: h.add_(1)):
        h = torch.ones(2, 3, requires_grad=True) * 1
        with torch.inference_mode():
            v = h.view(6)
        note((v.is_inference(), v.requires_grad, v._is_view()))
        note(lambda: change(v, h))
        note(lambda: v * 2)
        n = torch.ones(2, 3)
        with torch.inference_mode():
            w = n.view(6)
        note(lambda: w * 2)


@program
def decorators(torch, ns, note):
    @torch.inference_mode()
    def f(x):
        return x * 2

    @torch.inference_mode
    def g(x):
        return x * 2

    x = torch.ones(2, requires_grad=True)
    note((f(x).is_inference(), g(x).is_inference(), f(x).requires_grad))
    net = torch.nn.Linear(2, 1)
    with torch.inference_mode():
        out = net(torch.ones(1, 2))
        note((out.is_inference(), out.requires_grad))
        p = torch.nn.Parameter(torch.ones(2))
        note((p.is_inference(), p.requires_grad))
    note(lambda: net(torch.ones(1, 2)).sum().backward())


@program
def what_may_not_require_a_gradient(torch, ns, note):
    with torch.inference_mode():
        plain, leaf = torch.ones(2), torch.ones(2, requires_grad=True)
        view = leaf.view(-1)
        note(torch.nn.Parameter(plain).requires_grad)
    for mode in (torch.enable_grad, torch.no_grad):
        with mode():
            note(lambda: torch.nn.Parameter(plain))
            note(lambda: torch.nn.Parameter(plain, requires_grad=False).requires_grad)
            note(lambda: torch.nn.Parameter(leaf))
            note(lambda: torch.Tensor._make_subclass(torch.Tensor, plain, True))
            note(lambda: torch.Tensor._make_subclass(torch.Tensor, plain).requires_grad)
            note(lambda: leaf.add_(1))
            note(lambda: view.add_(1))
            note(lambda: leaf.view(1, 2).add_(1))
            note(lambda: plain.requires_grad_())


@program
def leaves_made_inside(torch, ns, note):
    """Numbers bring them to autograd, tensors made inside do not."""
    with torch.inference_mode():
        leaf = torch.ones(2, requires_grad=True)
    for made in (leaf + 1, 2.0 * leaf, leaf * leaf, leaf.exp(), leaf.view(2)):
        note((made.requires_grad, made.grad_fn and made.grad_fn.name(), made.is_inference()))
    note(lambda: leaf.sum().backward())
    note(lambda: (leaf + 1).sum().backward())
    note(leaf.grad)


@program
def views_of_inference_leaves(torch, ns, note):
    with torch.inference_mode():
        leaf = torch.ones(2, requires_grad=True)
        for t in (leaf.view(-1), leaf.expand(3, 2), leaf[0], leaf.detach(), leaf.unbind(0)[0]):
            note([t.requires_grad, t.is_inference(), t.is_leaf])
    for t in (leaf.view(-1), leaf.expand(3, 2), leaf[0], leaf.detach(), leaf.unbind(0)[0]):
        note([t.requires_grad, t.is_inference(), t.is_leaf])
    note(leaf.requires_grad)
    note(lambda: torch._C._set_grad_enabled(1))


@program
def cut_in_place(torch, ns, note):
    """``detach_`` cuts nothing where autograd is not asked: in the mode, and of its tensors."""
    leaf, made = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True) * 2
    with torch.inference_mode():
        inside = torch.ones(3, requires_grad=True)
        for t in (inside, leaf, made, leaf.view(3), made[0]):
            note([t.detach_() is t, t.requires_grad, t.grad_fn is None])
    for t in (inside, leaf, made):
        note([t.requires_grad, t.is_leaf])
        note([t.detach_() is t, t.requires_grad, t.grad_fn is None])


@program
def detached_outside(torch, ns, note):
    """What was detached outside of the mode counts its changes, and so may be changed."""

    def told(t):
        note([t.is_inference(), t.is_leaf, t._is_view()])
        note(lambda: t._version)
        note(lambda: [t.add_(1)._version, t])
        note(lambda: t.requires_grad_())

    normal = torch.ones(3)
    with torch.inference_mode():
        kept = torch.ones(3)
        inside = [kept.detach(), kept.data, normal.detach(), normal.data, kept.view(3)]
    for t in inside:
        told(t)
    for make in (
        lambda v: v.detach(),
        lambda v: v.data,
        lambda v: v.view(6).data,
        lambda v: v.detach().detach(),
        lambda v: v.detach().view(6),
        lambda v: v.data[0],
        lambda v: v.detach().split(1)[0],
        lambda v: torch.nn.Parameter(v, requires_grad=False),
        lambda v: v.view(torch.int32),
        lambda v: v.expand(2, 3),
        lambda v: v.contiguous(),
    ):
        told(make(made(torch)))
    for change in (
        lambda t: t.zero_(),
        lambda t: t.resize_(2, 1),
        lambda t: t.squeeze_(),
        lambda t: torch.add(torch.ones(3), 1, out=t),
        lambda t: t.__setitem__(0, 5.0),
    ):
        note(lambda change=change: change(made(torch)[0].detach()))
        note(lambda change=change: change(made(torch)[0]))
    kept = made(torch)[0]
    one = kept.detach()
    other = one.detach()
    note([one.add_(1), kept, other])
    note([one._version, other._version])
    one.mul_(torch.ones(3, requires_grad=True))
    note([one, one._version, one.grad_fn is None])


@program
def other_data_for_tensors_of_both_kinds(torch, ns, note):
    for mine, given, inside in product((False, True), repeat=3):
        with torch.inference_mode(mine):
            x = torch.ones(2, 3) * 1
        with torch.inference_mode(given):
            value = torch.ones(3, 2) + 1
        with torch.inference_mode(inside):
            x.data = value
        note([mine, given, inside, x.is_inference(), list(x.shape)])
        note(lambda x=x: x._version)
        note(lambda x=x: x.detach().is_inference())
        note(lambda x=x: x[0].is_inference())
        note(lambda x=x: x.view(-1)._version)
        note(lambda x=x: x.requires_grad_().requires_grad)
        note(lambda x=x: (x * x).requires_grad)
        note(lambda x=x: x.clone().is_inference())


@program
def resizing_where_autograd_is_not_asked(torch, ns, note):
    leaf = torch.ones(2, 3, requires_grad=True)
    for x in (leaf, leaf * 1, (leaf * 1)[:1]):
        for mode in (torch.inference_mode, torch.no_grad, torch.enable_grad):
            for size in ((2, 3), (4, 4), (1,)):
                with mode():
                    note(lambda x=x, size=size: list(x.resize_(size).shape))
                note([x._version, x.requires_grad])
