# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import linear_relu as linear_relu
from mindtorch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu import LinearReLU as LinearReLU

