"""Arguments of ``backward`` and ``grad``: roots, inputs, edges, callbacks, modes inside."""

from __future__ import annotations

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def bad_arguments_of_backward(torch, ns, note):
    a = ones(torch)
    B = torch.autograd.backward
    note(lambda: B(torch.ones(2)))
    note(lambda: B(torch.ones(()), torch.ones(())))
    note(lambda: B(a))
    note(lambda: B(a * 2))
    note(lambda: B(a * 2, torch.ones(3)))
    note(lambda: B(a * 2, [torch.ones(2), torch.ones(2)]))
    note(lambda: B([a * 2, a * 3], [torch.ones(2)]))
    note(lambda: B([a * 2, a * 3], torch.ones(2)))
    note(lambda: B(a * 2, 3))
    note(lambda: B(a * 2, "ab"))
    note(lambda: B(a * 2, [3]))
    note(lambda: B(a * 2, [None]))
    note(lambda: B((a * 2).sum(), [None]))
    note(lambda: B((a * 2).sum(), [None, None]))
    note(lambda: B(3))
    note(lambda: B("ab"))
    note(lambda: B([3]))
    note(lambda: B([]))
    note(lambda: B(()))
    note(lambda: B(None))
    note(lambda: B())
    note(lambda: B(a * 2, torch.ones(2, dtype=torch.float64)))
    note(lambda: B(a * 2, torch.ones(2, dtype=torch.int64)))
    note(lambda: B(a * 2, torch.ones(2, dtype=torch.complex64)))
    note(lambda: B((a * 2).to(torch.complex64).sum()))
    note(lambda: B((a * 2).to(torch.complex64), torch.ones(2)))
    note(lambda: B(a.sum(), inputs=[]))
    note(lambda: B(a.sum(), inputs=()))
    note(lambda: B(a.sum(), inputs=[3]))
    note(lambda: B(a.sum(), inputs=3))
    note(lambda: B(a.sum(), inputs=torch.ones(2)))
    note(lambda: B(a.sum(), inputs=[torch.ones(2)]))
    note(lambda: B(a.sum(), inputs="ab"))
    note(lambda: B(a.sum(), inputs=[None]))
    note(lambda: B(a.sum(), retain_graph=3))
    note(lambda: B(a.sum(), grad_variables=[torch.ones(())]))
    note(lambda: B(a.sum(), torch.ones(()), grad_variables=[torch.ones(())]))
    note(lambda: a.sum().backward(torch.ones(2)))
    note(lambda: a.sum().backward(3))
    note(lambda: a.sum().backward(nothing=3))
    note(lambda: a.sum().backward(gradient=torch.tensor(2.0)))
    note(a.grad)
    note(lambda: torch.ones(2).sum().backward())
    note(lambda: a.detach().sum().backward())
    note(lambda: a.argmax().backward())
    with torch.no_grad():
        y = a.sum()
    note(lambda: y.backward())
    with torch.inference_mode():
        y = a.sum()
    note(lambda: y.backward())
    note(lambda: B((a * 2, torch.ones(2)), (torch.ones(2), torch.ones(2))))
    note(lambda: B((a * 2, torch.ones(2)), (torch.ones(2), None)))
    note(lambda: B((a.sum(), torch.ones(2))))


