"""``torch.ao.nn.qat.modules.conv``: convolutions that round their weight."""

from __future__ import annotations

from typing import Any, ClassVar

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from ..... import nn
from ..rounded_weight import checked_qconfig, qconfig_of, take

__all__ = ["Conv1d", "Conv2d", "Conv3d"]


class _ConvNd(nn.modules.conv._ConvNd):
    """A convolution whose weight passes through ``weight_fake_quant``."""

    _FLOAT_MODULE: ClassVar[type]
    _FLOAT_CONV_MODULE: ClassVar[type]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        qconfig: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip
        self.qconfig = checked_qconfig(qconfig)
        made = {"device": device, "dtype": dtype}
        self.weight_fake_quant = qconfig.weight(factory_kwargs=made)

    def forward(self, input: Any) -> Any:
        """The convolution with its weight rounded."""
        return self._conv_forward(input, self.weight_fake_quant(self.weight), self.bias)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The convolution that has the parameters and the ``qconfig`` of *mod*."""
        kind, wanted = type_before_parametrizations(mod), cls._FLOAT_MODULE
        qconfig = qconfig_of(
            mod,
            wanted,
            f"qat.{cls.__name__}.from_float only works for {wanted.__name__}, got {kind.__name__}",
        )
        if issubclass(kind, nn.Sequential):
            mod = mod[0]
        return take(cls(**_settings(mod), qconfig=qconfig), mod)

    def to_float(self) -> Any:
        """The convolution of floats with these parameters."""
        conv = self._FLOAT_CONV_MODULE(**_settings(self))
        conv.weight = nn.Parameter(self.weight.detach())
        if self.bias is not None:
            conv.bias = nn.Parameter(self.bias.detach())
        conv.train(self.training)
        return conv


def _settings(conv: Any) -> dict[str, Any]:
    """The arguments that *conv* was made with."""
    names = "in_channels out_channels kernel_size stride padding dilation groups padding_mode"
    found = {name: getattr(conv, name) for name in names.split()}
    return {**found, "bias": conv.bias is not None}


class Conv1d(_ConvNd, nn.Conv1d):
    """A convolution of one dimension whose weight is rounded.

    :param qconfig: a :class:`QConfig`, whose ``weight`` is used.
    """

    _FLOAT_MODULE = nn.Conv1d
    _FLOAT_CONV_MODULE = nn.Conv1d


class Conv2d(_ConvNd, nn.Conv2d):
    """A convolution of two dimensions whose weight is rounded.

    :param qconfig: a :class:`QConfig`, whose ``weight`` is used.
    """

    _FLOAT_MODULE = nn.Conv2d
    _FLOAT_CONV_MODULE = nn.Conv2d


class Conv3d(_ConvNd, nn.Conv3d):
    """A convolution of three dimensions whose weight is rounded.

    :param qconfig: a :class:`QConfig`, whose ``weight`` is used.
    """

    _FLOAT_MODULE = nn.Conv3d
    _FLOAT_CONV_MODULE = nn.Conv3d
