# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import modules as modules
from mindtorch.ao.nn.qat.dynamic.modules.linear import Linear as Linear

