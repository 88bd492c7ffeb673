# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import fused as fused
from mindtorch.ao.nn.intrinsic.modules.fused import BNReLU2d as BNReLU2d
from mindtorch.ao.nn.intrinsic.modules.fused import BNReLU3d as BNReLU3d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvBn1d as ConvBn1d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvBn2d as ConvBn2d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvBn3d as ConvBn3d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvBnReLU1d as ConvBnReLU1d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvBnReLU2d as ConvBnReLU2d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvBnReLU3d as ConvBnReLU3d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvReLU1d as ConvReLU1d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvReLU2d as ConvReLU2d
from mindtorch.ao.nn.intrinsic.modules.fused import ConvReLU3d as ConvReLU3d
from mindtorch.ao.nn.intrinsic.modules.fused import LinearBn1d as LinearBn1d
from mindtorch.ao.nn.intrinsic.modules.fused import LinearReLU as LinearReLU

