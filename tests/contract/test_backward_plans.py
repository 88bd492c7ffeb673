"""Plans of backward: the formulas' own numbers, and which formulas have none."""

from __future__ import annotations

import importlib
import inspect
import sys

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.call import generation
from mindtorch.call.overload import FUNCTIONAL, FUSED
from mindtorch.call.row import ROWS
from mindtorch.functionality import backward_plans

from .batches import every
from .rows import FEW, cotangent, forms, samples, writes_self
from .test_rows_backends import moved

FORMULAS = [
    name
    for name, row in sorted(ROWS.items())
    if row.grad and row.samples and not row.random and not writes_self(row)
]


def cells(function):
    """The names that *function* takes from where it was made, with their values."""
    return inspect.getclosurevars(function).nonlocals


def apply_of(node, *gradients):
    """The function that nodes of this class run, and the one that calls their formulas."""
    node.apply(*gradients)  # made when first needed
    function = type(node).apply
    return function, getattr(function, "formulas", function)


def plans_of(node):
    """The plans of the class of *node* that are none: formulas are called instead."""
    made = cells(type(node).apply.quick)
    plans = list(made["plans"].values())
    called = [p for p in plans if getattr(p, "__name__", "") == "called"]
    return [p for p in plans if getattr(p, "__name__", "") == "plan"], called


def facts(gradients):
    """Everything that can be seen of the gradients."""
    several = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
    mindtorch.npu.synchronize()
    return [
        None
        if g is None
        else (g.shape, g.dtype, g.stride(), g.is_leaf, g._is_view(), g._sig_, g._a_.tobytes())
        for g in several
    ]


def has_kernels(t):
    """Whether the layout is one that kernels of the device know: sparse tensors' are the host's."""
    return t.device.type == "cpu" or t.layout is mindtorch.strided


def results_of(row, dtype, device):
    """What the row makes of its samples: those of the results that have a gradient.

    Nothing where it is made of other ops, which have the nodes.
    """
    if device == "cpu" and row.kinds.get(FUNCTIONAL) == FUSED:
        return
    for sample in samples(row, dtype, grad=True, most=FEW):
        try:
            call = sample.ours if device == "cpu" else moved(sample.ours, device)
            result = forms(row)[0].ours(*call.args, **call.kwargs)
        except (RuntimeError, NotImplementedError, TypeError, IndexError, ValueError):
            continue  # what a sample is refused for is compared elsewhere
        several = result if isinstance(result, (tuple, list)) else (result,)
        if all(isinstance(r, mindtorch.Tensor) and has_kernels(r) for r in several):
            found = [r for r in several if r.grad_fn is not None]
            if found:
                yield several, found[0].grad_fn


def compare_plan(node, gradients):
    """The plan of a layout, which comes the third time, and the formulas."""
    with mindtorch.no_grad():
        try:
            function, formulas = apply_of(node, *gradients)
            expected = facts(formulas(node, *gradients))
        except (RuntimeError, NotImplementedError):
            return  # torch has no gradient there
        if function is not formulas:
            for _ in range(3):
                assert facts(function(node, *gradients)) == expected


@pytest.mark.parametrize(
    "device, dtype",
    [("cpu", "float32"), ("cpu", "complex64"), ("cpu", "bfloat16"), ("npu", "float32")],
)
@every("name", FORMULAS)
def test_plans_give_what_the_formulas_give(name, device, dtype):
    """To the bit and the stride, for dense gradients and for expanded ones."""
    for results, node in results_of(ROWS[name], dtype, device):
        dense = [cotangent(r.detach(), i) for i, r in enumerate(results)]
        wanted = [g if r.grad_fn is not None else None for g, r in zip(dense, results)]
        compare_plan(node, wanted)
        expanded = [
            None if g is None or not g.numel() else g.flatten()[0].expand(g.shape) for g in wanted
        ]
        if None not in expanded:
            compare_plan(node, expanded)
        if len(wanted) > 1:
            compare_plan(node, [wanted[0], *[None] * (len(wanted) - 1)])


