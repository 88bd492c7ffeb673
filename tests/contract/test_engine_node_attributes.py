"""Nodes of the graph seen from outside."""

from __future__ import annotations

import weakref

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def sequence_numbers(torch, ns, note):
    a = ones(torch)
    b = a * 2
    c = b + 1
    note(c.grad_fn._sequence_nr() - b.grad_fn._sequence_nr())
    acc = b.grad_fn.next_functions[0][0]
    note(acc._sequence_nr())
    b.grad_fn._set_sequence_nr(70)
    note(b.grad_fn._sequence_nr())
    note(lambda: b.grad_fn._set_sequence_nr(-1))
    note(lambda: b.grad_fn._set_sequence_nr("a"))
    note(lambda: b.grad_fn._set_sequence_nr(2**64 - 1))
    note(lambda: b.grad_fn._sequence_nr())
    c.sum().backward()
    note(a.grad)


@program
def sequence_numbers_change_the_order(torch, ns, note):
    order = []
    a = ones(torch)
    b, c, d = a * 2, a * 3, a * 4
    for name, t in (("b", b), ("c", c), ("d", d)):
        t.register_hook(lambda g, name=name: order.append(name))
    out = torch.stack([b, c, d]).sum()
    b.grad_fn._set_sequence_nr(10**9)
    d.grad_fn._set_sequence_nr(0)
    out.backward()
    note(order)
    note(a.grad)


@program
def functions_have_sequence_numbers(torch, ns, note):
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    a = ones(torch)
    y = Fn.apply(a)
    z = y * 1
    note(z.grad_fn._sequence_nr() - y.grad_fn._sequence_nr())
    y.grad_fn._set_sequence_nr(5)
    note(y.grad_fn._sequence_nr())
    note(y.grad_fn.name())
    note(y.grad_fn._is_pure_view if hasattr(y.grad_fn, "_is_pure_view") else None)
    note(lambda: y.grad_fn._input_metadata)


@program
def input_metadata(torch, ns, note):
    a = ones(torch, 2, 3, dtype=torch.float64)
    for t in (
        a * 2,
        a.sum(),
        a.unbind(0)[1],
        a.unbind(0)[0],
        a.max(0)[0],
        a.to(torch.complex64),
        a.clone()[:, 1],
    ):
        metas = t.grad_fn._input_metadata
        note(len(metas))
        for m in metas:
            note([m.dtype, m.device, m.shape, m.is_nested_tensor, m.is_cpp_nested_tensor])
        note(type(metas).__name__)
    note([type(m).__name__ for m in metas])
    note([type(m).__module__ for m in metas])
    note(lambda: a.view_as(a).grad_fn.next_functions[0][0]._input_metadata[0].shape)
    m = (a * 2).grad_fn._input_metadata[0]


@program
def input_metadata_of_max(torch, ns, note):
    a = ones(torch, 2, 3)
    v, i = a.max(0)
    note([(m.dtype, m.shape) for m in v.grad_fn._input_metadata])
    v, i = a.sort(0)
    note([(m.dtype, m.shape) for m in v.grad_fn._input_metadata])
    v, i = a.topk(1)
    note([(m.dtype, m.shape) for m in v.grad_fn._input_metadata])


@program
def next_functions(torch, ns, note):
    a, b = ones(torch), ones(torch)
    y = a * b
    note(len(y.grad_fn.next_functions))
    note([f.name() for f, _ in y.grad_fn.next_functions])
    note(y.grad_fn.next_functions[0][0].variable is a)
    note(lambda: y.grad_fn.variable)
    u = (a * 1).unbind(0)
    z = u[1] + u[0]
    note([(f.name(), n) for f, n in z.grad_fn.next_functions])
    note(lambda: y.grad_fn.next_functions[5])
    z = torch.cat([a, torch.ones(2), b])
    note([(f and f.name(), n) for f, n in z.grad_fn.next_functions])
    z = a + 1
    note([(f and f.name(), n) for f, n in z.grad_fn.next_functions])
    z = a + torch.ones(2)
    note([(f and f.name(), n) for f, n in z.grad_fn.next_functions])
    z = torch.where(torch.tensor([True, False]), a, b)
    note([(f and f.name(), n) for f, n in z.grad_fn.next_functions])
    z = torch.addmm(ones(torch, 2, 2), ones(torch, 2, 2), torch.ones(2, 2))
    note([(f and f.name(), n) for f, n in z.grad_fn.next_functions])


