"""Hooks after accumulation, retained gradients, hooks of many tensors; and changes in place."""

from __future__ import annotations

import copy

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def post_accumulate(torch, ns, note):
    log = []
    a = ones(torch)
    a.register_post_accumulate_grad_hook(
        lambda t: (log.append(t.grad.tolist()), setattr(t, "grad", None))[1]
    )
    (a * 2).sum().backward()
    note(log)
    note(a.grad)
    torch.autograd.grad((a * 2).sum(), a)
    note(len(log))
    a.register_post_accumulate_grad_hook(lambda t: 3)
    note(lambda: (a * 2).sum().backward())
    b = ones(torch)
    b.register_post_accumulate_grad_hook(
        lambda t: t.sub_(t.grad) if not torch.is_grad_enabled() else log.append("grad on")
    )
    note(lambda: (b * 2).sum().backward())
    note(b)
    b = ones(torch)
    b.register_post_accumulate_grad_hook(lambda t: log.append(torch.is_grad_enabled()))
    (b * 2).sum().backward(create_graph=True)
    (b * b).sum().backward()
    note(log[-2:])
    b = ones(torch)

    def raises(t):
        raise ValueError("in the hook")

    b.register_post_accumulate_grad_hook(raises)
    note(lambda: (b * 2).sum().backward())
    note(b.grad)
    b = ones(torch)
    with torch.no_grad():
        b.register_post_accumulate_grad_hook(lambda t: log.append("ng"))
    b.detach_() if False else None
    c = ones(torch)
    c.register_post_accumulate_grad_hook(lambda t: log.append("c"))
    ((b * 2) + c).sum().backward(inputs=[c])
    note(log[-1])
    note(b.grad)
    ((b * 2) + c * 2).sum().backward(inputs=[b, c])
    note(log[-2:])


@program
def post_accumulate_order(torch, ns, note):
    log = []
    a, b = ones(torch), ones(torch)
    a.register_post_accumulate_grad_hook(lambda t: log.append("a post"))
    b.register_post_accumulate_grad_hook(lambda t: log.append("b post"))
    a.register_hook(lambda g: log.append("a pre"))
    b.register_hook(lambda g: log.append("b pre"))
    y = a * b
    y.register_hook(lambda g: log.append("y"))
    z = y * a
    z.register_hook(lambda g: log.append("z"))
    z.sum().backward()
    note(log)


@program
def retained_gradients(torch, ns, note):
    a = ones(torch)
    note(a.retains_grad)
    note(lambda: a.retain_grad())
    note(a.retains_grad)
    y = a * 2
    note(y.retains_grad)
    y.retain_grad()
    y.retain_grad()
    note(y.retains_grad)
    note(lambda: torch.ones(2).retain_grad())
    y.sum().backward()
    note(y.grad)
    note(lambda: (a * 2).grad)
    y = a * 2
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.register_hook(lambda g: g * 3)
    y.sum().backward(retain_graph=True)
    note(y.grad)
    y.sum().backward()
    note(y.grad)
    y = a * 2
    y.retain_grad()
    y.mul_(3)
    note(y.retains_grad)
    z = y * 5
    z.sum().backward()
    note(y.grad)
    y = a * 2
    y.retain_grad()
    y.register_hook(lambda g: note(("before", g)) and None)
    y.mul_(3)
    y.register_hook(lambda g: note(("after", g)) and None)
    y.sum().backward()
    note(y.grad)
    with torch.no_grad():
        y = a * 2
    note(lambda: y.retain_grad())
    y = a * 2
    y.retain_grad()
    torch.autograd.grad(y.sum(), a)
    note(y.grad)
    y = a * 2
    y.retain_grad()
    torch.autograd.grad(y.sum(), y)
    note(y.grad)


@program
def hooks_and_inplace(torch, ns, note):
    log = []
    a = ones(torch)
    b = a.clone()
    b.register_hook(lambda g: log.append(("1", g.tolist())))
    b.mul_(2)
    b.register_hook(lambda g: log.append(("2", g.tolist())))
    b.mul_(3)
    b.register_hook(lambda g: (log.append(("3", g.tolist())), g * 10)[1])
    b.sum().backward()
    note(log)
    note(a.grad)
    log.clear()
    a = ones(torch, 2, 2)
    base = a.clone()
    base.register_hook(lambda g: log.append(("base", g.tolist())))
    view = base[0]
    view.register_hook(lambda g: log.append(("view", g.tolist())))
    view.retain_grad()
    view.mul_(4)
    view.register_hook(lambda g: log.append(("view after", g.tolist())))
    base.register_hook(lambda g: log.append(("base after", g.tolist())))
    base.sum().backward()
    note(log)
    note(a.grad)
    note(view.grad)
    log.clear()
    a = ones(torch, 2, 2)
    x, y = a * 2, a * 3
    x.register_hook(lambda g: log.append(("x", g.tolist())))
    x.copy_(y)
    x.register_hook(lambda g: log.append(("x2", g.tolist())))
    (x * 5).sum().backward()
    note(log)