def test_plain_training_calls_array_functions():
    """Backward of a chain asks no op's table: a view among the gradients must not stop that."""
    called, written_out = set(), set()

    def watch(frame, event, argument):
        called.add(frame.f_code.co_filename.rpartition("/")[2])
        if frame.f_globals.get("__name__", "").startswith("mindtorch.call.code"):
            written_out.add(frame.f_code.co_name)

    w, x = mindtorch.ones(8, requires_grad=True), mindtorch.ones(8)
    for _ in range(4):  # the first times make the plans
        w.grad = None
        loss = (w * x + x).relu().sum()
        called.clear()
        sys.setprofile(watch)
        try:
            loss.backward()
        finally:
            sys.setprofile(None)
    assert {"quick", "plan"} <= written_out
    general = {"fastpath.py", "fast_strided.py", "cpu.py", "saving.py", "specialize.py"}
    assert not called & general


def plan_after(make, gradient=None):
    """The node of ``make()``, whose backward ran often enough for a plan."""
    for _ in range(3):
        result = make()
        node = result.grad_fn
        result.backward(mindtorch.ones_like(result) if gradient is None else gradient)
    return node


def test_formulas_of_every_kind_have_plans():
    """Whether they only pass saved values to ops, ask shapes, branch, or have several results."""
    x = mindtorch.tensor([[1.0, 2.0]], requires_grad=True)
    y = mindtorch.tensor([[3.0, 4.0]], requires_grad=True)
    w = mindtorch.ones(3, 2, requires_grad=True)
    for make in (
        lambda: x * y,
        lambda: x.exp(),
        lambda: x.sum(),
        lambda: x.mean(1),
        lambda: x.view(2),
        lambda: x.expand(3, 2),
        lambda: x @ w.t(),
        lambda: mindtorch.cat([x, y]),
        lambda: mindtorch.where(x > 1, x, y),
        lambda: mindtorch.nn.functional.linear(x, w),
        lambda: mindtorch.nn.functional.layer_norm(x, (2,)),
        lambda: x.index_select(1, mindtorch.tensor([0])),
    ):
        node = plan_after(make)
        plans, called = plans_of(node)
        assert plans and not called, node.name()


