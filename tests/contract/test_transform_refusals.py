"""What prepares or runs a ``backward`` is refused inside of transforms, in torch's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .helpers import assert_same_value, both

Function = Callable[[Any], Any]

TRANSFORMS: dict[str, Callable[[Any, Function, Any], Any]] = {
    "grad": lambda t, f, x: t.func.grad(f)(x),
    "vjp": lambda t, f, x: t.func.vjp(f, x)[0],
    "jvp": lambda t, f, x: t.func.jvp(f, (x,), (x,)),
    "vmap": lambda t, f, x: t.vmap(f)(x.expand(2, 3)),
    "jacrev": lambda t, f, x: t.func.jacrev(f)(x),
    "jacfwd": lambda t, f, x: t.func.jacfwd(f)(x),
    "functionalize": lambda t, f, x: t.func.functionalize(f)(x),
}
#: What the function does besides, to its argument and to a leaf from outside.
ACTIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "requires_grad_": lambda t, x, leaf: x.requires_grad_(),
    "requires_grad_ off": lambda t, x, leaf: x.requires_grad_(False),
    "of a fresh tensor": lambda t, x, leaf: t.ones(2).requires_grad_(),
    "of a detached one": lambda t, x, leaf: x.detach().requires_grad_(),
    "of the captured one": lambda t, x, leaf: leaf.requires_grad_(),
    "retain_grad": lambda t, x, leaf: x.retain_grad(),
    "retain_grad of a result": lambda t, x, leaf: x.sin().retain_grad(),
    "retain_grad of the captured one": lambda t, x, leaf: leaf.retain_grad(),
    "backward": lambda t, x, leaf: x.sum().backward(),
    "backward of the captured one": lambda t, x, leaf: leaf.sum().backward(),
    "autograd.backward": lambda t, x, leaf: t.autograd.backward(x.sum()),
    "autograd.backward of the captured one": lambda t, x, leaf: t.autograd.backward(leaf.sum()),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transforms_refuse(transform: str, action: str) -> None:
    """The error, or the result; the leaf has no gradient afterwards."""

    def work(t: Any) -> Any:
        leaf = t.ones(3, requires_grad=True)

        def function(x: Any) -> Any:
            ACTIONS[action](t, x, leaf)
            return (x * x).sum()

        try:
            found = TRANSFORMS[transform](t, function, t.ones(3))
        except RuntimeError as error:
            found = str(error)
        return found, leaf.requires_grad, leaf.grad

    assert_same_value(*both(work))


def test_a_backward_inside_a_batch_of_gradients_is_refused() -> None:
    """There the batch is autograd's own, and the text another."""

    def work(t: Any) -> Any:
        class Inner(t.autograd.Function):  # type: ignore[misc, name-defined]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                with t.enable_grad():
                    y = t.ones(2, requires_grad=True)
                    (y * 3).sum().backward()
                return g * y.grad

        x = t.ones(2, requires_grad=True)
        try:
            return t.autograd.grad(Inner.apply(x), x, t.eye(2), is_grads_batched=True)
        except RuntimeError as error:
            return str(error)

    assert_same_value(*both(work))
