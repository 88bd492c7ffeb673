"""``torch.func``: derivatives of functions, nested in each other and in ``vmap``."""

from __future__ import annotations

import importlib

from tests.contract.forward_mode import warm_up
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()

warm_up()


def func(torch):
    return importlib.import_module(f"{torch.__name__}.func")


@program
def gradients(torch, ns, note):
    F = func(torch)
    x = torch.arange(1.0, 4.0)
    y = torch.tensor(2.0)
    note(F.grad(lambda a: (a**3).sum())(x))
    note(F.grad(lambda a, b: (a * b).sum(), argnums=1)(x, y))
    note(F.grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, y))
    note(F.grad(lambda a: (a["p"] * a["q"][0]).sum())({"p": x, "q": [y]}))
    note(F.grad_and_value(lambda a: (a * a).sum())(x))
    note(F.grad(lambda a: ((a * a).sum(), a + 1), has_aux=True)(x))
    note(F.grad_and_value(lambda a: ((a * a).sum(), {"k": a + 1}), has_aux=True)(x))
    note(F.grad(F.grad(lambda a: a * a * a))(y))
    note(F.grad(F.grad(F.grad(lambda a: a * a * a * a)))(y))
    note(F.grad(lambda a: F.grad(lambda b: a * b * b)(a) * a)(y))
    note(F.grad(lambda a: torch.ones(()))(x))
    note(F.grad(lambda a, k=3: (a * k).sum())(x, k=2))
    with torch.no_grad():
        note(F.grad(lambda a: (a * a).sum())(x))

    def quiet(a):
        with torch.no_grad():
            c = a * a
        return (a * c).sum()

    note(F.grad(quiet)(x))
    note(F.grad(lambda a: (a.detach() * a).sum())(x))


@program
def refusals(torch, ns, note):
    F = func(torch)
    x = torch.arange(1.0, 4.0)
    note(lambda: F.grad(lambda a: a * 2)(x))
    note(lambda: F.grad(lambda a: 3)(x))
    note(lambda: F.grad(lambda a: a.sum(), has_aux=True)(x))
    note(lambda: F.grad(lambda a: a.sum(), argnums=2)(x))
    note(lambda: F.grad(lambda a: a.sum(), argnums="a")(x))
    note(lambda: F.grad(lambda a: a.sum(), argnums=(0, 0))(x))
    note(lambda: F.grad(lambda a: a.sum(), argnums=())(x))
    note(lambda: F.grad(lambda a: a.sum(), argnums=(0, "b"))(x))
    note(lambda: F.vjp(lambda a: 3, x))
    note(lambda: F.vjp(lambda a: (), x))
    note(lambda: F.vjp(lambda a: None, x))
    note(lambda: F.vjp(lambda a: a > 0, x))
    note(lambda: F.vjp(lambda a: a, x, has_aux=True))
    note(lambda: F.vjp(lambda a: (a, a), x)[1](x))
    note(lambda: F.jvp(lambda a: a, x, x))
    note(lambda: F.jvp(lambda a: a, (x,), (x, x)))
    note(lambda: F.jvp(lambda a: a, (), ()))
    note(lambda: F.jvp(lambda a: a, (3,), (3,)))
    note(lambda: F.jvp(lambda a: 3, (x,), (x,)))
    note(lambda: F.jvp(lambda a: torch.ones(2), (x,), (x,), strict=True))
    note(lambda: F.jvp(lambda a: a, (x,), (x,), has_aux=True))
    note(lambda: F.jvp(lambda a: a, (x,), (torch.ones(2),)))
    note(lambda: F.jacrev(lambda a: a, chunk_size=0))
    note(lambda: F.jacrev(lambda a: a)(x.to(torch.complex64)))
    note(lambda: F.jacfwd(lambda a: a)(x.to(torch.complex64)))
    for transform in (F.grad, F.jacrev, F.jacfwd, F.hessian):
        note(lambda: transform(lambda a: a.sum())(x.long()))
    note(lambda: F.vjp(lambda a: a, x > 1))
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        note(lambda: F.grad(lambda a: a.sum())(x))

    def changes(a):
        a.mul_(2)
        return a.sum()

    note(lambda: F.grad(changes)(x))


