# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import checks as checks
from . import derivatives as derivatives
from . import jacobians as jacobians
from . import modules as modules
from . import reverse as reverse
from . import whole as whole
from mindtorch._functorch.batch_norm_replacement import replace_all_batch_norm_modules_ as replace_all_batch_norm_modules_
from mindtorch.func.debugging import debug_unwrap as debug_unwrap
from mindtorch.func.derivatives import grad as grad
from mindtorch.func.derivatives import grad_and_value as grad_and_value
from mindtorch.func.derivatives import jvp as jvp
from mindtorch.func.derivatives import vjp as vjp
from mindtorch.func.functionalize import functionalize as functionalize
from mindtorch.func.jacobians import hessian as hessian
from mindtorch.func.jacobians import jacfwd as jacfwd
from mindtorch.func.jacobians import jacrev as jacrev
from mindtorch.func.jacobians import linearize as linearize
from mindtorch.func.modules import functional_call as functional_call
from mindtorch.func.modules import stack_module_state as stack_module_state
from mindtorch.func.rearranging import rearrange as rearrange
from mindtorch.func.vmap import vmap as vmap

