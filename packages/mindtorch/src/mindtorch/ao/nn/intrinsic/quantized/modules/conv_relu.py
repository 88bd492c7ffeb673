"""``torch.ao.nn.intrinsic.quantized.modules.conv_relu``: quantized convolutions and a ReLU."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ......nn.utils.fusion import fuse_conv_bn_weights
from ....quantized.modules.conv import Conv1d, Conv2d, Conv3d, _ConvNd
from ...modules import fused
from ...qat.modules import conv_fused

__all__ = ["ConvReLU1d", "ConvReLU2d", "ConvReLU3d"]


class _WithReLU(_ConvNd):
    """What they add to a quantized convolution: of outputs the positive are kept."""

    _KIND_ = "_relu"
    #: The module of training that has a batch norm, too.
    _WITH_BN: Any

    def _get_name(self) -> str:
        return f"QuantizedConvReLU{self._PLACES_}d"

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The quantized convolution of one of floats, with its batch norm in the weight."""
        if type(mod) is cls._WITH_BN:
            bn = mod.bn
            statistics = bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
            mod.weight, mod.bias = fuse_conv_bn_weights(mod.weight, mod.bias, *statistics)
        return super().from_float(mod, use_precomputed_fake_quant)

    @classmethod
    def from_reference(cls, ref_qconv: Any, output_scale: float, output_zero_point: int) -> Any:
        """The quantized convolution of one that rounds floats."""
        return super().from_reference(ref_qconv[0], output_scale, output_zero_point)


class ConvReLU1d(_WithReLU, Conv1d):
    """A convolution over quantized sequences and a ReLU."""

    _FLOAT_MODULE = fused.ConvReLU1d
    _WITH_BN = conv_fused.ConvBnReLU1d


class ConvReLU2d(_WithReLU, Conv2d):
    """A convolution over quantized images and a ReLU."""

    _FLOAT_MODULE = fused.ConvReLU2d
    _WITH_BN = conv_fused.ConvBnReLU2d


class ConvReLU3d(_WithReLU, Conv3d):
    """A convolution over quantized volumes and a ReLU."""

    _FLOAT_MODULE = fused.ConvReLU3d
    _WITH_BN = conv_fused.ConvBnReLU3d


offer_listed(globals())
