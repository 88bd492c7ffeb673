# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _call_stack as _call_stack
from . import _config as _config
from . import _control_flow as _control_flow
from . import _pre_dispatch as _pre_dispatch
from . import _shape_errors as _shape_errors
from . import _symbol_nodes as _symbol_nodes
from . import _symbolic_context as _symbolic_context
from . import _unbacked_bindings as _unbacked_bindings
from . import const_fold as const_fold
from . import proxy_tensor as proxy_tensor
from . import sym_node as sym_node
from . import symbolic_shapes as symbolic_shapes
from . import unification as unification
from mindtorch.core.submodules import reached as __reached_

_reached = __reached_