@program
def the_node_is_one_object(torch, ns, note):
    a = ones(torch)
    y = a * 2
    note(y.grad_fn is y.grad_fn)
    z = y + 1
    note(z.grad_fn.next_functions[0][0] is y.grad_fn)
    note(y.grad_fn == y.grad_fn)
    note(hash(y.grad_fn) == hash(y.grad_fn))
    n = y.grad_fn
    n.metadata["k"] = 1
    note(z.grad_fn.next_functions[0][0].metadata)
    note(isinstance(n, torch.autograd.graph.Node))
    note(issubclass(type(n), torch.autograd.graph.Node))
    note(isinstance(3, torch.autograd.graph.Node))
    for name in "AccumulateGrad DelayedError UndefinedGrad".split():
        note(issubclass(getattr(torch._C._functions, name), torch.autograd.graph.Node))
    acc = n.next_functions[0][0]
    note(isinstance(acc, torch.autograd.graph.Node))
    note(acc is (a * 3).grad_fn.next_functions[0][0])
    note(type(n).__name__)
    note(type(acc).__name__)
    note(acc.name())
    note(lambda: setattr(n, "foo", 1))
    note(lambda: n.foo)
    note(lambda: setattr(n, "next_functions", 1))
    note(lambda: setattr(n, "requires_grad", 1))
    note(lambda: setattr(n, "metadata", {}))
    note(n.requires_grad)
    note(lambda: n.metadata)


@program
def metadata_dies_with_the_node(torch, ns, note):
    class Obj:
        pass

    def get():
        x = ones(torch)
        t = x.exp()
        o = Obj()
        t.grad_fn.metadata["o"] = o
        return t, weakref.ref(o)

    t, r = get()
    note(r() is None)
    del t
    note(r() is None)


@program
def a_node_class_of_one_s_own(torch, ns, note):
    Node = torch.autograd.graph.Node
    note(lambda: Node())

    class Mine(Node):
        def name(self):
            return "mine"

    note(lambda: Mine())
    note(sorted(getattr(Node, "__abstractmethods__", ())))
    note(Node.__mro__[1].__name__)
    note(sorted(n for n in vars(Node) if not n.startswith("__") and n != "_abc_impl"))


@program
def nodes_may_be_called(torch, ns, note):
    a = ones(torch)
    y = a * 3
    note(lambda: y.grad_fn(torch.ones(2)))
    note(lambda: y.grad_fn(torch.ones(2), torch.ones(2)))
    note(lambda: y.grad_fn())
    note(lambda: y.grad_fn(None))
    note(lambda: y.grad_fn(1))
    note(lambda: y.grad_fn("a"))
    note(lambda: a.sum().grad_fn(torch.tensor(2.0)))
    u = a.unbind(0)
    note(lambda: u[0].grad_fn(torch.tensor(1.0), torch.tensor(2.0)))
    note(lambda: u[0].grad_fn(torch.tensor(1.0), None))
    note(lambda: u[0].grad_fn(torch.tensor(1.0)))
    acc = y.grad_fn.next_functions[0][0]
    note(lambda: acc(torch.ones(2)))
    note(a.grad)
    note(lambda: y.grad_fn(torch.ones(2), inplace=True))
    note(lambda: y.grad_fn(grad=torch.ones(2)))
    p = ones(torch) ** 2
    note(lambda: p.grad_fn(torch.ones(3)))


@program
def saved_attributes(torch, ns, note):
    a = ones(torch, 2, 2)
    b = ones(torch, 2, 2)
    n = (a * b).grad_fn
    note(n._saved_self is a)
    note(n._saved_other is b)
    n = torch.addmm(a, a, b, beta=2, alpha=3).grad_fn
    note([n._saved_beta, n._saved_alpha, n._saved_mat1, n._saved_mat2])
    y = a.exp()
    note(y.grad_fn._saved_result)
    note(y.grad_fn._saved_result is y)
    note(y.grad_fn._saved_result.grad_fn is y.grad_fn)
    n = a.sum(0).grad_fn
    note(lambda: [n._saved_dim, n._saved_keepdim, n._saved_self_sym_sizes])
    n = a.sum(-1, keepdim=True).grad_fn
    note(lambda: [n._saved_dim, n._saved_keepdim, n._saved_self_sym_sizes])
    n = (a**2).grad_fn
    note(lambda: [n._saved_self, n._saved_exponent])
    n = (a**2.5).grad_fn
    note(lambda: [n._saved_self, n._saved_exponent])
    n = torch.cat([a, b]).grad_fn
    note(lambda: [n._saved_dim])
    n = torch.nn.functional.leaky_relu(a, 0.25).grad_fn
    note(lambda: [n._saved_negative_slope, n._saved_self])
    n = a.unsqueeze(-1).grad_fn
    note(lambda: n._saved_dim)
    n = a[0:1].grad_fn
    note(
        lambda: [n._saved_dim, n._saved_start, n._saved_end, n._saved_step, n._saved_self_sym_sizes]
    )
    n = a[torch.tensor([0, 1])].grad_fn
    note(lambda: [n._saved_indices, n._saved_self_sym_sizes])
    n = a[:, torch.tensor([0, 1])].grad_fn
    note(lambda: [n._saved_indices])
    note(lambda: [x and type(x).__name__ for x in n._raw_saved_indices])
    note(lambda: n._saved_nothing)
    n = torch.nn.functional.interpolate(ones(torch, 1, 1, 4), 2).grad_fn
    note(lambda: [n._saved_output_size, n._saved_scales])
    n = torch.nn.functional.interpolate(
        ones(torch, 1, 1, 4), scale_factor=0.5, mode="linear"
    ).grad_fn
    note(lambda: [n._saved_output_size, n._saved_scales, n._saved_align_corners])
    n = torch.nn.functional.layer_norm(ones(torch, 2, 3), (3,)).grad_fn
    note(lambda: [n._saved_normalized_shape, n._saved_weight, n._saved_bias])
    note(lambda: n._raw_saved_weight.register_hooks(lambda x: x, lambda x: x))
    n = a.std(correction=1).grad_fn
    note(lambda: [n._saved_correction, n._saved_dim, n._saved_keepdim])
    n = torch.nn.functional.gelu(a, approximate="tanh").grad_fn
    note(lambda: n._saved_approximate)
    n = a.to(torch.float64).grad_fn


