"""Hooks of tensors and of nodes: what is refused, order, results, removal."""

from __future__ import annotations

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


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
