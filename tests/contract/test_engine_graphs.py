"""Graphs of several sorts: dtypes, sizes, results without gradients, leaves, Functions inside."""

from __future__ import annotations

import gc
import logging
import weakref

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def helpers_of_autograd(torch, ns, note):
    A = torch.autograd
    o = torch.ones(2, 3)
    for g, b in ((torch.ones(4, 2, 3), True), (torch.ones(2, 3), False), (torch.ones(()), False)):
        note(lambda: A._calculate_shape(o, g, b))
    note(lambda: A._tensor_or_tensors_to_tuple(None, 3))
    note(lambda: A._tensor_or_tensors_to_tuple(o, 1))
    note(lambda: A._make_grads((o.sum().requires_grad_(),), (None,), False))
    note(A.NestedIOFunction.__name__)
    note(A._is_checkpoint_valid())


@program
def grads_with_unused_and_hooks(torch, ns, note):
    a, b = ones(torch), ones(torch)
    seen = []
    b.register_hook(lambda g: seen.append(g))
    y = a * 2
    note(lambda: torch.autograd.grad(y.sum(), [a, b], allow_unused=True))
    note(seen)
    a.register_hook(lambda g: g * 10)
    y = a * 2
    y.register_hook(lambda g: g * 3)
    note(torch.autograd.grad(y.sum(), [y, a], retain_graph=True))
    note(torch.autograd.grad(y.sum(), y, retain_graph=True))
    note(torch.autograd.grad(y.sum(), [a, y, a], retain_graph=True))
    y.grad_fn.register_prehook(lambda o: (o[0] + 1,))
    note(torch.autograd.grad(y.sum(), [y], retain_graph=True))
    note(torch.autograd.grad(y.sum(), [y, a], retain_graph=True))
    a.register_post_accumulate_grad_hook(lambda t: seen.append("acc"))
    torch.autograd.grad(y.sum(), a, retain_graph=True)
    note(seen)
    acc = y.grad_fn.next_functions[0][0]
    acc.register_prehook(lambda o: (seen.append("pre"), None)[1])
    acc.register_hook(lambda i, o: (seen.append("post"), None)[1])
    torch.autograd.grad(y.sum(), a, retain_graph=True)
    note(seen)
    y.sum().backward(inputs=[a], retain_graph=True)
    note(seen)
    note(a.grad)
    y.sum().backward(inputs=[y], retain_graph=True)
    note(y.grad)
    note(seen)


@program
def inference_and_autograd(torch, ns, note):
    a = ones(torch)
    with torch.inference_mode():
        i = a * 2
        note(i.requires_grad)
        note(i.is_inference())
        v = a.view(2)
        note(v.requires_grad)
    note(lambda: i * a)
    note(lambda: a * i)
    note(lambda: (a + i).sum().backward())
    note(lambda: i.add_(1))
    note(lambda: i.requires_grad_())
    note(lambda: i._version)
    note(lambda: v.add_(1))
    with torch.inference_mode():
        note(i.is_inference())
        with torch.inference_mode(False):
            b = torch.ones(2, requires_grad=True)
            note((b * 2).requires_grad)
    note(lambda: torch.inference_mode()(lambda: torch.is_inference_mode_enabled())())


@program
def function_vmap_and_jvp_errors(torch, ns, note):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    note(lambda: torch.func.vmap(F.apply)(torch.ones(3, 2)))

    class G(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, i, o):
            ctx.save_for_backward(i[0])

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    note(lambda: torch.func.vmap(G.apply)(torch.ones(3, 2)))
    note(lambda: torch.func.grad(lambda x: G.apply(x).sum())(torch.ones(2)))
    note(lambda: torch.func.vmap(torch.func.grad(lambda x: G.apply(x).sum()))(torch.ones(3, 2)))

    class H(G):
        generate_vmap_rule = True

        @staticmethod
        def vmap(info, in_dims, x):
            return x, 0

    note(lambda: torch.func.vmap(H.apply)(torch.ones(3, 2)))

    class K(G):
        generate_vmap_rule = False

        @staticmethod
        def vmap(info, in_dims, x):
            note((info.batch_size, info.randomness, in_dims))
            return K.apply(x), in_dims[0]

    note(lambda: torch.func.vmap(K.apply)(torch.ones(3, 2)))