@program
def bad_arguments_of_grad(torch, ns, note):
    a = ones(torch)
    b = ones(torch)
    G = torch.autograd.grad
    note(lambda: G(a.sum(), b))
    note(lambda: G(a.sum(), [b, a]))
    note(lambda: G(a.sum(), [a, b], allow_unused=True))
    note(lambda: G(a.sum(), [a, b], materialize_grads=True))
    note(lambda: G(a.sum(), [a, b], materialize_grads=True, allow_unused=True))
    c = torch.ones(2, 3, requires_grad=True).t()
    for recorded in (False, True):
        (zero,) = G(a.sum(), c, materialize_grads=True, create_graph=recorded)
        note((zero.stride(), zero.requires_grad, zero.is_leaf, zero._version))
    note(lambda: G(a.sum(), [a, b], materialize_grads=True, allow_unused=False))
    note(lambda: G(a.sum(), []))
    note(lambda: G(a.sum(), ()))
    note(lambda: G(a.sum(), torch.ones(2)))
    note(lambda: G(a.sum(), [torch.ones(2)], allow_unused=True))
    note(lambda: G(a.sum(), 3))
    note(lambda: G(a.sum(), [3]))
    note(lambda: G(a.sum(), None))
    note(lambda: G([], a))
    note(lambda: G(torch.ones(()), a))
    note(lambda: G(a * 2, a))
    note(lambda: G(a * 2, a, torch.ones(2)))
    note(lambda: G(a * 2, a, torch.ones(3)))
    note(lambda: G(a * 2, a, (torch.ones(2),) * 2))
    note(lambda: G(a, a, torch.ones(2)))
    note(lambda: G(a, a, torch.ones(2), only_inputs=False))
    note(lambda: G(a.sum(), a, retain_graph=3))
    note(lambda: G(a.sum(), a, is_grads_batched=True))
    note(lambda: G(a * 2, a, torch.eye(2), is_grads_batched=True))
    note(lambda: G(a * 2, a, torch.ones(2), is_grads_batched=True))
    note(lambda: G(a * 2, a, torch.ones(3, 4), is_grads_batched=True))
    note(lambda: G(a.sum(), a, torch.arange(3.0), is_grads_batched=True))
    note(lambda: G((a * 2, a * b), (a, b), (torch.eye(2), torch.eye(2) * 3), is_grads_batched=True))
    note(lambda: G((a * 2, a * b), (a, b), (torch.eye(2), None), is_grads_batched=True))
    note(lambda: G((a * 2, a * b), (a, b), (torch.eye(2), torch.ones(3, 2)), is_grads_batched=True))
    note(lambda: G(a * 2, (a, b), torch.eye(2), is_grads_batched=True, allow_unused=True))
    note(lambda: G(a * 2, (a, b), torch.eye(2), is_grads_batched=True, materialize_grads=True))
    note(lambda: G((a**3), a, torch.eye(2), is_grads_batched=True, create_graph=True))
    note(lambda: G(a.sum(), "ab"))
    note(lambda: G("ab", a))
    note(lambda: G(a.sum(), inputs=a, grad_outputs=[None]))
    note(lambda: G([a.sum(), b.sum()], [a, b], grad_outputs=[None, torch.tensor(3.0)]))
    note(lambda: G([a.sum(), b.sum()], [a, b], grad_outputs=[None]))
    note(lambda: G([a.sum(), torch.ones(())], [a]))
    with torch.inference_mode():
        i = torch.ones(2)
    note(lambda: G(a.sum(), i))
    note(lambda: G(torch.stack([a[0], b[0]]).argmax(), a))


@program
def unreachable_inputs(torch, ns, note):
    G = torch.autograd.grad
    x, y = ones(torch), ones(torch)
    z = x * 2
    w = y * 2
    note(lambda: G(x * 2 + 0, [x, y], torch.ones(2), allow_unused=True))
    note(lambda: G([z, w], [x, y], [torch.ones(2)] * 2))
    note(lambda: G(z, [x, w], torch.ones(2), allow_unused=True))
    note(lambda: G((x * 2).sum(), [z], allow_unused=True))
    note(lambda: G(z.sum(), [z]))
    v = x * 2
    note(lambda: G(v.sum(), [v, x], retain_graph=True))
    note(lambda: G(v.sum(), [v]))
    note(lambda: G(v.sum(), [x, x]))
    u = (x * 1).unbind(0)
    note(lambda: G(u[0], [u[0], u[1]], allow_unused=True))
    note(lambda: G(u[0] * 2 + u[1], [u[1], u[0]]))
    c = torch.ones(2, requires_grad=True).to(torch.complex64)
    note(lambda: G(c.abs().sum(), c))
    note(lambda: G(x.sum() + 0 * y.sum(), [x, y]))


