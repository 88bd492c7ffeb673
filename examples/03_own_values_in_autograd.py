"""The autograd engine over values of one's own: here plain floats, without any tensor.

The engine asks a Space what it must know of values. ``mindtorch_autograd.testing`` has the
smallest complete one, ``FloatSpace`` with its value ``Var``; a Function adds an op to it.
"""

import math

from mindtorch_autograd import Function, grad, no_grad, set_space
from mindtorch_autograd.testing import FloatSpace, Var

set_space(FloatSpace())


class Exp(Function):
    """e to the x; its gradient is its result times the incoming gradient."""

    @staticmethod
    def forward(ctx, x: Var) -> Var:
        result = Var(math.exp(x.value))
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, g: Var) -> Var:
        (result,) = ctx.saved_tensors
        return g * result


x = Var(0.5, requires_grad=True)
y = Exp.apply(x * 2.0) + x * x
y.backward()
want = 2 * math.exp(1.0) + 2 * 0.5
print(f"y = {y.value:.4f}, dy/dx = {x.grad.value:.4f}, by hand {want:.4f}")
assert math.isclose(x.grad.value, want)

# The gradient of the gradient, through the same formulas.
x = Var(0.5, requires_grad=True)
(first,) = grad(Exp.apply(x), x, create_graph=True)
(second,) = grad(first, x)
print(f"second derivative {second.value:.4f}")
assert math.isclose(second.value, math.exp(0.5))

with no_grad():
    assert not Exp.apply(x).requires_grad
print("graph:", y.grad_fn.name(), "<-", [n.name() for n, _ in y.grad_fn.next_functions])
