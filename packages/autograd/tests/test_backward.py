"""What ``backward`` and ``grad`` accept, and torch's texts for what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from mindtorch_autograd import backward, get_gradient_edge, grad
from mindtorch_autograd import backward as run
from mindtorch_autograd.testing import Var


def leaf() -> Var:
    return Var(1.0, True)


def used() -> Var:
    return leaf() * 2.0


UNUSED = (
    "The differentiated Tensor at index 1 appears to not have been used in the graph. "
    "Set allow_unused=True if this is the desired behavior."
)
CONSTANT = "element 0 of tensors does not require grad and does not have a grad_fn"
CASES: list[tuple[Any, type[Exception], str]] = [
    (lambda: backward(Var(1.0)), RuntimeError, CONSTANT),
    (lambda: backward([used(), used()], [Var(1.0)]), RuntimeError, "got 2 tensors and 1 gradients"),
    (lambda: backward(3), TypeError, "'int' object is not iterable"),
    (lambda: backward([3]), AssertionError, "Expected output to be a torch.Tensor"),
    (
        lambda: backward(used(), inputs=[]),
        RuntimeError,
        "`inputs` argument to `backward()` cannot be empty.",
    ),
    (
        lambda: backward(used(), inputs=[3]),
        RuntimeError,
        "all inputs have to be Tensors or GradientEdges, but got int",
    ),
    (
        lambda: backward(used(), inputs=[Var(1.0)]),
        RuntimeError,
        "can't retain_grad on Tensor that has requires_grad=False",
    ),
    (lambda: grad(used(), []), RuntimeError, "`inputs` argument to `grad()` cannot be empty."),
    (
        lambda: grad(used(), [Var(1.0)]),
        RuntimeError,
        "One of the differentiated Tensors does not require grad",
    ),
    (lambda: (lambda x: grad(x * x, [x, leaf()]))(leaf()), RuntimeError, UNUSED),
    (
        lambda: grad(used(), leaf(), materialize_grads=True, allow_unused=False),
        ValueError,
        "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
        "allow_unused=False.",
    ),
    (
        lambda: get_gradient_edge(Var(1.0)),
        RuntimeError,
        "It is not possible to get the gradient edge for a Tensor that does not require gradients",
    ),
]


@pytest.mark.parametrize(("call", "error", "text"), CASES)
def test_bad_arguments_have_torchs_text(call: Any, error: type[Exception], text: str) -> None:
    """Type and whole text of the error."""
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == text


def test_unused_input_may_be_none_or_zero() -> None:
    """allow_unused gives None, materialize_grads zeros."""
    x, other = leaf(), leaf()
    y = x * 2.0
    assert grad(y, [other], retain_graph=True, allow_unused=True) == (None,)
    assert grad(y, [other], materialize_grads=True)[0].value == 0.0


def test_several_roots_add_up() -> None:
    """Roots may have gradients of their own and may lie on one path."""
    x = Var(3.0, True)
    y = x * x
    z = y * 2.0
    backward([y, z], [Var(10.0), None])
    assert x.grad.value == 10.0 * 6.0 + 2.0 * 6.0


def test_gradient_edge_stands_for_a_value() -> None:
    """A GradientEdge works as output and as input."""
    x = Var(3.0, True)
    y = x * x
    edge = get_gradient_edge(y)
    assert (edge.node, edge.output_nr) == (y.grad_fn, 0)
    (g,) = grad(y * y, [edge], retain_graph=True)
    assert g.value == 18.0
    (g,) = grad(edge, [x], [Var(1.0)])
    assert g.value == 6.0


def test_leaf_is_its_own_gradient() -> None:
    """backward of a leaf fills its own .grad."""
    x = Var(3.0, True)
    run(x)
    assert x.grad.value == 1.0


def test_batched_gradients_are_left_to_the_space() -> None:
    """Floats have no batches, and their space says so."""
    with pytest.raises(NotImplementedError, match="floats come one by one"):
        grad(used(), leaf(), Var(1.0), is_grads_batched=True)
