"""Hooks of tensors and of nodes."""

from __future__ import annotations

import copy

import pytest

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function, digits=4)


def ones(torch, *shape, **options):
    return torch.ones(*(shape or (2,)), requires_grad=True, **options)


@program
def errors_of_registering(torch, ns, note):
    a = ones(torch)
    note(lambda: torch.ones(2).register_hook(lambda g: g))
    note(lambda: a.register_post_accumulate_grad_hook(3))
    note(lambda: torch.ones(2).register_post_accumulate_grad_hook(lambda g: g))
    note(lambda: (a * 2).register_post_accumulate_grad_hook(lambda g: g))
    note(lambda: type(a.register_hook(lambda g: g)).__name__)
    note(lambda: a.register_hook())
    y = a * 2
    y.register_hook(3)
    note(lambda: y.sum().backward())
    y = a * 2
    y.grad_fn.register_hook(3)
    note(lambda: y.sum().backward())
    y = a * 2
    y.grad_fn.register_prehook(None)
    note(lambda: y.sum().backward())


@program
def results_of_tensor_hooks(torch, ns, note):
    for result in (
        lambda g: 3,
        lambda g: "a",
        lambda g: (g,),
        lambda g: g.double(),
        lambda g: torch.ones(3),
        lambda g: torch.ones(2, 1),
        lambda g: g.to(torch.complex64),
        lambda g: torch.ones(2, device="meta"),
        lambda g: g.to_sparse() if hasattr(g, "nope") else None,
        lambda g: torch.ones(2, dtype=torch.int64),
    ):
        a = ones(torch)
        a.register_hook(result)
        note(lambda: (a * 2).sum().backward())
        note(a.grad)


@program
def names_in_errors(torch, ns, note):
    def my_hook(g):
        return torch.ones(3)

    class Callable_:
        def __call__(self, *g):
            return torch.ones(3)

    import functools

    for h in (my_hook, Callable_(), functools.partial(my_hook)):
        a = ones(torch)
        a.register_hook(h)
        note(lambda: (a * 2).sum().backward())

    class Tup:
        def __call__(self, *g):
            return (torch.ones(3),) * 5

    for h in (
        Tup(),
        lambda i, o: (i[0],) * 3,
        lambda i, o: [i[0]],
        lambda i, o: i[0],
        lambda i, o: (3,),
        lambda i, o: (None,),
        lambda i, o: (torch.ones(3),),
    ):
        a = ones(torch)
        y = a * 2
        y.grad_fn.register_hook(h)
        note(lambda: y.sum().backward())
        note(a.grad)
    for h in (
        lambda o: (o[0],) * 3,
        lambda o: [o[0]],
        lambda o: o[0],
        lambda o: (3,),
        lambda o: (None,),
        lambda o: (torch.ones(3),),
        lambda o: (o[0] * 5,),
    ):
        a = ones(torch)
        y = a * 2
        y.grad_fn.register_prehook(h)
        note(lambda: y.sum().backward())
        note(a.grad)


@program
def order_of_all_hooks(torch, ns, note):
    log = []
    a = ones(torch)
    y = a * 2
    y.register_hook(lambda g: log.append(("tensor", g.tolist())))
    y.retain_grad()
    y.grad_fn.register_prehook(
        lambda o: (log.append(("pre", [x.tolist() for x in o])), (o[0] * 10,))[1]
    )
    y.grad_fn.register_hook(
        lambda i, o: log.append(
            ("post", [None if x is None else x.tolist() for x in i], [x.tolist() for x in o])
        )
    )
    y.register_hook(lambda g: (log.append(("tensor2", g.tolist())), g * 3)[1])
    y.grad_fn.register_prehook(lambda o: log.append(("pre2", [x.tolist() for x in o])))
    y.grad_fn.register_hook(
        lambda i, o: (
            log.append(("post2", [None if x is None else x.tolist() for x in i])),
            (i[0] * 7, i[1]),
        )[1]
    )
    y.grad_fn.register_hook(
        lambda i, o: log.append(
            ("post3", [None if x is None else x.tolist() for x in i], [x.tolist() for x in o])
        )
    )
    acc = y.grad_fn.next_functions[0][0]
    a.register_hook(lambda g: log.append(("leaf", g.tolist())))
    a.register_post_accumulate_grad_hook(lambda t: log.append(("acc", t.grad.tolist(), t is a)))
    acc.register_prehook(lambda o: log.append(("accpre", [x.tolist() for x in o])))
    acc.register_hook(lambda i, o: log.append(("accpost", i, [x.tolist() for x in o])))
    acc.register_prehook(lambda o: (o[0] + 1,))
    acc.register_hook(lambda i, o: log.append(("accpost2", i, [x.tolist() for x in o])))
    y.sum().backward()
    note(log)
    note(y.grad)
    note(a.grad)
    note(lambda: acc.register_hook(lambda i, o: (torch.ones(2),)))
    note(lambda: (a * 1).sum().backward())