@program
def inputs_of_backward(torch, ns, note):
    a, b = ones(torch), ones(torch)
    y = a * 2
    z = y * b
    z.sum().backward(inputs=[a], retain_graph=True)
    note(a.grad)
    note(b.grad)
    note(lambda: z.sum().backward(inputs=[y], retain_graph=True))
    note(y.grad)
    z.sum().backward(inputs=[y, b], retain_graph=True)
    note(y.grad)
    note(b.grad)
    z.sum().backward(inputs=b, retain_graph=True)
    note(b.grad)
    z.sum().backward(inputs=(b, b), retain_graph=True)
    note(b.grad)
    c = ones(torch)
    z.sum().backward(inputs=[c], retain_graph=True)
    note(c.grad)
    z.sum().backward(inputs=[b], retain_graph=False)
    note(lambda: z.sum().backward())
    e = torch.autograd.graph.get_gradient_edge(a)
    (a * 4).sum().backward(inputs=[e])
    note(a.grad)
    y = a * 2
    e = torch.autograd.graph.get_gradient_edge(y)
    note(lambda: (y * 4).sum().backward(inputs=[e]))
    note(lambda: y.grad)
    note(a.grad)


@program
def gradient_edges(torch, ns, note):
    g = torch.autograd.graph
    a = ones(torch)
    note(lambda: g.get_gradient_edge(torch.ones(2)))
    note(lambda: g.get_gradient_edge(3))
    e = g.get_gradient_edge(a)
    note([type(e).__name__, e.node.name(), e.output_nr, e._fields])
    note(e.ownership_token is None)
    y = a * 3
    ey = g.get_gradient_edge(y)
    note(lambda: torch.autograd.grad(ey, a, torch.ones(2), retain_graph=True))
    note(lambda: torch.autograd.grad(ey, e, torch.ones(2), retain_graph=True))
    note(lambda: torch.autograd.grad(y.sum(), e, retain_graph=True))
    note(lambda: torch.autograd.grad(y.sum(), ey, retain_graph=True))
    note(lambda: torch.autograd.grad(ey, a, retain_graph=True))
    note(lambda: torch.autograd.grad(ey, a, torch.ones(3), retain_graph=True))
    note(lambda: torch.autograd.grad(ey, a, torch.ones(2).double(), retain_graph=True))
    note(lambda: torch.autograd.grad((ey, y), a, (torch.ones(2), None), retain_graph=True))
    note(lambda: torch.autograd.backward(ey, torch.ones(2), retain_graph=True))
    note(a.grad)
    note(lambda: torch.autograd.backward([ey], retain_graph=True))
    u = (a * 1).unbind(0)
    e1 = g.get_gradient_edge(u[1])
    note([e1.output_nr, e1.node is u[1].grad_fn])
    note(lambda: torch.autograd.grad(u[0] + u[1] * 5, e1, retain_graph=True))
    note(lambda: torch.autograd.grad(e1, a, torch.tensor(2.0), retain_graph=True))
    note(lambda: torch.autograd.grad(e1, a, retain_graph=True))
    b = ones(torch)
    eb = g.get_gradient_edge(b)
    note(lambda: torch.autograd.grad(y.sum(), eb, retain_graph=True))
    note(lambda: torch.autograd.grad(y.sum(), [eb, a], retain_graph=True, allow_unused=True))
    note(lambda: torch.autograd.grad(y.sum(), [eb, a], retain_graph=True, materialize_grads=True))
    note(lambda: g.GradientEdge(y.grad_fn, 0) == ey)
    note(lambda: torch.autograd.grad(y.sum(), g.GradientEdge(y.grad_fn, 0), retain_graph=True))
    s = a.sum()
    es = g.get_gradient_edge(s)
    note(lambda: torch.autograd.grad(es, a))
    with torch.no_grad():
        note(lambda: g.get_gradient_edge(a * 2))


