"""``Function``: user-written ops."""

from __future__ import annotations

from typing import Any

import pytest
from mindtorch_autograd import Function, grad, no_grad, once_differentiable
from mindtorch_autograd.testing import Var


class Square(Function):
    @staticmethod
    def forward(ctx: Any, x: Var) -> Var:
        ctx.save_for_backward(x)
        return Var(x.value**2)

    @staticmethod
    def backward(ctx: Any, g: Var) -> Var:
        (x,) = ctx.saved_tensors
        return g * x * 2.0


def test_forward_and_backward() -> None:
    """The node is named after the Function, is the ctx, and can be differentiated twice."""
    x = Var(3.0, True)
    y = Square.apply(x)
    assert type(y.grad_fn).__name__ == y.grad_fn.name() == "SquareBackward"
    assert repr(y.grad_fn).startswith("<torch.autograd.function.SquareBackward object at 0x")
    (first,) = grad(y, x, create_graph=True)
    (second,) = grad(first, x)
    assert (first.value, second.value) == (6.0, 2.0)


def test_saved_values_are_freed() -> None:
    """saved_tensors raises after a backward that did not retain the graph."""
    x = Var(3.0, True)
    y = Square.apply(x)
    assert y.grad_fn.saved_tensors[0] is x
    y.backward()
    for again in (lambda: y.grad_fn.saved_tensors, y.backward):
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            again()


def test_saved_result_closes_no_cycle_and_has_history() -> None:
    """A result that forward saved comes back as a result of the same node."""

    class Double(Function):
        @staticmethod
        def forward(ctx: Any, x: Var) -> Var:
            y = Var(x.value * 2)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Var) -> Var:
            seen.append(ctx.saved_tensors[0])
            return g * 2.0

    seen: list[Any] = []
    x = Var(3.0, True)
    y = Double.apply(x)
    assert y.grad_fn._saved_[0].data is not y
    y.backward(retain_graph=True)
    assert seen[0].value == 6.0
    assert seen[0].grad_fn is y.grad_fn


def test_change_of_a_saved_value_is_noticed() -> None:
    """torch's text, with the name of the op that made the value."""
    x = Var(3.0, True)
    a = x * 1.0
    y = Square.apply(a)
    a.add_(1.0)
    with pytest.raises(RuntimeError) as caught:
        y.backward()
    assert str(caught.value) == (
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [float], which is output 0 of Mul, is at version 1; expected version 0 "
        "instead. Hint: enable anomaly detection to find the operation that failed to compute its "
        "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )


def test_nothing_is_recorded_without_need() -> None:
    """Under no_grad, or for constants, the result is a constant."""
    with no_grad():
        assert not Square.apply(Var(1.0, True)).requires_grad
    assert not Square.apply(Var(1.0)).requires_grad


def test_plain_arguments_and_needs_input_grad() -> None:
    """Arguments that are no values get None; ctx takes any attribute."""

    class Scale(Function):
        @staticmethod
        def forward(ctx: Any, x: Var, factor: float, y: Var) -> Var:
            ctx.factor = factor
            return Var(x.value * factor + y.value)

        @staticmethod
        def backward(ctx: Any, g: Var) -> Any:
            needs.append(ctx.needs_input_grad)
            return g * ctx.factor, None, None

    needs: list[Any] = []
    x = Var(2.0, True)
    out = Scale.apply(x, 5.0, Var(1.0))
    assert len(out.grad_fn.next_functions) == 2
    out.backward()
    assert x.grad.value == 5.0
    assert needs == [(True, False, False)]


class Pair(Function):
    materialize = True
    seen: Any = None

    @staticmethod
    def forward(ctx: Any, x: Var) -> Any:
        ctx.set_materialize_grads(Pair.materialize)
        return Var(x.value), Var(x.value * 2)

    @staticmethod
    def backward(ctx: Any, a: Any, b: Any) -> Any:
        Pair.seen = (a and a.value, b and b.value)
        return b * 2.0


@pytest.mark.parametrize("materialize", [True, False])
def test_gradient_nobody_gave_is_zero_or_none(materialize: bool) -> None:
    """set_materialize_grads chooses."""
    Pair.materialize = materialize
    x = Var(3.0, True)
    first, second = Pair.apply(x)
    assert first.grad_fn is second.grad_fn
    second.backward()
    assert Pair.seen == (0.0 if materialize else None, 1.0)
    assert x.grad.value == 2.0


def test_returned_input_becomes_an_alias_with_history() -> None:
    """An input handed through is not the same object."""

    class Same(Function):
        @staticmethod
        def forward(ctx: Any, x: Var) -> Var:
            return x

        @staticmethod
        def backward(ctx: Any, g: Var) -> Var:
            return g * 7.0

    x = Var(3.0, True)
    y = Same.apply(x)
    assert y is not x
    y.backward()
    assert x.grad.value == 7.0


def test_dirty_input_is_returned_itself() -> None:
    """mark_dirty: the changed input becomes the result; a leaf must not be changed."""

    class Bump(Function):
        @staticmethod
        def forward(ctx: Any, x: Var) -> Var:
            ctx.mark_dirty(x)
            return x.add_(1.0)

        @staticmethod
        def backward(ctx: Any, g: Var) -> Var:
            return g * 5.0

    x = Var(3.0, True)
    a = x * 1.0
    b = Bump.apply(a)
    assert b is a
    b.backward()
    assert x.grad.value == 5.0
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in"):
        Bump.apply(Var(1.0, True))


def test_dirty_input_must_be_returned() -> None:
    """torch's text."""

    class Lost(Function):
        @staticmethod
        def forward(ctx: Any, x: Var) -> Var:
            ctx.mark_dirty(x)
            return Var(1.0)

    with pytest.raises(RuntimeError, match="Some elements marked as dirty during the forward"):
        Lost.apply(Var(1.0, True))


def test_non_differentiable_result() -> None:
    """Such a result requires no gradient, its sibling does."""

    class Half(Function):
        @staticmethod
        def forward(ctx: Any, x: Var) -> Any:
            mark = Var(1.0)
            ctx.mark_non_differentiable(mark)
            return mark, Var(x.value)

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            return b

    mark, rest = Half.apply(Var(1.0, True))
    assert (mark.requires_grad, rest.requires_grad) == (False, True)


def test_setup_context_style() -> None:
    """forward without ctx; defaults are bound."""

    class Times(Function):
        @staticmethod
        def forward(x: Var, factor: float = 4.0) -> Var:
            return Var(x.value * factor)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx: Any, g: Var) -> Any:
            return g * ctx.factor, None

    x = Var(3.0, True)
    Times.apply(x).backward()
    assert x.grad.value == 4.0


