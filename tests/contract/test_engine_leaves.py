"""Leaves and their gradients: accumulated, stolen or copied, assigned, of other dtypes."""

from __future__ import annotations

import copy

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def accumulation(torch, ns, note):
    a = ones(torch)
    (a * 2).sum().backward()
    g = a.grad
    (a * 2).sum().backward()
    note(a.grad is g)
    note(g)
    (a**3).sum().backward(create_graph=True)
    note(a.grad is g)
    note(a.grad)
    g2 = a.grad
    (a**3).sum().backward()
    note(a.grad is g2)
    note(a.grad)
    a.grad = None
    (a**3).sum().backward(create_graph=True)
    note(a.grad)
    note(lambda: a.grad.sum().backward())
    note(a.grad)
    b = ones(torch)
    b.grad = torch.zeros(2, requires_grad=True)
    (b * 1).sum().backward()
    note(b.grad)
    b = ones(torch)
    b.grad = torch.zeros(2)
    kept = b.grad
    (b * 1).sum().backward()
    note(kept)
    note(b.grad is kept)
    b = ones(torch, 2, 3)
    b.backward(torch.ones(1).expand(2, 3))
    note(b.grad)
    b = ones(torch, 3, 2).detach().t().requires_grad_()
    b.backward(torch.ones(2, 3))
    note(b.grad)
    b.grad = None
    b.backward(torch.ones(3, 2).t())
    note(b.grad)
    b.grad = None
    b.backward(torch.ones(2, 3), create_graph=True)
    note(b.grad)


@program
def a_gradient_is_stolen_or_copied(torch, ns, note):
    a = ones(torch, 2, 3)
    g = torch.rand(2, 3).clone()
    a.backward(g)
    note(a.grad.data_ptr() == g.data_ptr())

    class Get(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, how):
            ctx.how = how
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            seen.append(ctx.how(g))
            return seen[-1], None

    for how in (
        lambda g: torch.ones(2, 3),
        lambda g: torch.ones(3, 2).t(),
        lambda g: torch.ones(1).expand(2, 3),
        lambda g: torch.ones(6).view(2, 3),
        lambda g: torch.ones(2, 6)[:, ::2],
        lambda g: g,
        lambda g: g.detach(),
        lambda g: torch.ones(2, 3, requires_grad=True),
    ):
        for create in (False, True):
            seen = []
            a = ones(torch, 2, 3)
            Get.apply(a, how).sum().backward(create_graph=create)
            held = a.grad.data_ptr() == seen[0].data_ptr()
            note([held, a.grad.stride(), a.grad.requires_grad])
    seen = []
    a = ones(torch, 2, 3)

    class NoKeep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            r = torch.ones(2, 3)
            seen.append(r.data_ptr())
            return r

    NoKeep.apply(a).sum().backward()
    note(a.grad.data_ptr() == seen[0])


@program
def assigning_grad(torch, ns, note):
    a = ones(torch)
    note(lambda: setattr(a, "grad", 3))
    note(lambda: setattr(a, "grad", torch.ones(3)))
    note(lambda: setattr(a, "grad", torch.ones(2, dtype=torch.float64)))
    note(lambda: setattr(a, "grad", a))
    note(lambda: setattr(a, "grad", torch.ones(2, device="meta")))
    note(lambda: setattr(a, "grad", torch.ones(2, dtype=torch.int64)))
    note(lambda: setattr(a, "grad", torch.ones(2)))
    note(a.grad)
    note(lambda: setattr(a, "grad", None))
    note(lambda: delattr(a, "grad"))
    note(a.grad)
    note(lambda: delattr(a, "requires_grad"))
    note(lambda: setattr(a, "_grad", torch.ones(2)))
    note(lambda: setattr(a, "_grad", None))
    note(lambda: delattr(a, "data"))
    note(lambda: delattr(a, "grad_fn"))
    note(lambda: delattr(a, "_grad_fn"))
    note(lambda: delattr(a, "_backward_hooks"))
    note(lambda: delattr(a, "foo"))
    note(lambda: setattr(a, "_grad_fn", None))
    note(lambda: setattr(a * 2, "_grad_fn", None))
    note(lambda: setattr(a, "grad_fn", None))
    note(lambda: setattr(a, "is_leaf", None))
    note(lambda: setattr(a, "output_nr", None))
    note(lambda: a.output_nr)
    note(lambda: (a * 1).unbind(0)[1].output_nr)
    i = torch.ones(2, dtype=torch.int64)
    note(lambda: setattr(i, "requires_grad", True))
    note(lambda: i.requires_grad_())
    note(lambda: setattr(a * 2, "requires_grad", False))
    note(lambda: (a * 2).requires_grad_(False))
    note(lambda: (a * 2).detach_().requires_grad_(False))
    note(lambda: a.requires_grad_(3))
    note(lambda: setattr(a, "requires_grad", 3))
    note(lambda: setattr(a, "requires_grad", "x"))
    note(lambda: torch.ones(2, requires_grad=True, dtype=torch.int32))


