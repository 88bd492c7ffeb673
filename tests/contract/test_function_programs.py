"""Whole programs around ``autograd.Function``: lifetimes, order, classes, modes, engines inside."""

from __future__ import annotations

import gc
import importlib
import threading
import weakref

from tests.contract.programs import made, ones, suite

program, test_same_program_same_notes = suite()


@program
def a_ctx_dies_with_its_graph(torch, ns, note):
    for which in ("argument", "result", "neither"):
        seen = []

        def forward(ctx, x, which=which, seen=seen):
            out = x * 2
            if which != "neither":
                ctx.save_for_backward(x if which == "argument" else out)
            seen.append(weakref.ref(ctx))
            return out

        y = made(torch, forward).apply(ones(torch))
        note(seen[0]() is y.grad_fn)
        y.sum().backward()
        del y
        gc.collect(1)  # what is young: the whole heap takes seconds
        note(seen[0]() is None)


@program
def nodes_run_in_torchs_order(torch, ns, note):
    order = []

    def kind(name):
        return made(
            torch, lambda ctx, x: x.clone(), lambda ctx, g: (order.append(name), g)[1], name
        )

    a, b, c = kind("A"), kind("B"), kind("C")
    x = ones(torch)
    (c.apply(a.apply(x)) + b.apply(x) * a.apply(x)).sum().backward()
    note(order)


@program
def a_graph_may_be_deep(torch, ns, note):
    clone = made(torch, lambda ctx, x: x.clone())
    x = y = ones(torch, 1)
    for _ in range(3000):
        y = clone.apply(y)
    y.sum().backward()
    note(x.grad)


@program
def a_gradient_of_none_stops_there(torch, ns, note):
    x = ones(torch)
    (made(torch, lambda ctx, x: x.clone(), lambda ctx, g: None).apply(x * 2) + x).sum().backward()
    note(x.grad)


@program
def an_argument_is_handed_through_beside_a_result(torch, ns, note):
    calls = []
    f = made(torch, lambda ctx, a, b: (a, a + b), lambda ctx, ga, gb: (ga + gb, gb))
    x, y = ones(torch), ones(torch)
    q, p = f.apply(x, y)
    q.register_hook(lambda g: calls.append(g.tolist()))
    (q + p).sum().backward()
    note([x.grad, y.grad, calls, q is x])


@program
def a_constant_is_changed_in_place_with_a_gradient(torch, ns, note):
    def forward(ctx, a, b):
        ctx.mark_dirty(a)
        return a.add_(b), b + 2

    f = made(torch, forward, lambda ctx, ga, gb: (ga, ga + gb))
    x, y = torch.ones(2), ones(torch)
    q, p = f.apply(x, y)
    note([q is x, q.grad_fn is p.grad_fn, x.requires_grad])
    q.sum().backward()
    note(y.grad)


@program
def results_of_every_sort(torch, ns, note):
    def forward(ctx, x, y, z):
        product = x * y
        ctx.mark_non_differentiable(product)
        ctx._materialize_non_diff_grads = False
        return product, y * z, "text", [x]

    f = made(torch, forward, lambda ctx, *g: (note([i is None for i in g]), (None, g[1], None))[1])
    x, y, z = (ones(torch) for _ in range(3))
    results = f.apply(x, y, z)
    note(results[:3])
    results[1].sum().backward()
    note([x.grad, y.grad, z.grad])


@program
def results_of_another_dtype(torch, ns, note):
    double = made(torch, lambda ctx, x: x.double(), lambda ctx, g: (note(g), g)[1])
    x = ones(torch)
    y = double.apply(x)
    y.sum().backward()
    note([y, x.grad])
    info = y.grad_fn._input_metadata[0]
    note([tuple(info.shape), info.dtype, info.device, info.is_nested_tensor])


@program
def a_backward_takes_too_few_gradients(torch, ns, note):
    f = made(torch, lambda ctx, x: (x + 1, x + 2), lambda ctx, one: one)
    note(lambda: f.apply(ones(torch))[0].sum().backward())


@program
def engines_inside_engines(torch, ns, note):
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = ctx.x * 2
        return ctx.y.detach()

    def backward(ctx, g):
        with torch.enable_grad():
            ctx.y.sum().backward()
        return ctx.x.grad * g

    x = ones(torch)
    made(torch, forward, backward).apply(x).sum().backward()
    note(x.grad)


@program
def gradients_are_captured_on_the_way(torch, ns, note):
    f = made(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 5)
    x = ones(torch)
    y = f.apply(x)
    z = f.apply(y)
    note(torch.autograd.grad(z.sum(), [y, x], retain_graph=True))
    edge = torch.autograd.graph.get_gradient_edge(y)
    note(edge.output_nr)
    note(torch.autograd.grad(z.sum(), inputs=edge, retain_graph=True))
    note(torch.autograd.grad([edge], [x], grad_outputs=[torch.ones(2)]))
    y.retain_grad()
    z.sum().backward()
    note([y.grad, x.grad])


@program
def classes_of_arguments(torch, ns, note):
    class Sub(torch.Tensor):
        pass

    same = made(torch, lambda ctx, x: x)
    clone = made(torch, lambda ctx, x: x.clone())
    for f in (same, clone):
        note(type(f.apply(torch.ones(2).as_subclass(Sub))).__name__)
        note(type(f.apply(ones(torch).as_subclass(Sub))).__name__)
        note(type(f.apply(torch.nn.Parameter(torch.ones(2)))).__name__)


@program
def modes_see_what_a_function_calls(torch, ns, note):
    modes = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
    seen = []

    class Mode(modes.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.view(-1)

    f = made(torch, forward, lambda ctx, g: g * ctx.saved_tensors[0])
    same = made(torch, lambda ctx, x: x)
    x = ones(torch)
    with Mode():
        y = f.apply(x)
        same.apply(x)
        y.backward(torch.ones(2))
    note(seen)


@program
def threads_have_graphs_of_their_own(torch, ns, note):
    f = made(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 2)
    found = []

    def work():
        x = ones(torch)
        f.apply(x).sum().backward()
        found.append(x.grad.tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    note(found)


@program
def autocast_decorators(torch, ns, note):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x @ x

    f = made(
        torch,
        torch.amp.custom_fwd(forward, device_type="cpu"),
        torch.amp.custom_bwd(lambda ctx, g: g @ ctx.saved_tensors[0], device_type="cpu"),
    )
    x = ones(torch, 2, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = f.apply(x)
    y.sum().backward()
    note([y.dtype, x.grad.dtype])
