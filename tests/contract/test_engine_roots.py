"""``backward`` and ``autograd.grad``: what may be given, what comes back, what is refused."""

from __future__ import annotations

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def leaf(torch, *shape, dtype=None):
    n = 1
    for s in shape:
        n *= s
    x = torch.arange(1.0, n + 1.0).reshape(shape) / 4
    if dtype is not None:
        x = x.to(dtype)
    return x.requires_grad_()


@program
def gradient_argument(torch, ns, note):
    x = leaf(torch, 2, 3)
    y = x * 2
    note(lambda: y.backward())
    note(lambda: y.backward(torch.ones(3)))
    note(lambda: y.backward(torch.ones(2, 3, dtype=torch.float64)))
    note(lambda: x.grad)
    note(lambda: y.backward(3))
    note(lambda: y.backward([torch.ones(2, 3)]))
    note(lambda: y.backward(torch.ones(2, 3, dtype=torch.complex64)))
    note(lambda: y.backward(torch.ones(2, 3, dtype=torch.int64)))
    note(lambda: y.backward(torch.ones(1, 3)))
    note(lambda: torch.autograd.backward([y, y], [torch.ones(2, 3)]))
    note(lambda: torch.autograd.backward([y, y]))
    note(lambda: torch.autograd.backward([], []))
    note(lambda: torch.autograd.backward([], None))
    note(lambda: torch.autograd.backward([y], [None]))
    note(lambda: torch.autograd.backward(y.sum(), inputs=[]))
    note(lambda: torch.autograd.backward([3.0]))
    note(
        lambda: torch.autograd.backward(
            y, grad_tensors=torch.ones(2, 3), grad_variables=torch.ones(2, 3)
        )
    )
    note(lambda: torch.autograd.backward(y, grad_variables=torch.ones(2, 3)))
    note(lambda: torch.ones(2).sum().backward())
    note(lambda: torch.ones(2, dtype=torch.int64).sum().backward())
    note(lambda: torch.ones(2).backward())
    c = leaf(torch, 2).to(torch.complex64).sum()
    note(lambda: c.backward())
    note(lambda: c.backward(torch.tensor(1.0)))
    note(lambda: c.backward(torch.tensor(1.0 + 2j)))


@program
def root_that_is_a_leaf(torch, ns, note):
    x = torch.tensor(2.0, requires_grad=True)
    note(lambda: x.backward())
    note(lambda: x.grad)
    note(lambda: x.backward())
    note(lambda: x.grad)
    note(lambda: torch.autograd.grad(x, x))
    note(lambda: torch.autograd.grad([x, x], [x, x]))
    y = torch.ones(3, requires_grad=True)
    g = torch.ones(3)
    y.backward(g)
    note(y.grad is g)
    note(y.grad.data_ptr() == g.data_ptr())
    y.backward(g)
    note(g)
    note(y.grad)


@program
def retain_graph_and_twice(torch, ns, note):
    x = leaf(torch, 3)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    note(x.grad)
    y.backward()
    note(x.grad)
    note(lambda: y.backward())
    z = (x + 1).sum()
    z.backward()
    note(lambda: z.backward())
    note(x.grad)
    w = x.exp().sum()
    node = w.grad_fn.next_functions[0][0]
    w.backward()
    note(lambda: node._saved_result)
    note(lambda: node(torch.ones(3)))