@program
def removal_while_running(torch, ns, note):
    log = []
    a = ones(torch)
    handles = {}

    def one(g):
        log.append("one")
        handles["two"].remove()

    def two(g):
        log.append("two")

    def three(g):
        log.append("three")

    a.register_hook(one)
    handles["two"] = a.register_hook(two)
    a.register_hook(three)
    note(lambda: (a * 2).sum().backward())
    note(log)
    log.clear()
    note(lambda: (a * 2).sum().backward())
    note(log)
    log.clear()
    y = a * 2
    h = y.grad_fn.register_hook(lambda i, o: (log.append("post"), h.remove())[0])
    y.grad_fn.register_hook(lambda i, o: log.append("post2"))
    p = y.grad_fn.register_prehook(lambda o: (log.append("pre"), p.remove())[0])
    y.grad_fn.register_prehook(lambda o: log.append("pre2"))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    note(log)
    log.clear()
    y = a * 2
    y.grad_fn.register_prehook(
        lambda o: (log.append("pre"), y.grad_fn.register_prehook(lambda o: log.append("late")))[0]
    )
    y.grad_fn.register_hook(
        lambda i, o: (
            log.append("post"),
            y.grad_fn.register_hook(lambda i, o: log.append("latepost")),
        )[0]
    )
    y.register_hook(lambda g: (log.append("t"), y.register_hook(lambda g: log.append("latet")))[0])
    note(lambda: y.sum().backward(retain_graph=True))
    note(log)
    log.clear()
    note(lambda: y.sum().backward(retain_graph=True))
    note(log)
    log.clear()

    def self_removing(t):
        log.append("acc")
        ph.remove()

    ph = a.register_post_accumulate_grad_hook(self_removing)
    a.register_post_accumulate_grad_hook(lambda t: log.append("acc2"))
    (a * 1).sum().backward()
    (a * 1).sum().backward()
    note(log)


@program
def a_later_hook_is_removed_while_running(torch, ns, note):
    log = []
    a = ones(torch)
    y = a * 2
    hs = []
    y.grad_fn.register_prehook(lambda o: (log.append("pre"), hs[0].remove())[0])
    hs.append(y.grad_fn.register_prehook(lambda o: log.append("pre2")))
    y.grad_fn.register_prehook(lambda o: log.append("pre3"))
    y.grad_fn.register_hook(lambda i, o: (log.append("post"), hs[1].remove())[0])
    hs.append(y.grad_fn.register_hook(lambda i, o: log.append("post2")))
    note(lambda: y.sum().backward())
    note(log)
    log.clear()
    y = a * 2
    b = []
    a.register_post_accumulate_grad_hook(lambda t: (log.append(1), b[0].remove())[0])
    b.append(a.register_post_accumulate_grad_hook(lambda t: log.append(2)))
    note(lambda: y.sum().backward())
    note(log)


