"""``torch.func``: functions of functions."""

from .._pickling import living_in
from .derivatives import grad, grad_and_value, jvp, vjp
from .functionalize import functionalize
from .jacobians import hessian, jacfwd, jacrev, linearize
from .modules import functional_call, stack_module_state
from .vmap import vmap

__all__ = [
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]

living_in(__name__, *[globals()[name] for name in __all__])


def __dir__() -> list[str]:
    return sorted(__all__)