@program
def create_graph(torch, ns, note):
    x = leaf(torch, 3)
    y = (x**3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    note(g)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    note(h)
    note(torch.autograd.grad(h.sum(), x))
    x.grad = None
    y2 = (x**3).sum()
    y2.backward(create_graph=True)
    note(x.grad)
    note(x.grad.requires_grad)
    x.grad.sum().backward()
    note(x.grad)


@program
def inputs_of_backward(torch, ns, note):
    x, w = leaf(torch, 3), leaf(torch, 3)
    y = x * w
    z = y.sin()
    z.sum().backward(inputs=[x], retain_graph=True)
    note(x.grad)
    note(w.grad)
    z.sum().backward(inputs=[y], retain_graph=True)
    note(y.grad)
    note(y.retains_grad)
    z.sum().backward(inputs=(w, y), retain_graph=True)
    note(w.grad)
    note(y.grad)
    note(lambda: z.sum().backward(inputs=x))
    note(lambda: z.sum().backward(inputs=[torch.ones(2)]))
    note(lambda: z.sum().backward(inputs=[3]))
    note(lambda: z.sum().backward(inputs=[]))
    other = leaf(torch, 3)
    note(lambda: z.sum().backward(inputs=[other], retain_graph=True))
    note(other.grad)
    note(lambda: z.sum().backward(inputs=[leaf(torch, 2) * 2], retain_graph=True))


@program
def inputs_within_inputs(torch, ns, note):
    x = leaf(torch, 2)
    y = x * 2
    z = y * 3
    note(torch.autograd.grad(z.sum(), [x, y, z], allow_unused=True))
    z = y * 3
    note(lambda: torch.autograd.grad(z, [z], torch.ones(2)))
    note(lambda: torch.autograd.grad([z, y], [y], [torch.ones(2), torch.ones(2)]))


@program
def unused_inputs(torch, ns, note):
    x, w = leaf(torch, 3), leaf(torch, 2)
    y = (x * x).sum()
    note(lambda: torch.autograd.grad(y, [x, w], retain_graph=True))
    note(lambda: torch.autograd.grad(y, [x, w], allow_unused=True, retain_graph=True))
    note(lambda: torch.autograd.grad(y, [x, w], allow_unused=False, retain_graph=True))
    note(lambda: torch.autograd.grad(y, [x, w], materialize_grads=True, retain_graph=True))
    note(lambda: torch.autograd.grad(y, [x, w], materialize_grads=True, allow_unused=False))
    note(
        lambda: torch.autograd.grad(
            y, [x, w], materialize_grads=True, allow_unused=True, retain_graph=True
        )
    )
    note(lambda: torch.autograd.grad(y, [x, torch.ones(2)]))
    note(lambda: torch.autograd.grad(y, []))
    note(lambda: torch.autograd.grad([], [x]))
    note(lambda: torch.autograd.grad(y, [3]))
    note(lambda: torch.autograd.grad(y, 3))
    note(lambda: torch.autograd.grad(3, x))
    note(lambda: torch.autograd.grad(y, x, only_inputs=False, retain_graph=True))
    note(
        lambda: torch.autograd.grad(y, x, torch.tensor(1.0, dtype=torch.float64), retain_graph=True)
    )
    note(
        lambda: torch.autograd.grad(y, x, (torch.tensor(1.0), torch.tensor(1.0)), retain_graph=True)
    )
    note(
        lambda: torch.autograd.grad(
            (y, y), x, (torch.tensor(1.0), torch.tensor(2.0)), retain_graph=True
        )
    )
    note(lambda: torch.autograd.grad((y, y), x, (torch.tensor(1.0), None), retain_graph=True))
    note(lambda: torch.autograd.grad((y, x), x, (None, torch.ones(3)), retain_graph=True))
    note(lambda: torch.autograd.grad((y, torch.ones(2)), x, retain_graph=True))


@program
def batched_grads(torch, ns, note):
    x = leaf(torch, 3)
    y = x * x
    note(lambda: torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True, retain_graph=True))
    note(lambda: torch.autograd.grad(y, x, torch.ones(3), is_grads_batched=True, retain_graph=True))
    note(
        lambda: torch.autograd.grad(
            y.sum(), x, torch.tensor(1.0), is_grads_batched=True, retain_graph=True
        )
    )
    note(
        lambda: torch.autograd.grad(
            y.sum(), x, torch.ones(2), is_grads_batched=True, retain_graph=True
        )
    )
    note(lambda: torch.autograd.grad(y.sum(), x, None, is_grads_batched=True, retain_graph=True))
    note(lambda: torch.autograd.grad(y.sum(), x, is_grads_batched=True, retain_graph=True))
    w = leaf(torch, 2)
    note(
        lambda: torch.autograd.grad(
            y, [x, w], torch.eye(3), is_grads_batched=True, retain_graph=True, allow_unused=True
        )
    )
    note(
        lambda: torch.autograd.grad(
            (y, y.sum()), x, (torch.eye(3), torch.ones(3)), is_grads_batched=True, retain_graph=True
        )
    )
    note(
        lambda: torch.autograd.grad(
            (y, y.sum()), x, (torch.eye(3), torch.ones(2)), is_grads_batched=True, retain_graph=True
        )
    )