def test_formulas_that_look_at_numbers_have_none():
    """What they do for these numbers says nothing of others."""
    x = mindtorch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for numbers, expected in (
        ([1.0, 2.0, 3.0], [6.0, 3.0, 2.0]),
        ([0.0, 2.0, 3.0], [6.0, 0.0, 0.0]),
        ([0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
    ):
        x.data = mindtorch.tensor(numbers)
        for _ in range(4):
            x.grad = None
            x.prod().backward()
            assert x.grad.tolist() == expected
    plans, called = plans_of(x.prod().grad_fn)
    assert called and not plans


def test_one_tensor_in_two_places_is_two():
    """A plan that was made of ``x * x`` serves ``x * y``."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    y = mindtorch.tensor([3.0, 4.0], requires_grad=True)
    plan_after(lambda: x * x)
    x.grad = None
    (x * y).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]
    assert y.grad.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "values", [(1, 3), (True, 1, 1.0, 0.5), (0.0, -0.0), (2, 2.0), (float("nan"), 1.0)]
)
def test_other_values_have_other_plans(values):
    """Numbers that are equal but not the same are told apart."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(4):
        for value in values:
            x.grad = None
            mindtorch.mul(x, value).backward(mindtorch.ones(2))
            assert x.grad._a_.tobytes() == np.full(2, value, np.float32).tobytes()


def test_gradients_that_are_not_wanted_are_not_computed():
    """Which edges lead somewhere is in the key."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    y = mindtorch.tensor([3.0, 4.0], requires_grad=True)
    for _ in range(3):
        for a, b in ((x, y), (x.detach(), y), (x, y.detach())):
            x.grad = y.grad = None
            (a * b).sum().backward()
            assert (x.grad is None) is not a.requires_grad
            assert (y.grad is None) is not b.requires_grad


def test_a_changed_value_is_still_an_error():
    """Versions of arguments and of results are checked where they are read."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    for op in (lambda a: a * a, lambda a: a.relu(), lambda a: a.exp()):
        for _ in range(3):
            op(x * 1).sum().backward()  # makes the plan
        before = x * 1
        after = op(before)
        total = after.sum()
        with mindtorch.no_grad():
            (before if after.grad_fn.name() == "MulBackward0" else after).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            total.backward()


def test_errors_have_no_context_of_ours():
    """A formula's error is not said to come during another."""
    x = mindtorch.ones(2, requires_grad=True)
    y = mindtorch.linalg.vector_norm(x, 3)
    y.backward()
    with pytest.raises(RuntimeError, match="a second time") as caught:
        y.backward()
    assert caught.value.__context__ is None


def test_a_kernel_of_the_users_is_heeded():
    """A registration made after a plan changes what its ops do, also those made up of others."""
    x = mindtorch.tensor([1.0, -2.0], requires_grad=True)
    plan_after(lambda: x.relu())
    library = mindtorch.library.Library("aten", "IMPL")
    try:
        library.impl("threshold_backward", lambda g, x, threshold: g * 10, "CPU")
        for _ in range(3):
            x.grad = None
            x.relu().sum().backward()
            assert x.grad.tolist() == [10.0, 10.0]
    finally:
        library._destroy()
    x.grad = None
    x.relu().sum().backward()
    assert x.grad.tolist() == [1.0, 0.0]


def test_the_default_dtype_is_heeded():
    """What was worked out with another default is forgotten."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    plan_after(lambda: x.mean())
    before = generation.generation()
    mindtorch.set_default_dtype(mindtorch.float64)
    try:
        assert generation.generation() > before
        x.grad = None
        x.mean().backward()
        assert x.grad.dtype is mindtorch.float32
    finally:
        mindtorch.set_default_dtype(mindtorch.float32)


def test_constants_are_not_handed_out():
    """A gradient of zeros that was worked out once is new memory each time."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    y = mindtorch.tensor([3.0, 4.0], requires_grad=True)
    chosen = mindtorch.tensor([True, False])
    for _ in range(5):
        x.grad = y.grad = None
        mindtorch.where(chosen, x, y).sum().backward()
        assert x.grad.tolist() == [1.0, 0.0]
        assert y.grad.tolist() == [0.0, 1.0]
        x.grad.fill_(7.0)
        y.grad.fill_(7.0)


def test_plans_are_bounded():
    """A program with ever new layouts keeps few of them."""
    x = mindtorch.ones(2, requires_grad=True)
    for i in range(backward_plans._LAYOUTS + 20):
        result = mindtorch.mul(x, i + 0.5)
        result.sum().backward()
    assert len(cells(type(result.grad_fn).apply.quick)["plans"]) <= backward_plans._LAYOUTS


def test_what_is_recorded_has_a_history():
    """With create_graph the formulas run, whose results can be differentiated again."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    plan_after(lambda: x**3)
    for _ in range(3):
        (g,) = mindtorch.autograd.grad((x**3).sum(), x, create_graph=True)
        (h,) = mindtorch.autograd.grad(g.sum(), x)
        assert h.tolist() == [6.0, 12.0]


@every(
    "name",
    ["exp", "tanh", "sigmoid", "sqrt", "reciprocal", "rsqrt", "log_softmax", "softmax", "cumprod"],
)
def test_a_plan_is_not_for_results_that_have_tangents(name):
    """Forward over reverse, where backward without tangents is known already."""
    found = []
    for t in (mindtorch, torch):
        fw = importlib.import_module(f"{t.__name__}.autograd.forward_ad")
        args = (1,) if name in ("log_softmax", "softmax", "cumprod") else ()
        seed, tangent = t.full((2, 3), 0.5).double(), t.full((2, 3), 2.0).double()
        tangents = []
        for dual in (False, False, False, True, True):
            x = t.linspace(1, 2, 6, dtype=t.float64).view(2, 3).clone().requires_grad_()
            with fw.dual_level():
                y = getattr(t, name)(fw.make_dual(x, tangent) if dual else x, *args)
                (g,) = t.autograd.grad([y], [x], [seed])
                made = fw.unpack_dual(g).tangent
                tangents.append(None if made is None else made.tolist())
        found.append(tangents)
    assert_close(*found)


def assert_close(ours, theirs):
    """The same tangents, up to rounding, or none."""
    for a, b in zip(ours, theirs, strict=True):
        assert (a is None) is (b is None)
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