@program
def retained_gradients_follow_in_place(torch, ns, note):
    a = ones(torch)
    b = a.clone()
    b.retain_grad()
    b.mul_(2)
    b.retain_grad()
    c = b.exp() * 0
    c = b * 7
    c.sum().backward()
    note(b.grad)
    note(a.grad)
    a = ones(torch, 4)
    b = a.clone()
    v = b[:2]
    b.retain_grad()
    v.retain_grad()
    v.mul_(5)
    v.sum().backward(retain_graph=True)
    note(b.grad)
    note(v.grad)
    b.sum().backward()
    note(b.grad)
    note(v.grad)


@program
def multi_grad_hooks(torch, ns, note):
    from_all, from_any = [], []
    reg = torch.autograd.graph.register_multi_grad_hook
    t = [ones(torch) for _ in range(4)]
    h = reg(t, lambda gs: from_all.append([None if g is None else g.tolist() for g in gs]))
    k = reg(t, lambda g: from_any.append(g.tolist()), mode="any")
    note(type(h).__name__)
    (t[0] * 2 + t[2] * 3).sum().backward()
    note(from_all)
    note(from_any)
    (t[0] * 2 + t[1] * t[2] + t[3]).sum().backward(inputs=(t[0], t[1]))
    note(from_all[-1])
    note(from_any)
    loss = (t[0] * 2 + t[1] * t[2] + t[3]).sum()
    note(lambda: torch.autograd.grad(loss, (t[1], t[3])))
    note(from_all[-1])
    note(from_any)
    h.remove()
    k.remove()
    (t[0] * 2).sum().backward()
    note(len(from_all))
    note(len(from_any))
    note(lambda: reg(t, lambda g: g, mode="some"))
    note(lambda: reg([torch.ones(2)], lambda g: None))
    note(lambda: reg([torch.ones(2)], lambda g: None, mode="any"))
    note(lambda: reg([t[0], torch.ones(2)], lambda g: None, mode="any"))
    note(lambda: reg([], lambda g: None))
    note(lambda: reg([], lambda g: None, mode="any"))
    note(lambda: reg([3], lambda g: None))
    y = t[0] * 2
    reg([y, t[0]], lambda gs: note(gs))
    y.sum().backward(retain_graph=True)

    def boom(gs):
        raise ValueError("multi")

    reg([y], boom)
    note(lambda: y.sum().backward(retain_graph=True))
    u = ones(torch, 3).unbind(0) if False else (ones(torch, 3) * 2).unbind(0)
    reg(u[:2], lambda gs: note(("unbound", gs)))
    u[0].backward(retain_graph=True)
    (u[0] + u[1]).backward(retain_graph=True)
    u[2].backward()


