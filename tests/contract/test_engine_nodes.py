"""Nodes as users see them: names, edges, metadata, saved values, hooks and their order."""

from __future__ import annotations

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def node_attributes(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    n = y.grad_fn
    note(n.name())
    note(type(n).__name__)
    note(isinstance(n, torch.autograd.graph.Node))
    note(issubclass(type(n), torch.autograd.graph.Node))
    note(isinstance(3, torch.autograd.graph.Node))
    note([(f.name(), i) if f else None for f, i in n.next_functions])
    acc = n.next_functions[0][0]
    note(acc.variable is x)
    note((type(acc).__name__, acc.name(), acc.next_functions))
    note(repr(acc))
    note(repr(n))
    note(acc is (x + 1).grad_fn.next_functions[0][0])
    n.metadata["a"] = 1
    note(y.grad_fn.metadata)
    note(n.metadata is y.grad_fn.metadata)
    note(n.requires_grad)
    note(y.grad_fn is n)
    note(lambda: setattr(n, "foo", 3))
    note(lambda: n.undefined_thing)
    note(lambda: n())
    note(lambda: n(torch.ones(3)))
    note(lambda: n(torch.ones(3), torch.ones(3)))
    note(lambda: n(None))
    note(lambda: n(3))
    note(lambda: acc(torch.ones(3)))
    note(x.grad)
    note(n == n)
    note(len({n, y.grad_fn}))
    a, b = x.split(2)[0], x.max(0)
    note((a.grad_fn.name(), a.output_nr, b[0].output_nr, b.indices.requires_grad))


@program
def sequence_numbers(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    a = x * 2
    b = a + 1
    c = b.sin()
    note(b.grad_fn._sequence_nr() - a.grad_fn._sequence_nr())
    note(c.grad_fn._sequence_nr() - a.grad_fn._sequence_nr())
    note(a.grad_fn.next_functions[0][0]._sequence_nr())


@program
def tensor_hooks(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    order = []
    y = x * 2
    h1 = y.register_hook(lambda g: order.append(("y1", g.tolist())))
    h2 = y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: order.append(("y3", g.tolist())))
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: order.append(("x1", g.tolist())))
    y.sum().backward(retain_graph=True)
    note(order)
    note(y.grad)
    note(x.grad)
    order.clear()
    h2.remove()
    h2.remove()
    x.grad = None
    y.grad = None
    y.sum().backward(retain_graph=True)
    note(order)
    note((y.grad, x.grad))
    h1.remove()
    order.clear()
    with y.register_hook(lambda g: order.append("w")):
        y.sum().backward(retain_graph=True)
    y.sum().backward(retain_graph=True)
    note(order)
    note(lambda: torch.ones(2).register_hook(lambda g: g))
    note(lambda: y.register_hook(3).id >= 0)
    bad = x * 3
    bad.register_hook(lambda g: 3)
    note(lambda: bad.sum().backward())
    bad = x * 3
    bad.register_hook(lambda g: torch.ones(2))
    note(lambda: bad.sum().backward())
    bad = x * 3
    bad.register_hook(lambda g: g.double())
    note(lambda: bad.sum().backward())

    def named(g):
        return g.double()

    bad = x * 3
    bad.register_hook(named)
    note(lambda: bad.sum().backward())
    bad = x * 3
    bad.register_hook(lambda g: (g, g))
    note(lambda: bad.sum().backward())
    note(type(h1).__name__)
    note(isinstance(h1, torch.utils.hooks.RemovableHandle))


@program
def hook_raises(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    y = x * 2

    def boom(g):
        raise ValueError("boom")

    h = y.register_hook(boom)
    note(lambda: y.sum().backward())
    note(x.grad)
    h.remove()
    note(lambda: y.sum().backward())
    note(x.grad)


@program
def node_hooks(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    z = y + 1
    order = []
    n = y.grad_fn
    n.register_prehook(lambda gs: order.append(("pre", [g.tolist() for g in gs])))
    n.register_prehook(lambda gs: (gs[0] * 2,))
    n.register_hook(
        lambda gi, go: order.append(
            ("post", [g if g is None else g.tolist() for g in gi], [g.tolist() for g in go])
        )
    )
    h = n.register_hook(lambda gi, go: tuple(None if g is None else g * 3 for g in gi))
    y.register_hook(lambda g: order.append(("tensor", g.tolist())))
    z.sum().backward(retain_graph=True)
    note(order)
    note(x.grad)
    h.remove()
    x.grad = None
    z.sum().backward(retain_graph=True)
    note(x.grad)
    acc = n.next_functions[0][0]
    seen = []
    acc.register_prehook(
        lambda gs: seen.append(
            ("accpre", [g.tolist() for g in gs], None if x.grad is None else x.grad.tolist())
        )
    )
    acc.register_hook(
        lambda gi, go: seen.append(("accpost", gi, [g.tolist() for g in go], x.grad.tolist()))
    )
    x.register_hook(lambda g: seen.append(("xhook", g.tolist())))
    x.register_post_accumulate_grad_hook(lambda t: seen.append(("pa", t is x, t.grad.tolist())))
    x.grad = None
    z.sum().backward(retain_graph=True)
    note(seen)
    for bad in (
        3,
        (1,),
        (torch.ones(3), torch.ones(3), torch.ones(3)),
        [torch.ones(3), None],
        (torch.ones(2), None),
        torch.ones(3),
    ):
        y = x * 2
        y.grad_fn.register_hook(lambda gi, go: bad)
        note(lambda: y.sum().backward())
        y = x * 2
        y.grad_fn.register_prehook(lambda go: bad)
        note(lambda: y.sum().backward())
    note(lambda: n.register_hook(3).id >= 0)
    note(lambda: n.register_prehook(None).id >= 0)


@program
def post_accumulate(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    seen = []

    def hook(t):
        seen.append(t.grad.tolist())
        t.grad = None

    h = x.register_post_accumulate_grad_hook(hook)
    (x * 2).sum().backward()
    note((seen, x.grad))
    h.remove()
    (x * 2).sum().backward()
    note((seen, x.grad))
    note(lambda: (x * 2).register_post_accumulate_grad_hook(hook))
    note(lambda: torch.ones(2).register_post_accumulate_grad_hook(hook))
    x.register_post_accumulate_grad_hook(lambda t: 3)
    note(lambda: (x * 2).sum().backward())
    note(x.grad)
    y = torch.ones(3, requires_grad=True)
    y.register_post_accumulate_grad_hook(hook)
    seen.clear()
    note(torch.autograd.grad((y * 2).sum(), y))
    note(seen)
    y.sum().backward(inputs=[y])
    note(seen)

    z = torch.ones(3, requires_grad=True)
    z.register_post_accumulate_grad_hook(
        lambda t: t.detach().sub_(t.grad) and None if False else None
    )
    with torch.no_grad():
        pass

    def sgd(t):
        with torch.no_grad():
            t.sub_(t.grad * 0.1)
        t.grad = None

    z.register_post_accumulate_grad_hook(sgd)
    (z * 2).sum().backward()
    note((z, z.grad))


@program
def hooks_and_inplace(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    seen = []
    y = x * 2
    y.register_hook(lambda g: seen.append(("before", g.tolist())))
    y.retain_grad()
    y.mul_(3)
    y.register_hook(lambda g: seen.append(("after", g.tolist())))
    y.sum().backward()
    note(seen)
    note(y.grad)
    seen.clear()
    a = x * 2
    v = a.view(3)
    v.register_hook(lambda g: seen.append(("v", g.tolist())))
    a.mul_(3)
    v.register_hook(lambda g: seen.append(("v2", g.tolist())))
    (a.sum() + v.sum()).backward()
    note(seen)


@program
def retain_grad_rules(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    (y * 3).sum().backward(retain_graph=True)
    note(y.grad)
    (y * 3).sum().backward(retain_graph=True)
    note(y.grad)
    g = y.grad
    y.grad = None
    (y * 3).sum().backward(retain_graph=True)
    note((g, y.grad))
    z = x * 2
    z.retain_grad()
    w = z * 2
    z.mul_(2)
    note(z.retains_grad)
    (w.sum() + z.sum()).backward()
    note(z.grad)
    with torch.no_grad():
        n = x * 2
    note(lambda: n.retain_grad())
    a = x * 2
    a.retain_grad()
    (ga,) = torch.autograd.grad((a * 5).sum(), a)
    note((ga, a.grad))
    (gx,) = torch.autograd.grad((a * 5).sum(), x)
    note((gx, a.grad))


@program
def multi_grad_hooks(torch, ns, note):
    reg = torch.autograd.graph.register_multi_grad_hook
    a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
    seen = []
    h = reg([a, b, c], lambda gs: seen.append([None if g is None else g.tolist() for g in gs]))
    (a * 2 + b * 3).sum().backward()
    note(seen)
    (a * 2 + b * 3 + c).sum().backward()
    note(seen)
    (a * 2).sum().backward(inputs=[a])
    note(seen)
    h.remove()
    (a * 2).sum().backward()
    note(seen)
    seen.clear()
    h = reg([a, b], lambda g: seen.append(g.tolist()), mode="any")
    (a * 2 + b * 3).sum().backward()
    note(len(seen))
    h.remove()
    note(lambda: reg([a], print, mode="some"))
    note(lambda: reg([torch.ones(2)], print))
    note(lambda: type(reg([torch.ones(2)], print, mode="any")).__name__)
    note(lambda: type(reg([], print)).__name__)
    y = a * 2
    z = a * 3
    h = reg([y, z], lambda gs: seen.append([None if g is None else g.tolist() for g in gs]))
    seen.clear()
    (y + 1).sum().backward(retain_graph=True)
    note(seen)
    (y + z).sum().backward(retain_graph=True)
    note(seen)
    note(torch.autograd.grad((y + z).sum(), [y, z], retain_graph=True))
    note(seen)
    note(type(h).__name__)


@program
def callbacks(torch, ns, note):
    engine = torch.autograd.Variable._execution_engine
    x = torch.ones(2, requires_grad=True)
    seen = []

    def hook(g):
        engine.queue_callback(lambda: seen.append(("done", x.grad.tolist())))
        seen.append("hook")

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    note(seen)
    note(lambda: engine.queue_callback(lambda: None))

    def boom():
        raise ValueError("in callback")

    y = x * 2
    y.register_hook(lambda g: engine.queue_callback(boom))
    note(lambda: y.sum().backward())
    note(type(engine).__name__)
    note(hasattr(engine, "run_backward"))
    note(hasattr(engine, "is_checkpoint_valid"))
    note(engine.is_checkpoint_valid())
    z = x * 2
    note(
        lambda: engine.run_backward(
            (z.sum(),),
            (torch.tensor(1.0),),
            False,
            False,
            (),
            allow_unreachable=True,
            accumulate_grad=True,
        )
    )
    note(x.grad)


@program
def graph_task_functions(torch, ns, note):
    x = torch.ones(2, requires_grad=True)
    seen = []

    def hook(g):
        seen.append(torch._C._current_graph_task_id() >= 0)
        seen.append(torch._C._will_engine_execute_node(y.grad_fn))

    y = x * 2
    z = y * 3
    z.register_hook(hook)
    z.sum().backward()
    note(seen)
    note(torch._C._current_graph_task_id())
    note(lambda: torch._C._will_engine_execute_node(y.grad_fn))


@program
def autograd_namespace(torch, ns, note):
    import importlib

    name = torch.__name__
    for sub in ("variable", "anomaly_mode"):
        m = importlib.import_module(f"{name}.autograd.{sub}")
        note((sub, sorted(m.__all__)))
    v = torch.autograd.Variable
    note(isinstance(torch.ones(2), v))
    note(v.__name__)
    note(lambda: v(torch.ones(2)))
    note(lambda: v(torch.ones(2), requires_grad=True))
    note(lambda: torch.autograd.variable.Variable is v)
    note(lambda: torch.autograd.anomaly_mode.detect_anomaly is torch.autograd.detect_anomaly)


@program
def saved_values(torch, ns, note):
    F = torch.nn.functional
    x = torch.arange(1.0, 13.0).reshape(3, 4).requires_grad_()
    y = torch.ones(3, 4, requires_grad=True)
    for make, names in (
        (lambda: x.sum(-1), "dim keepdim self_sym_sizes"),
        (lambda: x.mean(), "self_sym_numel self_sym_sizes"),
        (lambda: x.permute(1, 0), "dims"),
        (lambda: x.transpose(0, -1), "dim0 dim1"),
        (lambda: x.select(-1, 0), "dim index self_sym_sizes"),
        (lambda: x[:, 1:3], "dim start end step self_sym_sizes"),
        (lambda: torch.cat([x, y], -1), "dim"),
        (lambda: x.add(y, alpha=2), "alpha self"),
        (lambda: x * 2, "self other"),
        (lambda: x * y, "self other"),
        (lambda: x**2, "self exponent"),
        (lambda: x.relu(), "result"),
        (lambda: x.softmax(-1), "dim"),
        (lambda: x @ y.t(), "self mat2 self_sym_sizes mat2_sym_strides"),
        (lambda: x[torch.tensor([0, 1])], "indices self_sym_sizes"),
        (lambda: x.max(1)[0], "dim indices keepdim"),
        (lambda: x.clamp(0, 1), "self min max"),
        (lambda: x.var(1), "self dim correction keepdim"),
        (lambda: F.gelu(x), "self approximate"),
        (lambda: F.leaky_relu(x), "self negative_slope"),
        (lambda: x.split(2)[0], "dim split_size self_sym_sizes"),
        (lambda: F.conv1d(x[None], torch.ones(2, 3, 2)), "stride padding groups transposed input"),
        (lambda: F.mse_loss(x, y), "self target reduction nothing"),
        (lambda: torch.lerp(x, y, 0.5), "weight"),
    ):
        node = make().grad_fn
        for name in names.split():
            note(lambda: getattr(node, f"_saved_{name}"))


@program
def raw_saved_values(torch, ns, note):
    x = torch.ones(3, requires_grad=True)
    y = x * x
    note(type(y.grad_fn._raw_saved_self).__name__)
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t * 5)
    note(lambda: y.grad_fn._saved_self)
    note(lambda: y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t))
    y.sum().backward()
    note(x.grad)
    note(lambda: y.grad_fn._saved_self)
    note(lambda: y.grad_fn._raw_saved_self)
    z = x * 2
    note(lambda: z.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t))
    e = x.relu()
    e.grad_fn._raw_saved_result.register_hooks(lambda t: t + 1, lambda t: t * 2)
    note(e.grad_fn._saved_result)
    raw = e.grad_fn._raw_saved_result
    e.sum().backward()
    note(x.grad)
    note(lambda: raw.register_hooks(lambda t: t, lambda t: t))
    note(lambda: e.grad_fn._saved_result)
    w = x * x
    note(lambda: w.grad_fn._raw_saved_self.register_hooks(lambda t: t.add_(1), lambda t: t))
    v = (x * 1) * (x * 1)
    note(lambda: v.grad_fn._raw_saved_self.register_hooks(lambda t: t.add_(1), lambda t: t))
    v = (x * 1) * (x * 1)
    v.grad_fn._raw_saved_self.register_hooks(lambda t: 3, lambda t: t)
    note(lambda: v.sum().backward())
    v = (x * 1) * (x * 1)
    note(lambda: v.grad_fn._raw_saved_self.register_hooks(lambda: 3, lambda t: t))
    r = x.relu()
    r.add_(1)
    note(lambda: r.grad_fn.next_functions[0][0]._saved_result)
