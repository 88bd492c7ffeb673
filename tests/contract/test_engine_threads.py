"""Several threads with one engine or graph, and ``backward`` inside ``backward``."""

from __future__ import annotations

import threading

from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def threads(torch, ns, note):
    a = ones(torch)

    def work():
        for _ in range(20):
            ((a * 2).exp() * 0 + a).sum().backward()

    ts = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    note(a.grad)
    y = (a * a).sum()
    errs = []

    def shared():
        try:
            y.backward()
        except RuntimeError as e:
            errs.append(str(e)[:40])

    ts = [threading.Thread(target=shared) for _ in range(3)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    note(sorted(errs))
    seen = []

    def modes():
        seen.append(
            (
                torch.is_grad_enabled(),
                torch.is_inference_mode_enabled(),
                torch._C._current_graph_task_id(),
            )
        )

    with torch.no_grad():
        t = threading.Thread(target=modes)
        t.start()
        t.join()
    note(seen)
    ids = []
    b = a * 2
    b.register_hook(lambda g: ids.append(threading.get_ident() == me))
    me = threading.get_ident()
    b.sum().backward()
    note(ids)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: 1 / 0, lambda x: x):
        res = []

        def other():
            try:
                res.append((a * a).grad_fn.name())
            except Exception as e:
                res.append(repr(e))

        t = threading.Thread(target=other)
        t.start()
        t.join()
    note(res)

    def in_hook(g):
        r = []
        t = threading.Thread(target=lambda: r.append(torch.autograd.grad((a * 3).sum(), a)[0]))
        t.start()
        t.join()
        return g + r[0]

    z = a * 2
    z.register_hook(in_hook)
    a.grad = None
    z.sum().backward()
    note(a.grad)


@program
def several_threads_one_graph(torch, ns, note):
    a = ones(torch)
    mid = (a * 3).exp() * 0 + a
    log = []
    a.register_post_accumulate_grad_hook(lambda t: log.append(1))
    a.register_hook(lambda g: (log.append(2), None)[1])

    def work(k):
        (mid * k).sum().backward(retain_graph=True)

    ts = [threading.Thread(target=work, args=(k,)) for k in range(1, 6)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    note(a.grad)
    note(sorted(log))


@program
def reentrant(torch, ns, note):
    def nest(depth):
        class Fn(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                ctx.n = n
                with torch.enable_grad():
                    ctx.x = x.detach().requires_grad_()
                    ctx.y = ctx.x * 2 if n == 0 else Fn.apply(ctx.x, n - 1) * 1
                return ctx.y.detach()

            @staticmethod
            def backward(ctx, g):
                with torch.enable_grad():
                    ctx.y.backward(g)
                return ctx.x.grad, None

        a = ones(torch)
        Fn.apply(a, depth).sum().backward()
        return a.grad

    note(nest(0))
    note(nest(5))
    note(nest(80))

    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_() - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx, g):
            if ctx.x[0] < 0:
                return g
            with torch.enable_grad():
                Deep.apply(ctx.x).sum().backward()
            return g

    v = torch.tensor([300.0], requires_grad=True)
    Deep.apply(v).sum().backward()
    note(v.grad)

    class Err(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise ValueError("inner")

    class Outer(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                Err.apply(ones(torch)).sum().backward()
            return g

    a = ones(torch)
    note(lambda: Outer.apply(a).sum().backward())
    note(a.grad)
    note(torch._C._current_graph_task_id())


@program
def multithreading(torch, ns, note):
    note(torch.autograd.is_multithreading_enabled())
    note(torch._C._is_multithreading_enabled())
    with torch.autograd.set_multithreading_enabled(False):
        note(torch._C._is_multithreading_enabled())
        x = torch.ones(2, requires_grad=True)
        (x * 2).sum().backward()
        note(x.grad)
    note(torch._C._is_multithreading_enabled())


@program
def threads_have_modes_of_their_own(torch, ns, note):
    import threading

    x = torch.ones(4, requires_grad=True)
    errors = []

    def work():
        try:
            for _ in range(20):
                (x * 2).sum().backward()
        except Exception as e:
            errors.append(e)

    ts = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    note(errors)
    note(x.grad)
    y = x * x
    x.grad = None
    out = []

    def shared(i):
        out.append(torch.autograd.grad(y.sum(), x, retain_graph=True)[0].tolist())

    ts = [threading.Thread(target=shared, args=(i,)) for i in range(3)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    note(out)
    got = []

    def mode():
        got.append(torch.is_grad_enabled())

    with torch.no_grad():
        t = threading.Thread(target=mode)
        t.start()
        t.join()
    note(got)
    got.clear()

    def inhook(g):
        t = threading.Thread(
            target=lambda: got.append(torch.autograd.grad((x * 3).sum(), x)[0].tolist())
        )
        t.start()
        t.join()

    z = x * 2
    z.register_hook(inhook)
    z.sum().backward()
    note(got)


@program
def reentrant_in_hooks_and_functions(torch, ns, note):
    x = torch.ones(2, requires_grad=True)
    order = []

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * 2

        @staticmethod
        def backward(ctx, g):
            (a,) = ctx.saved_tensors
            with torch.enable_grad():
                b = a.detach().requires_grad_()
                (b * b).sum().backward()
            order.append(b.grad.tolist())
            return g * b.grad

    y = x
    for _ in range(3):
        y = Inner.apply(y)
    y.sum().backward()
    note((order, x.grad))

    def deep(n):
        class Re(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a):
                return a * 1

            @staticmethod
            def backward(ctx, g):
                if n > 0:
                    deep(n - 1)
                return g

        with torch.enable_grad():
            t = torch.ones(1, requires_grad=True)
            Re.apply(t).sum().backward()
        return t.grad

    note(deep(200))

    # a hook that runs another backward over the same graph
    a = torch.ones(2, requires_grad=True)
    b = a * 3

    def again(g):
        with torch.enable_grad():
            a.sum().backward()

    b.register_hook(again)
    b.sum().backward()
    note(a.grad)

    def boom(g):
        raise RuntimeError("inner")

    c = torch.ones(1, requires_grad=True)

    class Bad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                d = torch.ones(1, requires_grad=True)
                e = d * 2
                e.register_hook(boom)
                e.sum().backward()
            return g

    note(lambda: Bad.apply(c).backward())
    note(torch._C._current_graph_task_id())


@program
def ranks_that_wait_for_each_other(torch, ns, note):
    """The gradients of two threads are added when both have come that far."""
    both = threading.Barrier(2, timeout=20)

    class Meeting(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            if func is torch.ops.aten.add_.Tensor or func is torch.ops.aten.add.Tensor:
                both.wait()
            plain = [a.inner if isinstance(a, cls) else a for a in args]
            return wrapped(func(*plain, **(kwargs or {})))

    def wrapped(inner):
        t = torch.Tensor._make_wrapper_subclass(Meeting, inner.shape, dtype=inner.dtype)
        t.inner = inner
        return t

    found = {}

    def rank(number):
        x = wrapped(ones(torch)).requires_grad_()
        try:
            for _ in range(3):
                (x * number).backward(wrapped(ones(torch)))
            found[number] = x.grad.inner
        except Exception as error:
            found[number] = repr(error)

    ts = [threading.Thread(target=rank, args=(n,)) for n in (2, 3)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    note(sorted(found.items()))
