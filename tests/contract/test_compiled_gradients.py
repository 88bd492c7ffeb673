"""Compiled gradients: the formulas' own numbers, and which formulas are compiled at all."""

from __future__ import annotations

import inspect
import sys

import mindtorch
import numpy as np
import pytest
from mindtorch.call.row import ROWS

from .rows import cotangent, forms, samples, writes_self

FORMULAS = [
    name
    for name, row in sorted(ROWS.items())
    if row.grad and row.samples and not row.random and not writes_self(row)
]


def cells(function):
    """The names that *function* takes from where it was made, with their values."""
    return inspect.getclosurevars(function).nonlocals


def apply_of(node, gradient):
    """The function that nodes of this class run, and the one that calls their formulas."""
    node.apply(gradient)  # compiled when first needed
    function = type(node).apply
    compiled = hasattr(function, "quick")
    return function, cells(function)["formulas"] if compiled else function


def facts(gradients):
    """Everything that can be seen of the gradients."""
    several = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
    return [
        None
        if g is None
        else (g.shape, g.dtype, g.stride(), g.is_leaf, g._is_view(), np.array(g._a).tobytes())
        for g in several
    ]


def results_of(row, dtype):
    """What the row makes of its samples, where that is one tensor with a history."""
    for sample in samples(row, dtype, grad=True):
        try:
            result = forms(row)[0].ours(*sample.ours.args, **sample.ours.kwargs)
        except (RuntimeError, NotImplementedError, TypeError, IndexError):
            continue  # what a sample is refused for is compared elsewhere
        if isinstance(result, mindtorch.Tensor) and result.grad_fn is not None:
            yield result


def test_plain_training_calls_the_array_functions():
    """Backward of a chain asks no op's table: a view among the gradients must not stop that."""
    called, written_out = set(), set()

    def watch(frame, event, argument):
        called.add(frame.f_code.co_filename.rpartition("/")[2])
        if frame.f_globals.get("__name__", "").startswith("mindtorch.call.code"):
            written_out.add(frame.f_code.co_name)

    w, x = mindtorch.ones(8, requires_grad=True), mindtorch.ones(8)
    for _ in range(3):  # the first times compile
        w.grad = None
        loss = (w * x + x).relu().sum()
        called.clear()
        sys.setprofile(watch)
        try:
            loss.backward()
        finally:
            sys.setprofile(None)
    assert "quick" in written_out
    general = {"fastpath.py", "fast_strided.py", "saving.py", "calls.py", "resolution.py"}
    assert not called & general


@pytest.mark.parametrize("name", FORMULAS)
def test_compiled_gradients_are_those_of_the_formulas(name):
    """To the bit and the stride, for dense gradients and for expanded ones."""
    for result in results_of(ROWS[name], "float32"):
        node, dense = result.grad_fn, cotangent(result.detach(), 0)
        with mindtorch.no_grad():
            for g in (dense, dense.sum().expand(dense.shape)):
                try:
                    function, formulas = apply_of(node, g)
                except (RuntimeError, NotImplementedError):
                    continue  # torch has no gradient there
                if function is not formulas:
                    assert facts(function(node, g)) == facts(formulas(node, g))


def compiles(result):
    with mindtorch.no_grad():
        function, formulas = apply_of(result.grad_fn, mindtorch.ones_like(result))
    return function is not formulas


def test_formulas_of_the_hot_ops_are_compiled():
    """Where a formula only passes saved values to ops, no formula is called."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    y = mindtorch.tensor([3.0, 4.0], requires_grad=True)
    hot = [x * y, x + y, x - y, x / y, x.relu(), x.exp(), x.tanh(), x.sin(), x.sum(), -x]
    assert [r.grad_fn.name() for r in hot if not compiles(r)] == []


def test_products_and_relu_call_array_functions():
    """Neither a table nor a frame stands between the node and numpy."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    y = mindtorch.tensor([3.0, 4.0], requires_grad=True)
    for result in (x * y, x.relu(), -x, x.sin()):
        with mindtorch.no_grad():
            function, _ = apply_of(result.grad_fn, mindtorch.ones_like(result))
        assert any("_run" in name for name in cells(function.quick)), result.grad_fn


def test_a_formula_that_branches_on_what_it_was_given_is_called():
    """Other arguments than the schema's defaults take the formula's own way."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    y = mindtorch.tensor([3.0, 4.0], requires_grad=True)
    for alpha in (1, 3):
        x.grad = y.grad = None
        mindtorch.add(x, y, alpha=alpha).sum().backward()
        assert x.grad.tolist() == [1.0, 1.0]
        assert y.grad.tolist() == [float(alpha)] * 2


def test_a_changed_value_is_still_an_error():
    """Versions of arguments and of results are checked where they are read."""
    x = mindtorch.tensor([1.0, 2.0], requires_grad=True)
    for op in (lambda a: a * a, lambda a: a.relu(), lambda a: a.exp()):
        op(x * 1).sum().backward()  # compiles
        before = x * 1
        after = op(before)
        total = after.sum()
        with mindtorch.no_grad():
            (before if after.grad_fn.name() == "MulBackward0" else after).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            total.backward()


def test_a_kernel_of_the_users_is_heeded():
    """A registration made after a gradient was compiled changes what its ops do."""
    x = mindtorch.tensor([1.0, -2.0], requires_grad=True)
    x.relu().sum().backward()
    library = mindtorch.library.Library("aten", "IMPL")
    try:
        library.impl("threshold_backward", lambda g, x, threshold: g * 10, "CPU")
        x.grad = None
        x.relu().sum().backward()
        assert x.grad.tolist() == [10.0, 10.0]
    finally:
        library._destroy()
    x.grad = None
    x.relu().sum().backward()
    assert x.grad.tolist() == [1.0, 0.0]