@program
def saved_attributes_after_backward(torch, ns, note):
    a = ones(torch)
    y = a.exp()
    z = a * y
    z.sum().backward()
    note(lambda: y.grad_fn._saved_result)
    note(lambda: z.grad_fn._saved_self)
    note(lambda: z.grad_fn._saved_other)
    note(lambda: z.grad_fn._raw_saved_self)
    note(
        lambda: (
            z.grad_fn._raw_saved_self.unpack()
            if hasattr(z.grad_fn._raw_saved_self, "unpack")
            else 0
        )
    )
    n = a.sum(0).grad_fn
    n(torch.ones(()))
    note(lambda: n._saved_dim)
    y = torch.cat([a, a], 0)
    y.sum().backward()
    note(lambda: y.grad_fn._saved_dim)
    y = torch.stack([a, a * 2])
    n = y.grad_fn
    note(lambda: n._saved_dim)
    y = a[torch.tensor([0])]
    y.sum().backward()
    note(lambda: y.grad_fn._saved_indices)


@program
def raw_saved_hooks(torch, ns, note):
    a = ones(torch)
    y = a * a
    raw = y.grad_fn._raw_saved_self
    note(type(raw).__name__)
    note(sorted(n for n in dir(raw) if not n.startswith("_")))
    note(lambda: raw.register_hooks(lambda x: 2 * x, lambda x: 10 * x))
    note(lambda: y.grad_fn._saved_self)
    note(lambda: raw.register_hooks(lambda x: x, lambda x: x))
    note(lambda: raw.register_hooks(1, lambda x: x))
    note(lambda: raw.register_hooks(lambda x: x))
    y.sum().backward()
    note(a.grad)
    note(lambda: raw.register_hooks(lambda x: x, lambda x: x))
    y = a.exp()
    raw = y.grad_fn._raw_saved_result
    note(lambda: raw.register_hooks(lambda x: (x, 1), lambda p: p[0] * 2))
    note(lambda: y.grad_fn._saved_result)
    y = a * a
    note(lambda: y.grad_fn._raw_saved_self.register_hooks(lambda x: x.mul_(2), lambda x: x))
    y = a.exp()
    note(lambda: y.grad_fn._raw_saved_result.register_hooks(lambda x: x.mul_(2), lambda x: x))
    y = a * a
    y.grad_fn._raw_saved_self.register_hooks(lambda x: x, lambda x: 5)
    note(lambda: y.grad_fn._saved_self)
    y = a * a

    def boom(x):
        raise ValueError("boom")

    note(lambda: y.grad_fn._raw_saved_self.register_hooks(boom, lambda x: 5))
    y = a * a
    y.grad_fn._raw_saved_self.register_hooks(lambda x: x, boom)
    note(lambda: y.sum().backward())
    note(lambda: y.grad_fn._saved_self)
    n = torch.nn.functional.layer_norm(ones(torch, 2, 3), (3,)).grad_fn
    note(lambda: n._raw_saved_weight)


@program
def raw_saved_data(torch, ns, note):
    a = ones(torch)
    y = a * a
    raw = y.grad_fn._raw_saved_self
    note(lambda: raw.data)
    note(lambda: raw.unpack_hook)
    raw.register_hooks(lambda x: 2 * x, lambda x: 10 * x)
    note(lambda: raw.data)
    note(lambda: raw.unpack_hook(torch.ones(2)))
    with torch.autograd.graph.saved_tensors_hooks(lambda x: (x, 1), lambda x: x[0]):
        y = a.exp()
    raw = y.grad_fn._raw_saved_result
    note(lambda: raw.data)
    note(lambda: raw.unpack_hook(raw.data))
    y.sum().backward()
    note(lambda: raw.data)