def returning(result: Any) -> type[Function]:
    class Fn(Function):
        @staticmethod
        def forward(ctx: Any, x: Var, k: Any) -> Var:
            return Var(1.0)

        @staticmethod
        def backward(ctx: Any, g: Var) -> Any:
            return result

    return Fn


G = Var(1.0)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (G, "function FnBackward returned an incorrect number of gradients (expected 2, got 1)"),
        (
            (G, None, G),
            "function FnBackward returned an incorrect number of gradients (expected 2, got 3)",
        ),
        (
            (G, G),
            "function FnBackward returned a gradient different than None at position 2, but the "
            "corresponding forward input was not a Variable",
        ),
        ((3, None), "expected Variable or None (got int)"),
    ],
)
def test_bad_gradients_have_torchs_text(result: Any, text: str) -> None:
    """What backward must not return."""
    with pytest.raises(RuntimeError) as caught:
        returning(result).apply(Var(1.0, True), 2).backward()
    assert str(caught.value) == text


def test_trailing_nones_are_ignored() -> None:
    """More gradients than arguments are fine if they are None."""
    x = Var(1.0, True)
    returning((G, None, None)).apply(x, 2).backward()
    assert x.grad.value == 1.0


def test_once_differentiable_refuses_the_second_time() -> None:
    """The gradient looks differentiable and raises when it is differentiated."""

    class Once(Square):
        @staticmethod
        @once_differentiable
        def backward(ctx: Any, g: Var) -> Var:
            return g * 2.0

    x, seed = Var(3.0, True), Var(1.0, True)
    (first,) = grad(Once.apply(x), x, seed, create_graph=True)
    assert first.grad_fn.name() == "torch::autograd::Error"
    with pytest.raises(RuntimeError) as caught:
        first.backward()
    assert str(caught.value) == (
        "trying to differentiate twice a function that was marked with @once_differentiable"
    )


def test_missing_parts_and_legacy_style() -> None:
    """torch's texts for a Function without forward or backward, or with both names of it."""

    class Empty(Function):
        pass

    class NoBackward(Function):
        @staticmethod
        def forward(ctx: Any, x: Var) -> Var:
            return Var(1.0)

    class Both(Square):
        vjp = Square.backward

    x = Var(1.0, True)
    with pytest.raises(NotImplementedError, match="You must implement the forward function"):
        Empty.apply(x)
    with pytest.raises(NotImplementedError, match="either the backward or vjp method"):
        NoBackward.apply(x).backward()
    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp'"):
        Both.apply(x).backward()
    with (
        pytest.warns(DeprecationWarning, match="should not be instantiated"),
        pytest.raises(RuntimeError, match="Legacy autograd function with non-static forward"),
    ):
        Square()(x)
    with pytest.raises(TypeError, match="save_for_backward can only save variables, but argument"):

        class Saves(Function):
            @staticmethod
            def forward(ctx: Any, x: Var) -> Var:
                ctx.save_for_backward(3)
                return Var(1.0)

        Saves.apply(x)
