"""What a ``Function`` marks that is no argument, what ``jvp`` reads, and values kept by hand."""

from __future__ import annotations

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def _function(torch, forward):
    class Func(torch.autograd.Function):
        @staticmethod
        def backward(ctx, *grads):
            return grads[0]

    Func.forward = staticmethod(forward)
    return Func


@program
def results_marked_dirty_that_are_no_arguments(torch, ns, note):
    made = {
        "view of a copy": lambda a: a.clone().view_as(a),
        "copy": lambda a: a.clone(),
        "view": lambda a: a.view_as(a),
        "piece": lambda a: a.clone().unbind()[0],
        "integers": lambda a: torch.ones(2, dtype=torch.int64).view(2),
    }
    for name, make in made.items():
        for many in (False, True):
            for constant in (False, True):

                def forward(ctx, a, make=make, many=many, constant=constant):
                    out = make(a)
                    ctx.mark_dirty(out)
                    if constant:
                        ctx.mark_non_differentiable(out)
                    return (out, a * 2) if many else out

                for needs in (True, False):
                    for grad in (True, False):
                        a = torch.tensor([1.0, 2.0], requires_grad=needs).clone()
                        with torch.set_grad_enabled(grad):

                            def run(a=a, forward=forward):
                                out = _function(torch, forward).apply(a)
                                first = out[0] if isinstance(out, tuple) else out
                                node = first.grad_fn
                                return first._is_view(), first.requires_grad, node and node.name()

                            note((name, many, constant, needs, grad))
                            note(run)


@program
def jvp_reads_what_was_saved_for_it_alone(torch, ns, note):
    ad = torch.autograd.forward_ad
    for late in ((), ("x",), ("x", "y")):
        for early in (None, (), ("y",)):

            class Func(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x, y, late=late, early=early):
                    values = {"x": x, "y": y}
                    ctx.save_for_backward(*[values[n] for n in late])
                    if early is not None:
                        ctx.save_for_forward(*[values[n] for n in early])
                    return x * y

                @staticmethod
                def jvp(ctx, a, b):
                    note([t.tolist() for t in ctx.saved_tensors])
                    return a

                @staticmethod
                def backward(ctx, g):
                    note([t.tolist() for t in ctx.saved_tensors])
                    return g, None

            x, y = torch.ones(2, requires_grad=True), torch.full((2,), 3.0)
            with ad.dual_level():
                out = Func.apply(ad.make_dual(x, torch.ones(2)), y)
                out.sum().backward()


@program
def the_data_of_what_is_saved(torch, ns, note):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 1

    def told(saved):
        data = saved.data
        note((data is x, data is y, data.requires_grad, data.is_leaf, saved.unpack_hook is None))

    outs = [x.sin(), y.sin(), x.exp(), y.exp(), x * torch.tensor(3.0)]  # they keep their nodes
    names = "self self result result other".split()
    for out, name in zip(outs, names, strict=True):
        saved = getattr(out.grad_fn, f"_raw_saved_{name}")
        told(saved)
        saved.register_hooks(lambda t: t * 2, lambda t: t / 2)
        told(saved)

    class Func(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            b = a * 2
            ctx.save_for_backward(a, b)
            return b

        @staticmethod
        def backward(ctx, g):
            return g

    out = Func.apply(y)
    for saved in out.grad_fn._raw_saved_tensors:
        told(saved)


@program
def values_that_no_node_keeps(torch, ns, note):
    make = torch._C._autograd._make_saved_tensor
    for t in (
        torch.ones(2),
        torch.ones(2, requires_grad=True),
        torch.ones(2, requires_grad=True) * 1,
    ):
        for is_output in (False, True):
            saved = make(t, is_output)
            note(type(saved).__name__)
            note((saved.data is t, saved.data.requires_grad))
            note(lambda saved=saved, t=t: saved.unpack() is t)
            saved.register_hooks(lambda v: v * 2, lambda v: v)
            note(saved.data)
            note(lambda saved=saved: saved.unpack().requires_grad)
    calls = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: calls.append("pack") or t, lambda t: calls.append("unpack") or t
    ):
        saved = make(torch.ones(2), is_output=False)
        saved.unpack(), saved.unpack()
    note(calls)
    t = torch.ones(2, requires_grad=True) * 1
    saved = make(t, False)
    t.add_(1)
    note(lambda: saved.unpack())


@program
def hooks_of_many_where_a_wanted_one_is_out_of_reach(torch, ns, note):
    x = [torch.tensor([1.0, 2.0], requires_grad=True) * n for n in (1, 2, 3, 4)]
    seen = []
    torch.autograd.graph.register_multi_grad_hook(x, lambda g: seen.append([i is None for i in g]))
    out = (x[1] * x[2]).sum()
    for wanted in ((1, 2), (0, 3), (0, 2), (0, 1, 2, 3), (3, 1)):
        note(lambda wanted=wanted: out.backward(inputs=[x[i] for i in wanted], retain_graph=True))
        note(seen)


@program
def saved_in_host_memory(torch, ns, note):
    indices, values = torch.tensor([[1, 1]]), torch.tensor([1.0, 2.0])
    for pinned in (False, True):
        x = torch.sparse_coo_tensor(indices, values, (3,)).requires_grad_()
        with torch.autograd.graph.save_on_cpu(pinned):
            y = x * x
            note(y.grad_fn._saved_self.layout)
            y.to_dense().sum().backward()
            note(x.grad.to_dense())


@program
def an_alias_is_what_a_class_sees_of_a_dual(torch, ns, note):
    class Sub(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            if "is_same_size" not in str(func) and "storage_numel" not in str(func):
                seen.append(str(func))
            with torch._C._DisableTorchDispatch():
                return func(*args, **(kwargs or {}))

    seen = []
    s = torch.ones(2).as_subclass(Sub)
    ad = torch.autograd.forward_ad
    with ad.dual_level():
        ad.make_dual(s, torch.ones(2))
        note(seen)
        seen.clear()
        ad.make_dual(torch.ones(2), s)
        note(seen)