@program
def grad_dtype(torch, ns, note):
    a = ones(torch)
    note(lambda: a.grad_dtype)
    note(lambda: torch.ones(2).grad_dtype)
    note(lambda: (a * 2).grad_dtype)
    a.grad_dtype = torch.float64
    note(a.grad_dtype)
    note(lambda: (a * 2).sum().backward())
    note(a.grad)
    a = ones(torch)
    a.grad_dtype = torch.bfloat16
    note(lambda: (a * 2).sum().backward())
    note(a.grad)
    a = ones(torch)
    a.grad_dtype = None
    note(a.grad_dtype)
    note(lambda: (a * 2).sum().backward())
    note(a.grad)
    note(lambda: setattr(a, "grad", torch.ones(2, dtype=torch.float64)))
    note(a.grad)
    note(lambda: setattr(a, "grad_dtype", 3))
    note(lambda: setattr(a, "grad_dtype", torch.int64))
    a = ones(torch)
    a.grad = torch.ones(2)
    note(lambda: setattr(a, "grad_dtype", torch.float64))
    note(lambda: setattr(a, "grad_dtype", torch.float32))
    a = ones(torch)
    a.grad_dtype = torch.float64
    note(lambda: setattr(a, "grad", torch.ones(2)))
    note(lambda: setattr(a, "grad", torch.ones(2, dtype=torch.float64)))
    note(lambda: (a * 2).sum().backward())
    note(a.grad)
    note(lambda: torch.autograd.grad((a * 2).sum(), a))
    b = a.detach()
    note(b.grad_dtype)
    i = torch.ones(2, dtype=torch.int64)
    note(lambda: i.grad_dtype)

    class Up(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g.double()

    a = ones(torch)
    a.grad_dtype = torch.float64
    note(lambda: Up.apply(a).sum().backward())
    note(a.grad)
    seen = []
    a.register_hook(lambda g: seen.append(g.dtype))
    note(lambda: (a * 1).sum().backward())
    note(seen)


@program
def a_deep_copy_of_results(torch, ns, note):
    a = ones(torch)
    note(lambda: copy.deepcopy(a * 2))
    a.grad = torch.ones(2)
    b = copy.deepcopy(a)
    note(b.grad)
    note(b.grad is a.grad)
    y = a * 2
    y.retain_grad()
    y.sum().backward()
    note(lambda: copy.deepcopy(y.detach()))
    note(copy.copy(a) is a)


@program
def equality_with_none(torch, ns, note):
    t = torch.ones(2)
    for other in (None, "a", [1, 1], object, (1, 2), {}, ...):
        note(lambda: t == other)
        note(lambda: t != other)
        note(lambda: other == t)
        note(lambda: other != t)
    note(lambda: t < None)
    note(lambda: t.eq(None))
    note(lambda: torch.eq(t, None))
    note(lambda: None in [t])
    note(lambda: t in [None])
    note(lambda: None in torch.ones(2))
    note(lambda: [None].index(t))


@program
def gradients_of_leaves_that_changed(torch, ns, note):
    a = ones(torch)
    y = a * 2
    a.requires_grad_(False)
    note(lambda: y.sum().backward())
    note(a.grad)
    a = ones(torch)
    y = a * 2
    a.data = torch.ones(3)
    note(lambda: y.sum().backward())
    note(a.grad)
    a = ones(torch)
    y = a * 2
    a.data = torch.ones(2, dtype=torch.float64)
    note(lambda: y.sum().backward())
    note(a.grad)
    a = ones(torch)
    y = a * 2
    a.grad = torch.ones(2)
    a.data = torch.ones(3)
    note(a.grad)
    note(lambda: y.sum().backward())
    a = ones(torch)
    acc = (a * 1).grad_fn.next_functions[0][0]
    a.data = torch.ones(3)
    note((a * 1).grad_fn.next_functions[0][0] is acc)
    a = ones(torch)
    acc = (a * 1).grad_fn.next_functions[0][0]
    a.data = torch.ones(3, dtype=torch.float64)
    note((a * 1).grad_fn.next_functions[0][0] is acc)
    note(lambda: a.sum().backward())
    note(a.grad)


@program
def grad_dtype_of_every_formula(torch, ns, note):
    y = torch.ones(2, dtype=torch.float64)
    forms = (
        lambda x: x * y,
        lambda x: x + y,
        lambda x: x / y,
        lambda x: x.double(),
        lambda x: torch.where(y > 0, x, y),
        lambda x: torch.cat([x, y]),
        lambda x: (x * 1) * y,
        lambda x: x * y.to(torch.complex128),
        lambda x: x.expand(3, 2) * y,
    )
    for dtype in ("same", None, torch.float16, torch.float64):
        for form in forms:
            x = torch.tensor([0.25, 0.5], requires_grad=True)
            if dtype != "same":
                x.grad_dtype = dtype
            form(x).sum().abs().backward()
            note(x.grad)
            note(torch.autograd.grad(form(x).sum().abs(), x))


@program
def grad_dtype_of_functions(torch, ns, note):
    class Doubling(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g.double() / 3

    for dtype in ("same", None, torch.float16, torch.float64):
        for used_before in (False, True):
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            kept = x.clone() if used_before else None
            if dtype != "same":
                x.grad_dtype = dtype
            Doubling.apply(x).sum().backward()
            note(x.grad)
            del kept


@program
def set_makes_a_leaf_anew(torch, ns, note):
    def node(x):
        return x.clone().grad_fn.next_functions[0][0]

    for change in (
        lambda x: x.set_(torch.ones(2)),
        lambda x: x.set_(torch.ones(2).untyped_storage()),
        lambda x: x.copy_(torch.ones(2)),
        lambda x: setattr(x, "data", torch.ones(2)),
    ):
        x = torch.ones(2, requires_grad=True)
        x.register_hook(lambda g: note(g))
        before, y = node(x), x * 2
        edge = torch.autograd.graph.get_gradient_edge(x)
        with torch.no_grad():
            change(x)
        note(node(x) is before)
        note(lambda x=x, y=y: torch.autograd.grad(y.sum(), x, retain_graph=True))
        note(torch.autograd.grad(y.sum(), edge, retain_graph=True))
        note(lambda y=y: y.sum().backward())
        note(x.shape)
        note(x.grad)


@program
def sparse_gradients_of_two_leaves(torch, ns, note):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, g):
            return g, g

    a, b = torch.ones(4, 3, requires_grad=True), torch.ones(4, 3, requires_grad=True)
    at, begins = torch.tensor([1, 2, 2]), torch.tensor([0, 1])
    bags = torch.nn.functional.embedding_bag(at, Both.apply(a, b), begins, sparse=True)
    bags.sum().backward()
    note(a.grad._values().data_ptr() == b.grad._values().data_ptr())
    with torch.no_grad():
        a.grad._values().zero_()
    note(b.grad.to_dense())
    for size in ((), (3,)):
        x = torch.ones(size, requires_grad=True)
        torch.gather(x, 0, torch.tensor([0, 0]), sparse_grad=True).sum().backward()
        note((x.grad._nnz(), x.grad._indices().shape))
        note(x.grad.to_dense())


@program
def tensors_that_somebody_keeps(torch, ns, note):
    c = torch._C
    x = torch.ones(2)
    note(c._is_cached_tensor(x))
    c._set_cached_tensors_enabled(True)
    note(c._is_cached_tensor(x))
    c._add_cached_tensor(x)
    note(c._is_cached_tensor(x))
    c._add_cached_tensor(x)
    c._remove_cached_tensor(x)
    c._remove_cached_tensor(x)
    note(c._is_cached_tensor(x))
    c._add_cached_tensor(x)
    c._set_cached_tensors_enabled(False)
    note(c._is_cached_tensor(x))
    for call in (c._set_cached_tensors_enabled, c._add_cached_tensor, c._is_cached_tensor):
        note(lambda call=call: call("x"))