@program
def gradient_edges(torch, ns, note):
    edge_of = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 3)
    y = x * 2
    z = y * y
    e = edge_of(y)
    note(e.node is y.grad_fn)
    note(e.output_nr)
    note(type(e).__name__)
    note(lambda: torch.autograd.grad(z.sum(), e, retain_graph=True))
    note(lambda: torch.autograd.grad(z.sum(), edge_of(x), retain_graph=True))
    note(lambda: torch.autograd.grad(e, x, torch.ones(3), retain_graph=True))
    note(lambda: torch.autograd.grad(e, x, retain_graph=True))
    note(lambda: torch.autograd.grad(e, x, torch.ones(4), retain_graph=True))
    note(lambda: torch.autograd.backward(e, torch.ones(3), retain_graph=True))
    note(x.grad)
    note(lambda: edge_of(torch.ones(2)))
    note(lambda: z.sum().backward(inputs=[e], retain_graph=True))
    note(lambda: z.sum().backward(inputs=[edge_of(x)], retain_graph=True))
    note(x.grad)
    a, b = (x * 3).split([1, 2])
    ea, eb = edge_of(a), edge_of(b)
    note((ea.output_nr, eb.output_nr, ea.node is eb.node))
    note(lambda: torch.autograd.grad((a.sum() + b.sum() * 2), [ea, eb], retain_graph=True))
    note(
        lambda: torch.autograd.grad([ea, eb], x, [torch.ones(1), torch.ones(2)], retain_graph=True)
    )
    s = z.sum()
    note(lambda: torch.autograd.grad(edge_of(s), x, retain_graph=True))
    GE = torch.autograd.graph.GradientEdge
    note(lambda: torch.autograd.grad(z.sum(), GE(z.grad_fn, 0), retain_graph=True))
    note(
        lambda: torch.autograd.grad(z.sum(), GE(a.grad_fn, 1), retain_graph=True, allow_unused=True)
    )
    note(
        lambda: torch.autograd.grad(
            z.sum(),
            GE(leaf(torch, 2).sin().grad_fn, 0),
            allow_unused=True,
            materialize_grads=True,
            retain_graph=True,
        )
    )
    note(lambda: GE(z.grad_fn, 0) == GE(z.grad_fn, 0))
    note(lambda: edge_of(y) == GE(y.grad_fn, 0))
    note(GE._fields)


