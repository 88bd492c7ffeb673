# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _cycles as _cycles
from mindtorch.core.submodules import reached as __reached_

_reached = __reached_
