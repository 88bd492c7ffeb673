"""The Autograd key: one kernel for all ops, which reads the gradient formulas of the row.

For a signature that needs gradients, :func:`build_autograd` generates a forward function around
the one built for the keys below (see ``forward``): it makes the node, its edges and its tuple of
saved values. Nothing in it is particular to an op; it follows from schema and formulas.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad_mode

from .. import signature as S
from ..calls import BUILDERS, Call, boxed, build
from ..errors import out_needs_no_grad
from ..ops.out_dtypes import GRADIENT_NAMES
from ..ops.overload import INPLACE, OUT, Overload
from . import keys
from .forward import forward
from .recorder import Recorder


def build_autograd(overload: Overload, sig: int, mask: int) -> Call:
    """Record a node for the gradient, then go on below autograd."""
    below = mask & keys.BELOW_AUTOGRAD
    row = overload.row
    wanted = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED
    if not wanted:
        return build(overload, sig, below)
    inner = build(overload, sig, below)
    if overload.kind == OUT:
        return _no_out(overload)
    if row.composite is not None:
        return inner
    if overload.kind != INPLACE and not any((row.grad or {}).values()):
        return inner
    return forward(Recorder(overload, sig), inner)


def _no_out(overload: Overload) -> Call:
    name = GRADIENT_NAMES.get(overload.base, overload.base)

    def call(*args: Any) -> Any:
        raise out_needs_no_grad(name)

    return call


autograd = boxed(build_autograd)
assert autograd in BUILDERS