@program
def multi_grad_hooks_are_once_per_backward(torch, ns, note):
    reg = torch.autograd.graph.register_multi_grad_hook
    a = ones(torch)
    b = ones(torch)
    count = []
    reg([a, b], lambda gs: count.append("all"))
    reg([a, b], lambda g: count.append("any"), mode="any")
    y = (a * b + a + b).sum()
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    note(count)
    count.clear()

    class Boom(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise RuntimeError("boom")

    note(lambda: (Boom.apply(a) + b).sum().backward())
    note(count)
    y.backward()
    note(count)


@program
def hooks_change_the_tensor_in_place(torch, ns, note):
    a = ones(torch)
    y = a * 2
    y.register_hook(lambda g: g.mul_(5) and None if False else None)

    def inplace(g):
        g.mul_(5)

    y.register_hook(inplace)
    note(lambda: (y * 3).sum().backward())
    note(a.grad)
    a = ones(torch)
    a.register_hook(lambda g: g.zero_() and None if False else (g.zero_(), None)[1])
    note(lambda: (a * 3).sum().backward())
    note(a.grad)


@program
def copies_of_hooked_tensors(torch, ns, note):
    a = ones(torch)
    a.register_hook(lambda g: g * 2)
    note(lambda: copy.deepcopy(a)._backward_hooks)
    note(lambda: a.detach()._backward_hooks)
    note(lambda: a.data._backward_hooks)
    a.requires_grad_(False)
    note(a._backward_hooks is not None)
    note(lambda: a.register_hook(lambda g: g))
    a.requires_grad_(True)
    (a * 1).sum().backward()
    note(a.grad)


@program
def hooks_on_a_leaf_turned_result(torch, ns, note):
    log = []
    a = torch.ones(2, 2)
    a.requires_grad_()
    b = torch.ones(2)
    c = torch.zeros(2)
    b.requires_grad_()
    d = b.clone()
    d.register_hook(lambda g: log.append(("d", g.tolist())))
    d[0] = c[0]
    d.register_hook(lambda g: log.append(("d2", g.tolist())))
    d.sum().backward()
    note(log)
    e = torch.ones(2)
    e.copy_(b) if False else e.add_(b)
    e.register_hook(lambda g: log.append(("e", g.tolist())))
    e.retain_grad()
    e.mul_(2)
    e.sum().backward()
    note(log[-1])
    note(e.grad)


@program
def hooks_of_several_results(torch, ns, note):
    """They run in the order in which they were put, also where their node does not run."""
    for taken in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2)):
        for order in ((2, 0), (0, 2), (2, 0, 2), (1, 0), (2, 1, 0)):
            log = []
            leaf = torch.ones(3, 2, requires_grad=True)
            whole = leaf * 1
            rows = whole.unbind()
            for n in order:
                rows[n].register_hook(lambda g, n=n, log=log: log.append((n, g is None)))
            inputs = [rows[n] for n in taken]
            product = (rows[0] * rows[1]).sum()
            for root, wanted in (
                (inputs[0].sum(), inputs),
                (product, inputs),
                (product, [whole, *inputs]),
                ((rows[0] * 2).sum() + (rows[1] * 2).sum(), inputs),
            ):
                found = torch.autograd.grad(root, wanted, allow_unused=True, retain_graph=True)
                log.append([None if g is None else g.tolist() for g in found])
            product.backward(inputs=inputs, retain_graph=True)
            note(log)
            note([None if x.grad is None else x.grad.tolist() for x in inputs])


@program
def node_hooks_see_the_results_that_have_gradients(torch, ns, note):
    """Of several results only those count that may have a gradient, wherever they stand."""
    F, linalg = torch.nn.functional, torch.linalg
    v = torch.arange(12.0).reshape(3, 4).requires_grad_()
    x = torch.arange(32.0).reshape(1, 2, 4, 4).requires_grad_()
    square = (torch.eye(3) * 3).requires_grad_()
    two, target = torch.ones(2, requires_grad=True), torch.tensor([0, 1, 2])
    for result in (
        F.batch_norm(x, torch.zeros(2), torch.ones(2), two, two),
        F.layer_norm(x, (4,)),
        F.group_norm(x, 1),
        F.max_pool2d(x, 2),
        F.adaptive_max_pool2d(x, 2),
        v.max(1)[0],
        v.sort()[0],
        v.topk(2)[0],
        v.cummax(0)[0],
        torch.var_mean(v, 1)[1],
        torch.slogdet(square)[1],
        linalg.lu(square)[1],
        linalg.lu_factor(square)[0],
        linalg.cholesky_ex(square)[0],
        linalg.solve_ex(square, square)[0],
        F.nll_loss(v, target),
        F.logsigmoid(v),
        F.embedding_bag(target[None], v),
        F.scaled_dot_product_attention(x, x, x),
        v.unbind()[1],
    ):
        seen = []
        node = result.grad_fn
        node.register_prehook(lambda came, seen=seen: seen.append([g is None for g in came]))
        node.register_hook(lambda made, came, seen=seen: seen.append([g is None for g in came]))
        result.sum().backward()
        note(seen)
    for result, source in ((linalg.lu(square)[2], square), (v.sort()[0], v)):
        torch.autograd.graph.get_gradient_edge(result)
        result.grad_fn.register_prehook(
            lambda came: tuple([None if g is None else g * 2 for g in came])
        )
        note(torch.autograd.grad(result.sum(), source))
    y = v.sort()[0]
    y.grad_fn.register_prehook(lambda came: (came[0], None))
    note(lambda: y.sum().backward())
