"""Every argument of the engine, of hooks and of a Function's context, given what it cannot be."""

from __future__ import annotations

import pytest

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function)


def wrong(torch):
    """Values of all kinds that arguments may have by mistake."""
    return (
        "a", 1, 0, 256, -1, 2.5, None, [], (), {}, int, abs, True,
        torch.ones(2), torch.ones(()), [torch.ones(2)], [None], ["a"],
    )  # fmt: skip


def graph(torch):
    """A leaf and a sum of it."""
    leaf = torch.ones(2, requires_grad=True)
    return leaf, (leaf * 2).sum()


@program
def arguments_of_tensor_backward(torch, ns, note):
    for name in ("gradient", "retain_graph", "create_graph", "inputs"):
        for value in wrong(torch):
            leaf, y = graph(torch)
            note(lambda y=y, name=name, value=value: y.backward(**{name: value}))
            note(leaf.grad)


@program
def arguments_of_backward(torch, ns, note):
    for name in ("tensors", "grad_tensors", "retain_graph", "create_graph", "inputs"):
        for value in wrong(torch):
            leaf, y = graph(torch)
            given = {"tensors": y, name: value}
            note(lambda given=given: torch.autograd.backward(**given))
            note(leaf.grad)


@program
def arguments_of_grad(torch, ns, note):
    for name in (
        "outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs",
        "allow_unused", "is_grads_batched", "materialize_grads",
    ):  # fmt: skip
        for value in wrong(torch):
            leaf, y = graph(torch)
            given = {"outputs": y, "inputs": leaf, name: value}
            note(lambda given=given: torch.autograd.grad(**given))


@program
def hooks_of_the_wrong_type(torch, ns, note):
    for value in wrong(torch):
        for register in ("register_hook", "register_post_accumulate_grad_hook"):
            leaf, y = graph(torch)
            note(lambda h=getattr(leaf, register), v=value: type(h(v)).__name__)
            note(lambda y=y: y.backward())
        for register in ("register_hook", "register_prehook"):
            leaf, y = graph(torch)
            note(lambda h=getattr(y.grad_fn, register), v=value: type(h(v)).__name__)
            note(lambda y=y: y.backward())
    leaf, y = graph(torch)
    for node in (y.grad_fn, y.grad_fn.next_functions[0][0].next_functions[0][0]):
        for register in ("register_hook", "register_prehook"):
            hook = getattr(node, register)
            note(lambda hook=hook: hook())
            note(lambda hook=hook: hook(abs, abs))
            note(lambda hook=hook: hook(fn=abs))


@program
def saved_hooks_of_the_wrong_type(torch, ns, note):
    graph_ = torch.autograd.graph

    def saving(context):
        leaf = torch.ones(2, requires_grad=True)
        with context():
            y = leaf * leaf
        y.sum().backward()
        return leaf.grad

    for v in wrong(torch):
        note(lambda v=v: saving(lambda: graph_.saved_tensors_hooks(v, lambda x: x)))
        note(lambda v=v: saving(lambda: graph_.saved_tensors_hooks(lambda x: x, v)))
        note(lambda v=v: saving(lambda: graph_.disable_saved_tensors_hooks(v)))
        if v is not True and not (isinstance(v, int) and v):  # what pins needs an accelerator
            note(lambda v=v: saving(lambda: graph_.save_on_cpu(pin_memory=v)))


@program
def modes_of_the_wrong_type(torch, ns, note):
    def inside(mode, value):
        try:
            with mode(value):
                return torch.is_grad_enabled(), torch.is_anomaly_enabled()
        finally:
            torch.set_grad_enabled(True)
            torch.autograd.set_detect_anomaly(False)

    modes = torch.autograd
    for value in (v for v in wrong(torch) if not callable(v)):
        for mode in (
            modes.set_grad_enabled, modes.set_detect_anomaly, modes.detect_anomaly,
            modes.set_multithreading_enabled, modes.no_grad, modes.enable_grad,
            lambda v: modes.set_detect_anomaly(True, v),
        ):  # fmt: skip
            note(lambda mode=mode, value=value: inside(mode, value))


