"""Gradients through real ops: history, memory, what a formula keeps."""

from __future__ import annotations

import gc
import sys
import weakref

import mindtorch as torch
import pytest


def test_a_graph_is_freed_without_the_garbage_collector():
    """No reference cycle runs through leaf, node or result."""
    gc.collect()
    gc.disable()
    try:
        w = torch.ones(3, requires_grad=True)
        y = (w.exp() * w).tanh()
        node = weakref.ref(y.grad_fn)
        leaf = weakref.ref(w)
        y.sum().backward()
        del y
        assert node() is None
        del w
        assert leaf() is None
    finally:
        gc.enable()


def test_a_formula_that_asks_only_a_shape_keeps_no_tensor():
    """``sum`` saves the shape of its argument, so changing the argument is no error."""
    x = torch.ones(3, requires_grad=True) * 2
    total = x.sum()
    x.add_(1)
    total.backward()


def test_a_changed_argument_that_is_needed_is_an_error():
    """Version counters are checked when a saved tensor is used."""
    x = torch.ones(3, requires_grad=True) * 2
    y = (x * x).sum()
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_two_leaves_never_share_their_gradient():
    """The gradient of ``a + b`` is one tensor; each leaf gets memory of its own."""
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    (a + b).sum().backward()
    a.grad.mul_(5)
    assert b.grad.tolist() == [1.0, 1.0]


def test_a_gradient_given_by_the_user_is_not_taken_over():
    """``backward(g)`` leaves *g* alone."""
    a = torch.ones(2, requires_grad=True)
    g = torch.ones(2)
    (a + 0).backward(g)
    a.grad.mul_(5)
    assert g.tolist() == [1.0, 1.0]


def test_changing_a_view_in_place_rebases_its_base():
    """The base gets the history of what was done to its part."""
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    y[:2].mul_(3)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0, 1.0, 1.0]


def test_a_view_made_before_its_base_changed_knows_the_new_history():
    """The edge of a view is rebuilt when its base was changed in place."""
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    view = y[:2]
    y.mul_(3)
    view.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0, 0.0, 0.0]


def test_a_long_chain_runs_without_recursion():
    """Twenty thousand nodes, forward, backward and freed."""
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(20_000):
        y = y + 1
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_gradients_that_meet_are_summed_without_touching_those_that_came():
    """Sums grow in place from the second on; what a user holds stays as it was."""
    x = torch.ones(2, requires_grad=True)
    seen = []
    ys = [x * k for k in range(1, 5)]
    for y in ys:
        y.register_hook(seen.append)
    start = torch.tensor([1.0, 2.0])
    (ys[0] + ys[1] + ys[2] + ys[3] + x + x).backward(start)
    assert x.grad.tolist() == [12.0, 24.0]
    assert start.tolist() == [1.0, 2.0]
    assert [g.tolist() for g in seen] == [[1.0, 2.0]] * 4


def test_an_expanded_gradient_is_added_to_what_is_there():
    """The gradient of a full sum has strides of 0; ``.grad`` keeps its own memory."""
    w = torch.ones(3, requires_grad=True)
    w.sum().backward()
    before = w.grad
    w.sum().backward()
    assert w.grad is before
    assert (w.grad.tolist(), w.grad.stride(), before._version) == ([2.0] * 3, (1,), 2)


def test_a_recorded_product_is_one_frame_below_the_operator():
    """The recording function calls numpy itself."""
    w, x = torch.ones(3, requires_grad=True), torch.ones(3)
    for _ in range(6):
        kept = w * x  # everything is built then
    frames = []
    sys.setprofile(lambda f, event, _: event == "call" and frames.append(f.f_code.co_name))
    try:
        again = w * x
    finally:
        sys.setprofile(None)
    assert frames == ["__mul__", "call"]
    assert type(kept.grad_fn) is type(again.grad_fn)
