# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import graph_drawer as graph_drawer
from . import graph_manipulation as graph_manipulation
from . import infra as infra
from . import net_min_base as net_min_base
from . import operator_support as operator_support
from . import param_fetch as param_fetch
from . import regional_inductor as regional_inductor
from . import reinplace as reinplace
from . import runtime_assert as runtime_assert
from . import shape_prop as shape_prop
from . import split_module as split_module
from . import split_utils as split_utils
from . import splitter_base as splitter_base
from . import tools_common as tools_common
from . import utils as utils
from mindtorch.core.submodules import reached as __reached_

_reached = __reached_