@program
def products(torch, ns, note):
    F = func(torch)
    x, y = torch.arange(1.0, 4.0), torch.ones(3)
    out, pull = F.vjp(lambda a, b: (a * b, (a * a).sum()), x, y)
    note(out)
    note(pull((torch.ones(3), torch.tensor(2.0))))
    note(pull((torch.ones(3), torch.tensor(2.0))))
    out, pull, aux = F.vjp(lambda a: (a * a, a + 1), x, has_aux=True)
    note((out, pull(torch.ones(3)), aux))
    note(F.jvp(lambda a, b: (a * b, a.sum()), (x, y), (y, x)))
    note(F.jvp(lambda a: torch.ones(2), (x,), (y,)))
    note(F.jvp(lambda a: (a * a, a), (x,), (y,), has_aux=True))
    note(F.jvp(lambda a: F.jvp(lambda b: b**3, (a,), (y,))[1], (x,), (y,)))
    note(F.jvp(F.grad(lambda a: (a**3).sum()), (x,), (y,)))
    note(F.grad(lambda a: F.jvp(lambda b: (b**3).sum(), (a,), (y,))[1])(x))
    out, push = F.linearize(lambda a: a * a, x)
    note((out, push(y), push(x)))
    note(lambda: push(torch.ones(2)))
    note(lambda: F.linearize(lambda a: a * 2, torch.ones(3, dtype=torch.int64)))


@program
def nodes_of_values_of_jvp(torch, ns, note):
    """They are aliases of what the function gave, and what it is given are aliases, too."""
    F = func(torch)
    x, w = torch.arange(1.0, 4.0), torch.ones(3, requires_grad=True)
    v = x.clone().requires_grad_()

    def names(node):
        return node and (type(node).__name__, [names(n) for n, _ in node.next_functions])

    for f in (lambda a: a * 2, lambda a: a * a, lambda a: a, lambda a: a * w, lambda a: w):
        for given in (x, v):
            note(names(F.jvp(f, (given,), (torch.ones(3),))[0].grad_fn))


@program
def jacobians(torch, ns, note):
    F = func(torch)
    x, y = torch.arange(1.0, 4.0), torch.ones(2)

    def f(a, b=None):
        return torch.cat([a * a, a[:1] * a[1:2]])

    note(F.jacrev(f)(x))
    note(F.jacfwd(f)(x))
    for size in (1, 2, 3, 10):
        note(F.jacrev(f, chunk_size=size)(x))
    note(F.jacrev(lambda a, b: (a.sum() * b, {"k": a}), argnums=(0, 1))(x, y))
    note(F.jacfwd(lambda a, b: (a.sum() * b, {"k": a}), argnums=(0, 1))(x, y))
    note(F.jacrev(lambda a: (f(a), a + 1), has_aux=True)(x))
    note(F.jacfwd(lambda a: (f(a), a + 1), has_aux=True)(x))
    note(F.hessian(lambda a: (a**3).sum())(x))
    note(F.hessian(lambda a: a[0] * a[1] * a[2])(x))
    note(F.jacrev(F.jacrev(lambda a: (a**3).sum()))(x))
    note(F.jacfwd(F.jacfwd(lambda a: (a**3).sum()))(x))
    note(F.jacrev(F.jacfwd(lambda a: (a**3).sum()))(x))
    note(F.jacrev(lambda a: a * 2)(torch.tensor(1.0)))
    note(F.jacfwd(lambda a: a * 2)(torch.tensor(1.0)))