@program
def an_edge_keeps_a_function_alive(torch, ns, note):
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 5

    a = ones(torch)
    e = torch.autograd.graph.get_gradient_edge(Fn.apply(a))
    note(e.node.name())
    note(torch.autograd.grad(e, a, torch.ones(2)))


@program
def twice(torch, ns, note):
    a = ones(torch)
    y = (a * a).sum()
    y.backward()
    note(lambda: y.backward())
    y = (a + a).sum()
    y.backward()
    note(lambda: y.backward())
    y = a.exp().sum()
    y.backward()
    note(lambda: torch.autograd.grad(y, a))
    y = a.exp()
    s = y.sum()
    s.backward(retain_graph=True)
    s.backward(retain_graph=True)
    note(a.grad)
    s.backward(create_graph=True)
    s.backward()
    note(a.grad)
    y = a * 2
    z = y.exp()
    z.sum().backward()
    note(lambda: y.sum().backward())
    note(lambda: (a * y).sum().backward())
    y = a.exp()
    note(lambda: (y.sum().backward(), (y * y).sum().backward()))
    c = a[torch.tensor([0])]
    c.backward(torch.ones(1))
    note(lambda: c.backward(torch.ones(1)))
    c = torch.cat([a, a])
    c.sum().backward()
    note(lambda: c.sum().backward())
    c = a.expand(2, 2)
    c.sum().backward()
    note(lambda: c.sum().backward())


@program
def roots_given_twice(torch, ns, note):
    a = ones(torch)
    y = (a * 2).sum()
    torch.autograd.backward([y, y])
    note(a.grad)
    y = (a * 2).sum()
    z = (a * 3).sum() + y
    torch.autograd.backward([y, z], [torch.tensor(1.0), torch.tensor(10.0)])
    note(a.grad)
    b = ones(torch)
    torch.autograd.backward([b, b], [torch.ones(2), torch.ones(2) * 2])
    note(b.grad)
    note(torch.autograd.grad([b, b * 2], b, [torch.ones(2), torch.ones(2) * 2]))
    c = ones(torch)
    g = torch.ones(2)
    torch.autograd.backward(c, g)
    note(c.grad is g)
    note(c.grad.data_ptr() == g.data_ptr())
    torch.autograd.backward(c, g)
    note(g)


@program
def tensor_backward_method(torch, ns, note):
    a = ones(torch)
    (a * 2).backward(torch.ones(2), False, False, [a])
    note(a.grad)
    note(lambda: (a * 2).backward(torch.ones(2), inputs=[a], retain_graph=None))
    note((a.grad, a.is_leaf, a.grad_fn))
    note(lambda: (a * 2).sum().backward(create_graph=False, retain_graph=True))
    x = torch.ones(2, 2, requires_grad=True)
    note(lambda: x[0].sum().backward())
    note(x.grad)
    note(lambda: torch.ones(0, requires_grad=True).sum().backward())
    note(lambda: torch.ones(1, requires_grad=True).backward())
    note(lambda: torch.ones(1, 1, requires_grad=True).mul(2).backward())
    note(lambda: torch.ones(0, requires_grad=True).mul(2).backward())


@program
def queue_callbacks(torch, ns, note):
    E = torch.autograd.Variable._execution_engine
    log = []
    note(lambda: E.queue_callback(lambda: None))
    a = ones(torch)
    y = a * 2

    def hook(g):
        log.append("hook")
        E.queue_callback(
            lambda: (log.append("cb"), E.queue_callback(lambda: log.append("cb2")), a.grad)[0]
        )

    y.register_hook(hook)
    y.sum().backward(retain_graph=True)
    note(log)
    log.clear()
    torch.autograd.grad(y.sum(), a, retain_graph=True)
    note(log)
    log.clear()

    def bad(g):
        def boom():
            raise ValueError("callback")

        E.queue_callback(boom)

    z = a * 2
    z.register_hook(bad)
    note(lambda: z.sum().backward())
    note(a.grad)

    def nested(g):
        log.append("outer")
        E.queue_callback(lambda: log.append("outer cb"))
        with torch.enable_grad():
            b = ones(torch) * 3
            b.register_hook(
                lambda g: (
                    (log.append("inner"), E.queue_callback(lambda: log.append("inner cb")))[0]
                    and None
                )
            )
            b.sum().backward()
        log.append("outer end")

    w = a * 2
    w.register_hook(nested)
    w.sum().backward()
    note(log)
    log.clear()
    v = a * 2
    v.register_hook(lambda g: (E.queue_callback(lambda: log.append("lost")), 1 / 0)[0])
    note(lambda: v.sum().backward())
    note(log)
    note(lambda: (a * 1).sum().backward())
    note(log)


