# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import linear as linear
from mindtorch.ao.nn.qat.dynamic.modules.linear import Linear as Linear