@program
def what_a_context_is_told(torch, ns, note):
    def call(use):
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                use(ctx)
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return g * 3

        leaf = torch.ones(2, requires_grad=True)
        Doubled.apply(leaf).sum().backward()
        return leaf.grad

    for value in wrong(torch):
        for method in (
            "save_for_backward", "save_for_forward", "mark_dirty", "mark_non_differentiable",
            "set_materialize_grads",
        ):  # fmt: skip
            note(lambda method=method, value=value: call(lambda c: getattr(c, method)(value)))
        for name in (
            "materialize_grads", "_materialize_non_diff_grads", "needs_input_grad", "to_save",
            "dirty_tensors", "non_differentiable", "saved_tensors", "next_functions", "metadata",
            "requires_grad", "saved_for_forward", "name", "_input_metadata", "_raw_saved_tensors",
        ):  # fmt: skip
            note(lambda name=name, value=value: call(lambda c: setattr(c, name, value)))


@program
def what_hooks_and_functions_return(torch, ns, note):
    kinds = (torch.ones(1), torch.ones(3), torch.ones(2, dtype=torch.int64),
             torch.ones(2, dtype=torch.complex64), torch.ones(2, dtype=torch.float64),
             (torch.ones(2), torch.ones(2)), (torch.ones(2), None))  # fmt: skip

    def run(watch):
        leaf = torch.ones(2, requires_grad=True)
        y = leaf * 1
        watch(leaf, y)
        y.sum().backward()
        return leaf.grad

    def function(forward, backward):
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        made = type("Made", (torch.autograd.Function,), body)
        leaf = torch.ones(2, requires_grad=True)
        made.apply(leaf).sum().backward()
        return leaf.grad

    for v in (*wrong(torch), *kinds):
        note(lambda v=v: run(lambda leaf, y: y.register_hook(lambda g: v)))
        note(lambda v=v: run(lambda leaf, y: y.grad_fn.register_hook(lambda i, o: v)))
        note(lambda v=v: run(lambda leaf, y: y.grad_fn.register_prehook(lambda o: v)))
        note(lambda v=v: run(lambda leaf, y: leaf.register_post_accumulate_grad_hook(lambda t: v)))
        note(lambda v=v: function(lambda ctx, x: x * 2, lambda ctx, g: v))
        note(lambda v=v: function(lambda ctx, x: v, lambda ctx, *g: torch.ones(2)))


@program
def tensors_among_the_elements(torch, ns, note):
    one = torch.ones
    elements = [
        one(()), one(1), one(2), one(1, 1), one((), dtype=torch.int32), one((), dtype=torch.bool),
        one((), dtype=torch.complex64), one((), dtype=torch.float16), one(0), one(()) * 2.5,
        one(2, dtype=torch.int64), one((), device="meta"),
    ]  # fmt: skip
    for t in elements:
        for dtype in (None, torch.float32, torch.int64, torch.bool, torch.complex64, torch.uint8):
            note(lambda t=t, dtype=dtype: torch.tensor([t], dtype=dtype))
            note(lambda t=t, dtype=dtype: torch.tensor([[1, t], [2.5, t]], dtype=dtype))
        for other in elements:
            note(lambda t=t, other=other: torch.tensor([t, other]))
        note(lambda t=t: torch.FloatTensor([t]))
        note(lambda t=t: torch.as_tensor((t,)))


@program
def asarray_of_what_requires_a_gradient(torch, ns, note):
    for wanted in (None, True, False):
        for copy in (None, False, True):
            leaf = torch.ones(2, requires_grad=True)
            for t in (leaf, leaf * 2, torch.ones(2)):
                made = torch.asarray(t, requires_grad=wanted, copy=copy)
                note([made is t, made.requires_grad, made.is_leaf, t.requires_grad])


@program
def what_is_asked_of_tensors_may_not_be_set(torch, ns, note):
    for name in (
        "T", "H", "mT", "mH", "_base", "_version", "_cdata", "device", "dtype", "grad_fn", "is_cpu",
        "is_leaf", "is_meta", "itemsize", "layout", "name", "nbytes", "ndim", "output_nr",
        "retains_grad", "shape",
    ):  # fmt: skip
        t = torch.ones(2, 2)
        note(lambda t=t, name=name: setattr(t, name, 1))
    for name in ("T", "_version", "dtype", "layout", "ndim", "shape"):
        note(lambda t=t, name=name: delattr(t, name))
    edge = torch.autograd.graph.GradientEdge((torch.ones(2, requires_grad=True) * 2).grad_fn, 1)
    note(lambda: torch.autograd.backward(edge, torch.ones(2)))
    note(lambda: torch._C._autograd._unsafe_set_version_counter((t,), (-1,)))
