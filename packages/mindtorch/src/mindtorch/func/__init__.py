"""``torch.func``: functions of functions."""

from ..core.module_names import living_in
from ..core.submodules import reached as _reached
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

#: What stands on the modules of nn, which importing this does not import.
_LAZY = {
    "replace_all_batch_norm_modules_": ".._functorch.batch_norm_replacement",
    "debug_unwrap": ".debugging",
    "rearrange": ".rearranging",
}

living_in(__name__, *[globals()[name] for name in __all__])
__all__ += ["debug_unwrap", "rearrange", "replace_all_batch_norm_modules_"]


__getattr__ = _reached(__name__, homes=_LAZY)


def __dir__() -> list[str]:
    return sorted(__all__)
