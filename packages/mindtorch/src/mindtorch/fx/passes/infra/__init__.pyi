# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import pass_base as pass_base
from . import pass_manager as pass_manager
from mindtorch.core.submodules import reached as __reached_

_reached = __reached_