@program
def dir_of_nodes(torch, ns, note):
    a = ones(torch)
    for t in (a * 2, a.sum(), a.exp(), a.sum(0), a.cumsum(0)):
        note(sorted(n for n in dir(t.grad_fn) if not n.startswith("__")))
    note(sorted(n for n in dir((a * 2).grad_fn.next_functions[0][0]) if not n.startswith("__")))


@program
def reprs(torch, ns, note):
    a = ones(torch)
    note(repr((a * 2).grad_fn))
    note(repr((a * 2).grad_fn.next_functions[0][0]))
    note(str(a.view(2).grad_fn))
    note(repr(a.data.requires_grad_().unbind(0)[0]))
    note(repr(a * 2))


@program
def register_hook_dict(torch, ns, note):
    a = ones(torch)
    y = a * 2
    seen = []
    y.register_hook(lambda g: seen.append("of y"))
    z = y * 3
    z.register_hook(lambda g: seen.append("of z"))
    note(lambda: y.grad_fn._register_hook_dict(3))
    note(lambda: y.grad_fn._register_hook_dict({}))
    note(lambda: z.grad_fn._register_hook_dict(y))
    z.sum().backward()
    note(seen)


@program
def custom_function_nodes_have_attributes(torch, ns, note):
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.foo = 3
            ctx.save_for_backward(x)
            return x * 2, y

        @staticmethod
        def backward(ctx, g, h):
            return g, h

    a = ones(torch)
    y, z = Fn.apply(a, 3)
    n = y.grad_fn
    note(n.foo)
    note(n.saved_tensors)
    note([m.shape for m in n._input_metadata])
    note(n.next_functions[0][0].variable is a)
    note(len(n.next_functions))
    note(n.needs_input_grad)
    note(n.dirty_tensors)
    note(n.non_differentiable)
    note(n.to_save)
    note(lambda: n.materialize_grads)
    note(lambda: n.name())
    note([type(r).__name__ for r in n._raw_saved_tensors])
    note(n.requires_grad)
    note(n.metadata)
    note(lambda: n.saved_variables)


@program
def names_of_accumulators(torch, ns, note):
    a = ones(torch)
    acc = a.view_as(a).grad_fn.next_functions[0][0]
    note(acc.variable is a)
    note(lambda: setattr(acc, "variable", 3))
    note(acc.next_functions)
    note(acc.metadata)
    note(acc.requires_grad)


@program
def graph_task_functions(torch, ns, note):
    C = torch._C
    note(C._current_graph_task_id())
    a = ones(torch)
    ids = []

    def hook(g):
        ids.append(C._current_graph_task_id())

    y = a * 2
    y.register_hook(hook)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    note(ids[1] - ids[0])
    note(ids[0] >= 0)
    note(C._current_graph_task_id())
    note(lambda: C._current_graph_task_execution_order())
    note(lambda: C._will_engine_execute_node(y.grad_fn))
    y = a * 2
    y.register_hook(
        lambda g: note(lambda: [n.name() for n in C._current_graph_task_execution_order()]) and None
    )
    z = y.exp()
    z.register_hook(
        lambda g: (note(lambda: [n.name() for n in C._current_graph_task_execution_order()]), None)[
            1
        ]
    )
    z.register_hook(lambda g: (note(lambda: C._will_engine_execute_node(y.grad_fn)), None)[1])
    z.register_hook(lambda g: (note(lambda: C._will_engine_execute_node(3)), None)[1])
    z.register_hook(lambda g: (note(C._current_autograd_node() is z.grad_fn), None)[1])
    z.sum().backward()
    note(C._current_autograd_node())
    b = ones(torch)
    y = a * 2
    w = b * 3
    z = y + w
    z.register_hook(
        lambda g: (note(lambda: [n.name() for n in C._current_graph_task_execution_order()]), None)[
            1
        ]
    )
    z.register_hook(
        lambda g: (
            note(
                [
                    C._will_engine_execute_node(n)
                    for n in (
                        y.grad_fn,
                        w.grad_fn,
                        z.grad_fn,
                        y.grad_fn.next_functions[0][0],
                        w.grad_fn.next_functions[0][0],
                    )
                ]
            ),
            None,
        )[1]
    )
    z.sum().backward(inputs=[a], retain_graph=True)
    torch.autograd.grad(z.sum(), (y,), retain_graph=True)
    z.sum().backward()
