# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import conv_fused as conv_fused
from . import linear_fused as linear_fused
from . import linear_relu as linear_relu
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvBn1d as ConvBn1d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvBn2d as ConvBn2d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvBn3d as ConvBn3d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvBnReLU1d as ConvBnReLU1d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvBnReLU2d as ConvBnReLU2d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvBnReLU3d as ConvBnReLU3d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvReLU1d as ConvReLU1d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvReLU2d as ConvReLU2d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import ConvReLU3d as ConvReLU3d
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import freeze_bn_stats as freeze_bn_stats
from mindtorch.ao.nn.intrinsic.qat.modules.conv_fused import update_bn_stats as update_bn_stats
from mindtorch.ao.nn.intrinsic.qat.modules.linear_fused import LinearBn1d as LinearBn1d
from mindtorch.ao.nn.intrinsic.qat.modules.linear_relu import LinearReLU as LinearReLU

