"""The Autograd key: one kernel for all ops, which reads the gradient formulas of the row.

For a signature that needs gradients, :func:`build_autograd` generates a forward function around
the one built for the keys below (see ``forward``): it makes the node, its edges and its tuple of
saved values. Nothing in it is particular to an op; it follows from schema and formulas.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad_mode

from ..call.dispatch_entry import Call
from ..call.forms import NoFormula, gradient_name, out_has_no_formula
from ..call.overload import IMPLICIT, INPLACE, OUT, Overload
from ..call.specialize import BUILDERS, boxed, build
from ..core import functionality_keys
from ..core import signature as S
from ..core.errors import out_needs_no_grad
from ..tensor import Tensor
from .forward import forward
from .not_implemented import recording_refusal
from .recorder import Recorder


def build_autograd(overload: Overload, sig: int, mask: int) -> Call:
    """Record a node for the gradient, then go on below autograd."""
    below = mask & functionality_keys.BELOW_AUTOGRAD
    row = overload.row
    if overload.kind == INPLACE and row.name == "detach":
        return _cut
    wanted = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED
    if not wanted:
        return build(overload, sig, below)
    inner = build(overload, sig, below)
    if _has_no_formula(overload, sig):
        return recording_refusal(overload, sig, inner)
    if overload.kind == OUT:
        return _no_out(overload, inner) if _differentiable(overload) else inner
    if overload.composed_on(sig) in IMPLICIT or (
        overload.kind == INPLACE and not row.inplace_form.recorded
    ):
        return inner
    if overload.kind != INPLACE and not any(overload.grad.values()):
        return inner
    return forward(Recorder(overload, sig), inner)


def _cut(self: Tensor) -> Tensor:
    """``detach_`` as a function: the tensor itself loses its history."""
    detached: Tensor = self.detach_()
    return detached


def _has_no_formula(overload: Overload, sig: int) -> bool:
    row = overload.row
    if overload.composed_on(sig) in IMPLICIT:
        return False
    if overload.kind == OUT:
        return out_has_no_formula(row)
    changed = overload.kind == INPLACE and row.inplace_grad is not None
    return isinstance(row.inplace_grad if changed else row.grad, NoFormula)


def _differentiable(overload: Overload) -> bool:
    """Whether torch has a kernel for the op at Autograd that asks who requires grad.

    Ops whose results are never differentiable have none, so that ``out=`` takes any inputs.
    """
    return bool(overload.composed) or any(overload.grad.values())


def _no_out(overload: Overload, inner: Call) -> Call:
    row = overload.row
    name, outs = gradient_name(row), overload.out_positions
    inputs_only = row.out_form.gradient == "inputs"

    def call(*args: Any) -> Any:
        if inputs_only and not any(
            isinstance(a, Tensor) and a._sig_ & S.REQUIRES_GRAD
            for i, a in enumerate(args)
            if i not in outs
        ):
            return inner(*args)
        raise out_needs_no_grad(name)

    return call


autograd = boxed(build_autograd)
assert autograd in BUILDERS
