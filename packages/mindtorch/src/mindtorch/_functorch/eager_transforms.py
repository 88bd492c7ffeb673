"""``torch._functorch.eager_transforms``: what torch.func offers."""

from __future__ import annotations

from ..func import functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from ..func.checks import slice_argnums as _slice_argnums  # noqa: F401 (theirs)

__all__ = [
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "functionalize",
]
