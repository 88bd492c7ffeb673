# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import graph_manipulation as graph_manipulation
from . import infra as infra
from . import operator_support as operator_support
from . import param_fetch as param_fetch
from . import shape_prop as shape_prop
from . import split_module as split_module
from . import split_utils as split_utils
from . import tools_common as tools_common
from . import utils as utils

def _import_module(name: Any, package: Any = None) -> Any: ...
