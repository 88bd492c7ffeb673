# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import bn_relu as bn_relu
from . import conv_relu as conv_relu
from . import linear_relu as linear_relu
from mindtorch.ao.nn.intrinsic.quantized.modules.bn_relu import BNReLU2d as BNReLU2d
from mindtorch.ao.nn.intrinsic.quantized.modules.bn_relu import BNReLU3d as BNReLU3d
from mindtorch.ao.nn.intrinsic.quantized.modules.conv_relu import ConvReLU1d as ConvReLU1d
from mindtorch.ao.nn.intrinsic.quantized.modules.conv_relu import ConvReLU2d as ConvReLU2d
from mindtorch.ao.nn.intrinsic.quantized.modules.conv_relu import ConvReLU3d as ConvReLU3d
from mindtorch.ao.nn.intrinsic.quantized.modules.linear_relu import LinearReLU as LinearReLU