@program
def gradient_layout(torch, ns, note):
    for make in (
        lambda: torch.zeros(2, 3).t(),
        lambda: torch.zeros(2, 3),
        lambda: torch.zeros(4, 6)[::2, ::2],
        lambda: torch.zeros(2, 1).expand(2, 3),
        lambda: torch.zeros(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
    ):
        x = make().detach().requires_grad_()
        (x * 2).sum().backward()
        note(x.grad.stride())
        x.grad = None
        (x * 2).t().sum().backward() if x.dim() == 2 else (x * 2).sum().backward()
        note(x.grad.stride())
        x.grad = None
        x.sum().backward()
        note(x.grad.stride())
        first = x.grad
        x.sum().backward()
        note(x.grad is first)
        note(x.grad.stride())
        x.grad = None
        g = torch.ones(x.shape)
        x.backward(g)
        note((x.grad.stride(), x.grad.data_ptr() == g.data_ptr()))
        x.grad = None
        if x.dim() == 2:
            g = torch.ones(x.shape[::-1]).t()
            x.backward(g)
            note((x.grad.stride(), x.grad.data_ptr() == g.data_ptr()))


@program
def accumulation_identity(torch, ns, note):
    x = leaf(torch, 3)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    note(x.grad is first)
    note(first)
    (x**3).sum().backward(create_graph=True)
    note(x.grad is first)
    note(x.grad.requires_grad)
    second = x.grad
    (x * 2).sum().backward()
    note(x.grad is second)
    note(x.grad.requires_grad)
    x.grad = torch.ones(3)
    mine = x.grad
    (x * 2).sum().backward()
    note((x.grad is mine, mine.tolist(), mine._version))
    a, b = leaf(torch, 3), leaf(torch, 3)
    (a + b).backward(torch.ones(3))
    note(a.grad.data_ptr() == b.grad.data_ptr())
    (a + b).sum().backward()
    note([a.grad, b.grad])


@program
def grad_assignment(torch, ns, note):
    x = leaf(torch, 2, 3)
    note(lambda: setattr(x, "grad", 3))
    note(lambda: setattr(x, "grad", x))
    note(lambda: setattr(x, "grad", torch.ones(3)))
    note(lambda: setattr(x, "grad", torch.ones(2, 3, dtype=torch.float64)))
    note(lambda: setattr(x, "grad", torch.ones(2, 3, dtype=torch.int64)))
    note(lambda: setattr(x, "grad", torch.ones(2, 3, device="meta")))
    note(lambda: setattr(x, "grad", torch.ones(3, 2).t()))
    note(x.grad)
    note(lambda: setattr(x, "grad", torch.ones(2, 3, requires_grad=True)))
    note(x.grad)
    del x.grad
    note(x.grad)
    note(lambda: setattr(x, "grad", None))
    y = x * 2
    note(lambda: y.grad)
    y.retain_grad()
    note(lambda: y.grad)
    note(lambda: setattr(y, "grad", torch.ones(2, 3)))
    note(lambda: y.grad)
    n = torch.ones(2)
    note(lambda: setattr(n, "grad", torch.ones(2)))
    note(n.grad)
    note(lambda: setattr(x, "_grad", torch.ones(2, 3)))
    note(x._grad)


@program
def data_assignment(torch, ns, note):
    x = leaf(torch, 2, 3)
    note(lambda: setattr(x, "data", 3))
    note(lambda: setattr(x, "data", torch.ones(2, 3, dtype=torch.int64)))
    note(lambda: setattr(x, "data", torch.ones(4)))
    note(x)
    note(lambda: setattr(x, "data", torch.ones(2, 3, dtype=torch.float64)))
    note((x, x._version))
    note(lambda: setattr(x, "data", leaf(torch, 3) * 2))
    note((x, x.is_leaf))
    y = leaf(torch, 3)
    z = y * y
    y.data = torch.zeros(3)
    z.sum().backward()
    note(y.grad)
    v = y.detach()
    y.data.add_(1)
    note((y._version, v._version, y))
    note(lambda: delattr(y, "data"))


@program
def requires_grad_rules(torch, ns, note):
    i = torch.ones(2, dtype=torch.int64)
    note(lambda: i.requires_grad_())
    note(lambda: setattr(i, "requires_grad", True))
    note(lambda: i.requires_grad_(False))
    note(lambda: setattr(i, "requires_grad", False))
    note(lambda: torch.ones(2, dtype=torch.int64, requires_grad=True))
    note(lambda: torch.tensor([1, 2], requires_grad=True))
    note(lambda: torch.ones(2, dtype=torch.bool, requires_grad=True))
    note(lambda: torch.tensor([True]).requires_grad_())
    x = leaf(torch, 2)
    note(lambda: setattr(x, "requires_grad", 1))
    note(lambda: x.requires_grad_(1))
    note(lambda: x.requires_grad_("a"))
    y = x * 2
    note(lambda: y.requires_grad_(False))
    note(lambda: setattr(y, "requires_grad", False))
    note(lambda: y.requires_grad_())
    note(lambda: delattr(y, "requires_grad"))
    note(lambda: setattr(y, "is_leaf", True))
    note(lambda: setattr(y, "grad_fn", None))
    note(lambda: y.retain_grad())
    note(lambda: torch.ones(2).retain_grad())
    note(lambda: x.retain_grad())
    note(x.retains_grad)
    note(y.retains_grad)
    d = y.detach()
    note((d.requires_grad, d.is_leaf, d._is_view(), d._version))
    note(lambda: y.detach_())
    note((y.requires_grad, y.is_leaf, y.grad_fn))
    v = (x * 2).view(2)
    note(lambda: v.detach_())
    note(lambda: x.detach_())
    note(x.requires_grad)
    with torch.no_grad():
        z = x * 2
        note(z.requires_grad)
        z.requires_grad_()
        note(z)
    note(torch.ones(2, requires_grad=True).dtype)
    note(lambda: x._backward_hooks)
    note(lambda: setattr(x, "grad_fn", 3))


@program
def deep_graph(torch, ns, note):
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(20000):
        y = y + 1
    y.backward()
    note(x.grad)
    y = x
    for _ in range(20000):
        y = y * 1.0
    del y
    note(x.grad)


@program
def gradients_on_another_device(torch, ns, note):
    x = torch.ones(2, requires_grad=True)
    for root in (x, x * 2, x.sum()):
        there = torch.ones_like(root, device="meta")
        note(lambda: root.backward(there))
        note(lambda: torch.autograd.grad(root, root, there))