@program
def under_vmap(torch, ns, note):
    F = func(torch)
    x = torch.arange(6.0).reshape(3, 2)
    w = torch.tensor([1.0, 2.0])
    note(F.vmap(F.grad(lambda a: (a**3).sum()))(x))
    note(F.vmap(F.grad(lambda p, a: (p * a).sum() ** 2), in_dims=(None, 0))(w, x))
    note(F.vmap(F.grad(lambda p, a: (p * a).sum() ** 2, argnums=(0, 1)), in_dims=(None, 0))(w, x))
    note(F.vmap(F.jacrev(lambda a: a * a))(x))
    note(F.vmap(F.jacfwd(lambda a: a * a))(x))
    note(F.vmap(F.hessian(lambda a: (a**3).sum()))(x))
    note(F.vmap(lambda a: F.vjp(lambda b: b * b, a)[1](a)[0])(x))
    note(F.vmap(lambda t: F.jvp(lambda b: b @ (x.T @ x), (x,), (t,))[1])(torch.stack([x, x + 1])))
    note(F.jacfwd(lambda b: b @ (x.T @ x))(x))
    note(F.hessian(lambda b: ((b @ x.T) ** 2).sum())(x))
    note(F.vmap(lambda a, t: F.jvp(lambda b: b * b, (a,), (t,))[1])(x, x + 1))
    note(F.grad(lambda p: F.vmap(lambda a: (p * a).sum())(x).sum())(w))
    note(F.jvp(lambda p: F.vmap(lambda a: p * a)(x), (w,), (w,)))
    note(F.vmap(F.vmap(F.grad(lambda a: a * a)))(x))
    note(F.vmap(F.grad(lambda a: F.vmap(lambda b: b * b * a.sum())(a).sum()))(x))
    note(F.jacrev(F.vmap(lambda a: (a * a).sum()))(x))
    note(F.vmap(F.grad(F.grad(lambda a: a**3)))(w))
    note(F.vmap(F.grad_and_value(lambda a: (a * a).sum()), in_dims=1)(x))


@program
def with_outer_autograd(torch, ns, note):
    F = func(torch)
    x = torch.arange(1.0, 4.0, requires_grad=True)
    p = torch.tensor(2.0, requires_grad=True)
    g = F.grad(lambda a: (a**3).sum())(x)
    note(g.requires_grad)
    note(torch.autograd.grad(g.sum(), x))
    g = F.grad(lambda a: (a * a * p).sum())(x.detach())
    note(g.requires_grad)
    note(torch.autograd.grad(g.sum(), p))
    out, pull = F.vjp(lambda a: a * a * p, x)
    note(out.requires_grad)
    (v,) = pull(torch.ones(3))
    note(torch.autograd.grad(v.sum(), [x, p]))
    with torch.no_grad():
        g = F.grad(lambda a: (a * a * p).sum())(x)
    note(g)
    value, tangent = F.jvp(lambda a: a * a * p, (x,), (torch.ones(3),))
    note(torch.autograd.grad(tangent.sum(), [x, p]))
    note(F.grad(lambda a: (a * a).sum())(x.detach()).requires_grad)
    j = F.jacrev(lambda a: a * a * p)(x)
    note(torch.autograd.grad(j.sum(), [x, p]))


@program
def modules(torch, ns, note):
    F = func(torch)
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    params = {k: torch.ones_like(v) for k, v in net.named_parameters()}
    x = torch.arange(6.0).reshape(3, 2)
    note(F.functional_call(net, params, x))
    note(F.functional_call(net, params, (x,)))
    note(F.functional_call(net, [params, {}], (x,)))
    note(F.grad(lambda q: F.functional_call(net, q, x).sum())(params))
    note(F.vmap(F.grad(lambda q, a: F.functional_call(net, q, a).sum()), (None, 0))(params, x))
    note(lambda: F.functional_call(net, [params, params], x))
    note(lambda: F.functional_call(net, 3, x))
    note(lambda: F.functional_call(net, [3], x))
    note(lambda: F.functional_call(net, {"0.weight": params["0.weight"]}, x, strict=True))
    note(lambda: F.functional_call(net, {**params, "a": x}, x, strict=True))
    note(lambda: F.functional_call(net, {"a.b": x}, x))
    note(lambda: F.functional_call(net, {"0.foo": x}, x))
    models = [torch.nn.Linear(2, 1) for _ in range(3)]
    stacked, buffers = F.stack_module_state(models)
    note({k: (tuple(v.shape), v.requires_grad, v.is_leaf) for k, v in stacked.items()})
    note(buffers)
    one = {k: torch.ones_like(v) for k, v in stacked.items()}
    note(F.vmap(lambda q: F.functional_call(models[0], q, x[0]))(one))
    note(lambda: F.stack_module_state([]))
    note(lambda: F.stack_module_state([models[0], net]))
    note(lambda: F.stack_module_state([models[0], torch.nn.Linear(2, 1).eval()]))
    bn = torch.nn.BatchNorm1d(2)
    state = {k: v.clone() for k, v in bn.state_dict().items()}
    F.functional_call(bn, state, x)
    note((state, bn.running_mean))
    tied = torch.nn.Module()
    tied.a = torch.nn.Parameter(torch.ones(2))
    tied.b = tied.a
    tied.forward = lambda t: t * tied.a + tied.b
    note(F.functional_call(tied, {"a": torch.zeros(2)}, torch.ones(2)))
    note(F.functional_call(tied, {"a": torch.zeros(2)}, torch.ones(2), tie_weights=False))
    note(lambda: F.functional_call(tied, {"a": torch.zeros(2), "b": torch.ones(2)}, torch.ones(2)))


