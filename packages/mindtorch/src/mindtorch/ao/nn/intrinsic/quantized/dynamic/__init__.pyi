# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import modules as modules
from mindtorch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu import LinearReLU as LinearReLU

