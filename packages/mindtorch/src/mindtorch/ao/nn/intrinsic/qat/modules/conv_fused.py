"""``torch.ao.nn.intrinsic.qat.modules.conv_fused``: convolutions and what follows, rounded."""

from __future__ import annotations

from typing import Any, ClassVar

from mindtorch.nn.utils.fusion import fuse_conv_bn_weights

from ...... import nn
from ......aten import torch
from ....qat.modules import conv as rounded
from ....qat.rounded_weight import checked_qconfig, qconfig_of, take
from ...modules import fused
from .normalized import NormFolded

__all__ = [
    "ConvBn1d",
    "ConvBn2d",
    "ConvBn3d",
    "ConvBnReLU1d",
    "ConvBnReLU2d",
    "ConvBnReLU3d",
    "ConvReLU1d",
    "ConvReLU2d",
    "ConvReLU3d",
    "freeze_bn_stats",
    "update_bn_stats",
]

_OF_NORMS = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")


class _ConvBnNd(NormFolded, nn.modules.conv._ConvNd, fused._FusedModule):
    """A convolution and the normalization of its batch, whose common weight is rounded."""

    _version = 2
    _FLOAT_MODULE: ClassVar[type]
    _FLOAT_CONV_MODULE: ClassVar[type]
    _FLOAT_BN_MODULE: ClassVar[type | None]
    _FLOAT_RELU_MODULE: ClassVar[type | None] = None
    _FUSED_FLOAT_MODULE: ClassVar[type | None] = None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool | None = None,
        padding_mode: str = "zeros",
        eps: float = 1e-05,
        momentum: float = 0.1,
        freeze_bn: bool = False,
        qconfig: Any = None,
    ) -> None:
        self._FLOAT_CONV_MODULE.__init__(  # type: ignore[misc]  # that of the number of dimensions
            self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, False,
            padding_mode,
        )  # fmt: skip
        self.qconfig = checked_qconfig(qconfig)
        self.freeze_bn = freeze_bn if self.training else True
        self.bn = self._FLOAT_BN_MODULE(  # type: ignore[misc]  # only those with a norm are made
            out_channels, eps, momentum, True, True
        )
        self.weight_fake_quant = self.qconfig.weight()
        if bias:
            self.bias = nn.Parameter(torch.empty(out_channels))
        self.begin(bool(bias))

    def _normalized(self, input: Any) -> Any:
        deviation = torch.sqrt(self.bn.running_var + self.bn.eps)
        factor = self.bn.weight / deviation
        spread = [1] * self.weight.dim()
        spread[0] = -1
        weight = self.weight_fake_quant(self.weight * factor.reshape(spread))
        zero = self.bias if self.bias is not None else weight.new_zeros(self.out_channels)
        found = self._conv_forward(input, weight, torch.zeros_like(zero, dtype=input.dtype))
        spread[0], spread[1] = 1, -1
        found = found / factor.reshape(spread)
        if self.bias is not None:
            found = found + self.bias.reshape(spread)
        return self.bn(found)

    def forward(self, input: Any) -> Any:
        """The convolution and its norm, with the weight that the two have together rounded."""
        return self._normalized(input)

    def extra_repr(self) -> str:
        """What the convolution says."""
        return nn.modules.conv._ConvNd.extra_repr(self)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The layer that has the parameters and the ``qconfig`` of *mod*."""
        wanted = cls._FLOAT_MODULE
        refusal = f"qat.{cls.__name__}.from_float only works for {wanted.__name__}"
        qconfig = qconfig_of(mod, wanted, refusal)
        conv, bn = mod[0], mod[1]
        made = cls(
            conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.padding,
            conv.dilation, conv.groups, conv.bias is not None, conv.padding_mode, bn.eps,
            bn.momentum, False, qconfig,
        )  # fmt: skip
        take(made, conv)
        take(made.bn, bn, _OF_NORMS)
        return made

    def to_float(self) -> Any:
        """The layers of floats that do what these do, the norm within the convolution."""
        conv = self._FLOAT_CONV_MODULE(**rounded._settings(self))
        conv.weight = nn.Parameter(self.weight.detach())
        if self.bias is not None:
            conv.bias = nn.Parameter(self.bias.detach())
        bn = self.bn
        conv.weight, conv.bias = fuse_conv_bn_weights(
            conv.weight, conv.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
        )
        if self._FLOAT_RELU_MODULE is None:
            conv.train(self.training)
            return conv
        made = self._FUSED_FLOAT_MODULE(  # type: ignore[misc]  # there where a ReLU is
            conv, self._FLOAT_RELU_MODULE()
        )
        made.train(self.training)
        return made


class ConvBn1d(_ConvBnNd, nn.Conv1d):
    """A convolution of one dimension and its norm, whose common weight is rounded."""

    _FLOAT_MODULE = fused.ConvBn1d
    _FLOAT_CONV_MODULE = nn.Conv1d
    _FLOAT_BN_MODULE = nn.BatchNorm1d


class ConvBn2d(_ConvBnNd, nn.Conv2d):
    """A convolution of two dimensions and its norm, whose common weight is rounded."""

    _FLOAT_MODULE = fused.ConvBn2d
    _FLOAT_CONV_MODULE = nn.Conv2d
    _FLOAT_BN_MODULE = nn.BatchNorm2d


class ConvBn3d(_ConvBnNd, nn.Conv3d):
    """A convolution of three dimensions and its norm, whose common weight is rounded."""

    _FLOAT_MODULE = fused.ConvBn3d
    _FLOAT_CONV_MODULE = nn.Conv3d
    _FLOAT_BN_MODULE = nn.BatchNorm3d


class _WithReLU(_ConvBnNd):
    """A convolution, its norm and ReLU."""

    def forward(self, input: Any) -> Any:
        """What is positive of the convolution and its norm."""
        return nn.functional.relu(self._normalized(input))


class ConvBnReLU1d(_WithReLU, ConvBn1d):
    """A convolution of one dimension, its norm and ReLU; the common weight is rounded."""

    _FLOAT_MODULE = fused.ConvBnReLU1d
    _FLOAT_RELU_MODULE = nn.ReLU
    _FUSED_FLOAT_MODULE = fused.ConvReLU1d


class ConvBnReLU2d(_WithReLU, ConvBn2d):
    """A convolution of two dimensions, its norm and ReLU; the common weight is rounded."""

    _FLOAT_MODULE = fused.ConvBnReLU2d
    _FLOAT_RELU_MODULE = nn.ReLU
    _FUSED_FLOAT_MODULE = fused.ConvReLU2d


class ConvBnReLU3d(_WithReLU, ConvBn3d):
    """A convolution of three dimensions, its norm and ReLU; the common weight is rounded."""

    _FLOAT_MODULE = fused.ConvBnReLU3d
    _FLOAT_RELU_MODULE = nn.ReLU
    _FUSED_FLOAT_MODULE = fused.ConvReLU3d


class _Positive(rounded._ConvNd, fused._FusedModule):
    """A convolution whose weight is rounded, and ReLU."""

    _FLOAT_BN_MODULE: ClassVar[type | None] = None
    _FLOAT_RELU_MODULE: ClassVar[type] = nn.ReLU

    def forward(self, input: Any) -> Any:
        """What is positive of the convolution with its weight rounded."""
        weight = self.weight_fake_quant(self.weight)
        return nn.functional.relu(self._conv_forward(input, weight, self.bias))

    def to_float(self) -> Any:
        """The layers of floats with these parameters."""
        made = self._FLOAT_MODULE(super().to_float(), nn.ReLU())
        made.train(self.training)
        return made


class ConvReLU1d(_Positive, rounded.Conv1d):
    """A convolution of one dimension whose weight is rounded, and ReLU."""

    _FLOAT_MODULE = fused.ConvReLU1d


class ConvReLU2d(_Positive, rounded.Conv2d):
    """A convolution of two dimensions whose weight is rounded, and ReLU."""

    _FLOAT_MODULE = fused.ConvReLU2d


class ConvReLU3d(_Positive, rounded.Conv3d):
    """A convolution of three dimensions whose weight is rounded, and ReLU."""

    _FLOAT_MODULE = fused.ConvReLU3d


def update_bn_stats(mod: Any) -> None:
    """For ``Module.apply``: let norms follow the batches."""
    if isinstance(mod, NormFolded):
        mod.update_bn_stats()


def freeze_bn_stats(mod: Any) -> None:
    """For ``Module.apply``: let norms keep their statistics."""
    if isinstance(mod, NormFolded):
        mod.freeze_bn_stats()