@program
def views_in_functions(torch, ns, note):
    def made(fw, bw=lambda ctx, *g: g[0]):
        return type(
            "V",
            (torch.autograd.Function,),
            {"forward": staticmethod(fw), "backward": staticmethod(bw)},
        )

    a = ones(torch, 4)
    F = made(lambda ctx, x: x[:2], lambda ctx, g: torch.cat([g, g]))
    b = a * 1
    v = F.apply(b)
    note(v._is_view())
    note(v.grad_fn.name())
    note(lambda: v.mul_(2))
    note(lambda: F.apply(a).add_(1))
    with torch.no_grad():
        w = F.apply(a)
    note(w.requires_grad)
    F2 = made(lambda ctx, x: (x[:2], x[2:]), lambda ctx, g, h: torch.cat([g, h]))
    p, q = F2.apply(b)
    note(lambda: p.mul_(2))
    (p * q).sum().backward()
    note(a.grad)

    def dirty(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    D = made(dirty)
    c = a * 1
    d = c[:2]
    D.apply(c)
    note(c.grad_fn.name())
    note(d.grad_fn.name())


@program
def accumulators_are_weak(torch, ns, note):
    a = ones(torch)
    n = (a * 1).grad_fn.next_functions[0][0]
    note((a * 2).grad_fn.next_functions[0][0] is n)
    del n

    class Obj:
        pass

    o = Obj()
    r = weakref.ref(o)
    m = (a * 1).grad_fn.next_functions[0][0]
    m.metadata["o"] = o
    del o, m
    gc.collect(1)
    note(r() is None)
    b = ones(torch)
    o = Obj()
    r = weakref.ref(o)
    b.view_as(b).grad_fn.next_functions[0][0].register_hook(lambda i, g, o=o: None)
    del o
    note(r() is None)


@program
def detached_graphs(torch, ns, note):
    a = ones(torch)
    y = a * 2
    y.detach_()
    note((y.requires_grad, y.is_leaf, y.grad_fn))
    y = a * 2
    z = y * 3
    y.detach_()
    z.sum().backward()
    note(a.grad)
    v = (a * 2)[:1]
    note(lambda: v.detach_())
    note(a.detach().requires_grad)
    x = a.detach().requires_grad_()
    (x * 2).sum().backward()
    note(x.grad)
    b = torch.ones(2)
    b.detach_()
    note(b.requires_grad)
    note(lambda: a.detach_().requires_grad)


@program
def create_graph_cycles(torch, ns, note):
    a = ones(torch)
    y = (a**3).sum()
    (g,) = torch.autograd.grad(y, a, create_graph=True)
    for _ in range(3):
        (g,) = torch.autograd.grad(g.sum(), a, create_graph=True, allow_unused=True)
        note(g)
        if not g.requires_grad:
            break
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    f = x**2 * y + y**3
    gx, gy = torch.autograd.grad(f, [x, y], create_graph=True)
    (gx * gy).backward()
    note((x.grad, y.grad))


@program
def hooks_on_shared_tensors_between_backwards(torch, ns, note):
    a = ones(torch)
    log = []
    y = a * 2
    z1, z2 = y * 3, y * 5
    y.register_hook(lambda g: log.append(g.tolist()))
    (z1 + z2).sum().backward(retain_graph=True)
    z1.sum().backward(retain_graph=True)
    torch.autograd.backward([z1.sum(), z2.sum()])
    note(log)


@program
def sums_of_none(torch, ns, note):
    class N(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return None

    a = ones(torch)
    y = a * 2
    (N.apply(y) + y * 3).sum().backward()
    note(a.grad)
    a.grad = None
    z = N.apply(a * 2)
    z.sum().backward()
    note(a.grad)
    note(torch.autograd.grad(N.apply(a).sum(), a, allow_unused=True))
    note(lambda: torch.autograd.grad(N.apply(a).sum(), a))
    note(torch.autograd.grad(N.apply(a).sum(), a, materialize_grads=True))


@program
def mixed_dtypes(torch, ns, note):
    a = ones(torch)
    b = torch.ones(2, dtype=torch.float64, requires_grad=True)
    c = torch.ones(2, dtype=torch.complex64, requires_grad=True)
    (a * b).sum().backward()
    note((a.grad, b.grad))
    a.grad = None
    (a * c).abs().sum().backward()
    note((a.grad, c.grad))
    h = torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
    (h * a).sum().backward()
    note(h.grad)
    (a.to(torch.float64) * 2).sum().backward()
    note(a.grad)
    s = torch.tensor(2.0, requires_grad=True)
    (s * torch.ones(3, dtype=torch.float64)).sum().backward()
    note(s.grad)


@program
def zero_sized(torch, ns, note):
    a = ones(torch, 0)
    (a * 2).sum().backward()
    note(a.grad)
    b = ones(torch, 0, 3)
    b.sum(0).sum().backward()
    note(b.grad)
    note(torch.autograd.grad((b * 2).sum(), b))
    c = ones(torch, 2)
    c[:0].sum().backward()
    note(c.grad)


@program
def requires_grad_of_results(torch, ns, note):
    a = ones(torch)
    for f in (
        lambda: a > 0,
        lambda: a.argmax(),
        lambda: a.int(),
        lambda: a.sign(),
        lambda: a.round(),
        lambda: a.detach(),
        lambda: a.data,
        lambda: a.new_ones(2),
        lambda: torch.zeros_like(a),
        lambda: a.max(0)[1],
        lambda: a.nonzero(),
        lambda: torch.where(a > 0),
        lambda: a.bool(),
        lambda: a.long().float(),
        lambda: a.floor(),
        lambda: torch.empty_like(a).requires_grad,
        lambda: a.sort()[1],
        lambda: a.unique(),
        lambda: a.isnan(),
        lambda: torch.bernoulli(a * 0),
        lambda: a.tolist(),
        lambda: a[0].item(),
        lambda: a.numpy(),
        lambda: a.__array__(),
        lambda: int(a[0]),
        lambda: bool(a[0]),
    ):
        note(f)


@program
def out_variants(torch, ns, note):
    a, b = ones(torch), ones(torch)
    o = torch.zeros(2)
    note(lambda: torch.add(a, b, out=o))
    note(lambda: torch.add(a.detach(), b.detach(), out=a))
    with torch.no_grad():
        note(lambda: torch.add(a, b, out=o))
        note(lambda: torch.add(a, b, out=a))
    note(lambda: torch.mul(torch.ones(2), torch.ones(2), out=o))


@program
def leaves_in_place(torch, ns, note):
    a = ones(torch)
    for f in (
        lambda: a.add_(1),
        lambda: a.zero_(),
        lambda: a.__setitem__(0, 3),
        lambda: a.copy_(torch.ones(2)),
        lambda: a[0:1].add_(1),
        lambda: a.view(2).mul_(2),
        lambda: a.data.add_(1),
        lambda: a.detach().add_(1),
        lambda: a.fill_(3),
        lambda: a.requires_grad_().mul_(1),
        lambda: a.set_(torch.ones(2)),
        lambda: a.resize_(3),
        lambda: a.t_(),
        lambda: a.unsqueeze_(0),
        lambda: a.normal_(),
        lambda: torch.nn.init.zeros_(a),
    ):
        note(f)
    b = torch.ones(2)
    b += a
    note(b.grad_fn.name())
    b.sum().backward()
    note(a.grad)


@program
def whole_graphs_are_logged(torch, ns, note):
    told = []

    class Handler(logging.Handler):
        def emit(self, record):
            told.append(record.getMessage())

    log, handler = logging.getLogger("torch.autograd.graph"), Handler()
    before = log.level, log.propagate
    log.addHandler(handler)
    a = ones(torch, 2, 3)
    loss = ((a * 2).double().unbind(0)[0] * 3).sum()
    one = torch.ones((), dtype=torch.float64)
    end = torch.autograd.graph._register_logging_hooks_on_whole_graph([loss])
    engine = torch.autograd.Variable._execution_engine
    try:
        log.setLevel(logging.DEBUG)
        log.propagate = False
        options = {"allow_unreachable": True, "accumulate_grad": True}
        engine.run_backward((loss,), (one,), True, False, (), **options)
        end()
        engine.run_backward((loss,), (one,), True, False, (), **options)
    finally:
        log.setLevel(before[0])
        log.propagate = before[1]
        log.removeHandler(handler)
    note(told)