@program
def handles(torch, ns, note):
    a = ones(torch)
    h = a.register_hook(lambda g: g * 2)
    with h:
        (a * 1).sum().backward()
    note(a.grad)
    a.grad = None
    (a * 1).sum().backward()
    note(a.grad)
    h.remove()
    h.remove()
    h2 = a.register_hook(lambda g: g)
    note(h2.id - h.id)
    note(list(a._backward_hooks) == [h2.id])
    note(type(a._backward_hooks).__name__)
    note(a._post_accumulate_grad_hooks)
    h3 = a.register_post_accumulate_grad_hook(lambda t: None)
    note(type(a._post_accumulate_grad_hooks).__name__)
    note(list(a._post_accumulate_grad_hooks) == [h3.id])
    h3.remove()
    note(a._post_accumulate_grad_hooks)
    note(sorted(vars(h3)))
    a._backward_hooks = None
    note(a._backward_hooks)
    note(lambda: setattr(a, "_backward_hooks", 3))
    a._backward_hooks = None
    h4 = (a * 2).register_hook(lambda g: g)
    del h4
    y = a * 2
    y.register_hook(lambda g: g * 2)
    note(y._backward_hooks is not None)


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
def hooks_with_create_graph(torch, ns, note):
    a = ones(torch)
    y = a**3
    seen = []
    y.register_hook(lambda g: (seen.append((torch.is_grad_enabled(), g.requires_grad)), g * a)[1])
    y.grad_fn.register_hook(
        lambda i, o: seen.append((torch.is_grad_enabled(), [x.requires_grad for x in i]))
    )
    (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    note(g)
    note(seen)
    note(torch.autograd.grad(g.sum(), a))
    y = a**3
    y.register_hook(lambda g: (seen.append((torch.is_grad_enabled(), g.requires_grad)), g * a)[1])
    y.sum().backward()
    note(seen[-1])
    note(a.grad)


@program
def hooks_get_none(torch, ns, note):
    log = []

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, a, b):
            log.append(("bw", a, b))
            return None

    a = ones(torch)
    y = a * 3
    y.register_hook(lambda g: log.append(("y", g)))
    y.grad_fn.register_prehook(lambda o: log.append(("ypre", o)))
    y.grad_fn.register_hook(lambda i, o: log.append(("ypost", i, o)))
    y.retain_grad()
    u, v = Fn.apply(y)
    u.register_hook(lambda g: log.append(("u", g.tolist())))
    v.register_hook(lambda g: log.append(("v", g)))
    v.retain_grad()
    u.grad_fn.register_prehook(
        lambda o: log.append(("pre", [x if x is None else x.tolist() for x in o]))
    )
    u.sum().backward()
    note(log)
    note(a.grad)
    note(y.grad)
    note(v.grad)
    a = ones(torch)
    p, q = (a * 1).unbind(0)
    p.grad_fn.register_prehook(lambda o: note(o) and None)
    p.grad_fn.register_hook(lambda i, o: note((i, o)) and None)
    p.backward()
    note(a.grad)


@program
def prehook_on_several_results(torch, ns, note):
    a = ones(torch, 3)
    x, y, z = (a * 2).unbind(0)
    x.grad_fn.register_prehook(
        lambda o: (o[0] * 2 if o[0] is not None else None, o[1], torch.tensor(9.0))
    )
    note(lambda: (x + y).backward())
    note(a.grad)
    a = ones(torch, 3)
    x, y, z = (a * 2).unbind(0)
    y.register_hook(lambda g: g * 100)
    x.grad_fn.register_prehook(lambda o: (o[0] * 2, o[1], None))
    (x + y).backward()
    note(a.grad)


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
def hooks_that_start_backward(torch, ns, note):
    a = ones(torch)
    b = ones(torch)
    y = a * 2

    def hook(g):
        with torch.enable_grad():
            (b * 3).sum().backward()

    y.register_hook(hook)
    a.register_hook(hook)
    a.register_post_accumulate_grad_hook(lambda t: hook(None))
    y.sum().backward()
    note(a.grad)
    note(b.grad)

    def accumulate_again(g):
        with torch.enable_grad():
            (a * 10).sum().backward() if not done else None

    done = []
    a2 = ones(torch)

    def again(g):
        if not done:
            done.append(1)
            (a2 * 10).sum().backward() if torch.is_grad_enabled() else None
            with torch.enable_grad():
                (a2 * 10).sum().backward()

    z = a2 * 2
    z.register_hook(again)
    z.sum().backward()
    note(a2.grad)


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
def a_node_hook_keeps_nothing_after_removal(torch, ns, note):
    a = ones(torch)
    y = a * 2
    h = y.grad_fn.register_hook(lambda i, o: (i[0] * 0,))
    h.remove()
    y.sum().backward()
    note(a.grad)
    with (a * 2).grad_fn.register_hook(lambda i, o: None) as g:
        note(type(g).__name__)


@program
def hooks_see_the_same_gradient_object(torch, ns, note):
    a = ones(torch)
    y = a * 2
    seen = []
    y.register_hook(lambda g: seen.append(g))
    y.register_hook(lambda g: seen.append(g))
    y.grad_fn.register_prehook(lambda o: seen.append(o[0]))
    g = torch.ones(2)
    y.backward(g)
    note([s is g for s in seen])
    note([s.data_ptr() == g.data_ptr() for s in seen])