#: Functions of which derivatives are asked for where there is nothing to derive.
OF_NOTHING = [
    "t.func.hessian(lambda x: (x * x).sum())(t.zeros(0))",
    "t.func.hessian(lambda x: (x.tanh() * x).sum())(t.zeros(0, 3))",
    "t.func.jacfwd(lambda x: x.relu())(t.zeros(0, 2))",
    "t.func.jacrev(lambda x: x.sort(-1)[0])(t.zeros(0, 2))",
    "t.vmap(t.func.jacrev(lambda x: x.relu()))(t.zeros(0, 2))",
    "t.vmap(t.func.jacrev(lambda x: x.relu()))(t.zeros(2, 0))",
    "t.vmap(t.func.jacrev(lambda x: x.softmax(-1).cumsum(-1)))(t.zeros(0, 2))",
    "t.vmap(t.func.jacfwd(lambda x: x.softmax(-1).cumsum(-1)))(t.zeros(0, 2))",
    "t.vmap(lambda x: t.where(x > 0, x, x * 2).tril())(t.zeros(0, 2, 2))",
    "t.vmap(lambda x: x.clone().masked_fill_(x > 0, 1.0))(t.zeros(0, 2))",
    "t.vmap(lambda x, y: t.nn.functional.linear(x, y))(t.zeros(0, 3), t.zeros(0, 4, 3))",
    "t.vmap(lambda x: x.unfold(0, 2, 1))(t.zeros(0, 4))",
]


@program
def derivatives_of_nothing(torch, ns, note):
    """A batch without samples, a tensor without elements."""
    func(torch)
    for text in OF_NOTHING:
        note(lambda: (lambda made: (made.shape, made.dtype))(eval(text, {"t": torch})))


@program
def tangents_of_what_vjp_gives(torch, ns, note):
    """The formula of the gradient is one that has derivatives, as where a backward is recorded."""
    F, x = func(torch), torch.tensor([0.25, 0.5])
    forward_ad = torch.autograd.forward_ad
    for f in (
        torch.nn.functional.silu,
        torch.nn.functional.mish,
        torch.logit,
        lambda x: torch.logit(x, 0.1),
    ):

        def pulled(x, g, f=f):
            return F.vjp(f, x)[1](g)[0]

        def slope(x, f=f):
            return F.grad(lambda x: f(x).sum())(x)

        for found in (F.jvp(pulled, (x, x), (x, x + 1)), F.jvp(slope, (x,), (x,))):
            note([[round(n, 4) for n in t.tolist()] for t in found])
            note([(t.requires_grad, t.grad_fn) for t in found])
        with forward_ad.dual_level():
            made = pulled(forward_ad.make_dual(x, x), forward_ad.make_dual(x, x + 1))
            for t in forward_ad.unpack_dual(made):
                note([round(n, 4) for n in t.tolist()])


@program
def an_alias_of_what_was_captured_may_change(torch, ns, note):
    """So running statistics of ``instance_norm`` change inside of a derivative."""
    F, x = func(torch), torch.tensor([[[0.5, 1.0, 3.0], [2.0, 0.25, 1.0]]])
    for use_input_stats in (True, False):
        mean, var = torch.zeros(2), torch.ones(2)

        def f(x, mean=mean, var=var, use=use_input_stats):
            norm = torch.nn.functional.instance_norm
            return norm(x, mean, var, use_input_stats=use).pow(3).sum()

        for call in (lambda f=f: F.grad(f)(x), lambda f=f: F.jvp(f, (x,), (x,))[1]):
            note(lambda call=call: [[round(n, 4) for n in r.tolist()] for r in call().view(-1, 1)])
        note([[round(n, 4) for n in t.tolist()] for t in (mean, var)])
    kept = torch.zeros(3)
    for view in (torch.ops.aten.alias, lambda t: t.view(3), lambda t: t[:1], lambda t: t.detach()):
        note(lambda view=view: F.grad(lambda y: (view(kept).add_(1), y.sum())[1])(torch.ones(2)))
        note(kept)