@program
def modes_inside_backward(torch, ns, note):
    seen = []

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(("f", torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
            return x * 2

        @staticmethod
        def backward(ctx, g):
            seen.append(("b", torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
            return g

    a = ones(torch)
    y = Fn.apply(a).sum()
    y.backward(retain_graph=True)
    with torch.no_grad():
        y.backward(retain_graph=True)
        torch.autograd.grad(y, a, create_graph=True)
        note(torch.is_grad_enabled())
    note(lambda: torch.autograd.grad(y, a, create_graph=True, retain_graph=True))
    note(seen)
    with torch.inference_mode():
        note(lambda: y.backward(retain_graph=True))
        note(lambda: torch.autograd.grad(y, a))
    note(seen[-2:])
    note(torch.is_grad_enabled())

    def off(g):
        torch.set_grad_enabled(True)

    z = a * 2
    z.register_hook(off)
    total = (z * 1).sum()
    seen2 = []
    z.grad_fn.register_hook(lambda i, o: seen2.append(torch.is_grad_enabled()))
    with torch.no_grad():
        total.backward()
        note(torch.is_grad_enabled())
    note(seen2)


@program
def errors_leave_the_thread_clean(torch, ns, note):
    a = ones(torch)
    y = a * 2
    y.register_hook(lambda g: 1 / 0)
    for _ in range(2):
        note(lambda: y.sum().backward())
        note(torch.is_grad_enabled())
        note(torch._C._current_graph_task_id())
    note(a.grad)
    try:
        y.sum().backward()
    except ZeroDivisionError as e:
        note(e.__traceback__ is not None)


@program
def deep_graphs(torch, ns, note):
    a = ones(torch, 1)
    y = a
    for _ in range(2000):
        y = y + 1
    y.backward()
    note(a.grad)
    del y
    y = a
    for _ in range(2000):
        y = y * y.detach() * 0 + y
    (z,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    note(z)
    del y
    y = a
    prev = [a, a]
    for i in range(2000):
        prev = [prev[1], prev[0] * 0.5 + prev[1] * 0.5]
    prev[1].backward()
    note(a.grad.isfinite())
    y = a
    for _ in range(3000):
        y = y.view(1).clone()
        y.mul_(1)
    y.backward()
    note(a.grad.isfinite())
    y = a
    for _ in range(2000):
        y = y.split(1)[0]
    y.sum().backward()
    y = torch.ones(1, requires_grad=True)
    b = y.clone()
    for _ in range(2000):
        b.add_(1)
    b.sum().backward()
    note(y.grad)


@program
def inputs_that_override_functions(torch, ns, note):
    class Input:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            note(func is torch.autograd.backward)
            note([t.__name__ for t in types])
            note([type(a).__name__ for a in args])
            note([(k, type(v).__name__) for k, v in (kwargs or {}).items()])

    a = ones(torch)
    note(lambda: (a * 2).sum().backward(inputs=[Input()]))
    note(lambda: (a * 2).sum().backward(None, True, inputs=(a, Input())))
    note(lambda: (a * 2).sum().backward(inputs=Input()))
    note(lambda: torch.autograd.backward((a * 2).sum(), inputs=[Input()]))
    note(a.grad)
