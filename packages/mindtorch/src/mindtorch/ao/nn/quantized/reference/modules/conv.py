"""``torch.ao.nn.quantized.reference.modules.conv``: convolutions with rounded weights."""

from __future__ import annotations

from typing import Any

from ...... import nn
from .utils import ReferenceQuantizedModule

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]


class _ConvNd(nn.modules.conv._ConvNd, ReferenceQuantizedModule):
    """What convolutions share."""

    _IS_REFERENCE = True

    @staticmethod
    def from_float(cls: Any, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        more = {"output_padding": float_conv.output_padding} if float_conv.transposed else {}
        made = cls(
            float_conv.in_channels,
            float_conv.out_channels,
            float_conv.kernel_size,
            stride=float_conv.stride,
            padding=float_conv.padding,
            dilation=float_conv.dilation,
            groups=float_conv.groups,
            bias=float_conv.bias is not None,
            padding_mode=float_conv.padding_mode,
            device=float_conv.weight.device,
            dtype=float_conv.weight.dtype,
            weight_qparams=weight_qparams,
            **more,
        )
        made.weight = nn.Parameter(float_conv.weight.detach())
        if float_conv.bias is not None:
            made.bias = nn.Parameter(float_conv.bias.detach())
        return made


class _ConvTransposeNd(_ConvNd, nn.modules.conv._ConvTransposeNd):
    """What transposed convolutions share."""


class Conv1d(_ConvNd, nn.Conv1d):
    """A convolution of floats over 1 dimension that computes what the quantized one would."""

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
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        nn.Conv1d.__init__(
            self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def forward(self, x: Any) -> Any:
        """The convolution of *x* with the rounded weight."""
        how = self.stride, self.padding, self.dilation, self.groups
        return nn.functional.conv1d(x, self.get_weight(), self.bias, *how)

    def _get_name(self) -> str:
        return "QuantizedConv1d(Reference)"

    @classmethod
    def from_float(cls, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:  # type: ignore[override]  # torch's own
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        return _ConvNd.from_float(cls, float_conv, weight_qparams)


class Conv2d(_ConvNd, nn.Conv2d):
    """A convolution of floats over 2 dimensions that computes what the quantized one would."""

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
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        nn.Conv2d.__init__(
            self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def forward(self, x: Any) -> Any:
        """The convolution of *x* with the rounded weight."""
        how = self.stride, self.padding, self.dilation, self.groups
        return nn.functional.conv2d(x, self.get_weight(), self.bias, *how)

    def _get_name(self) -> str:
        return "QuantizedConv2d(Reference)"

    @classmethod
    def from_float(cls, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:  # type: ignore[override]  # torch's own
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        return _ConvNd.from_float(cls, float_conv, weight_qparams)


class Conv3d(_ConvNd, nn.Conv3d):
    """A convolution of floats over 3 dimensions that computes what the quantized one would."""

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
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        nn.Conv3d.__init__(
            self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def forward(self, x: Any) -> Any:
        """The convolution of *x* with the rounded weight."""
        how = self.stride, self.padding, self.dilation, self.groups
        return nn.functional.conv3d(x, self.get_weight(), self.bias, *how)

    def _get_name(self) -> str:
        return "QuantizedConv3d(Reference)"

    @classmethod
    def from_float(cls, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:  # type: ignore[override]  # torch's own
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        return _ConvNd.from_float(cls, float_conv, weight_qparams)


class ConvTranspose1d(_ConvTransposeNd, nn.ConvTranspose1d):
    """A transposed convolution of floats over 1 dimension, with a rounded weight."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        nn.ConvTranspose1d.__init__(
            self, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups,
            bias, dilation, padding_mode, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def forward(self, x: Any, output_size: list[int] | None = None) -> Any:
        """The transposed convolution of *x* with the rounded weight."""
        more = self._output_padding(
            x, output_size, self.stride, self.padding, self.kernel_size, 1, self.dilation
        )
        how = self.stride, self.padding, more, self.groups, self.dilation
        return nn.functional.conv_transpose1d(x, self.get_weight(), self.bias, *how)

    def _get_name(self) -> str:
        return "QuantizedConvTranspose1d(Reference)"

    @classmethod
    def from_float(cls, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:  # type: ignore[override]  # torch's own
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        return _ConvNd.from_float(cls, float_conv, weight_qparams)


class ConvTranspose2d(_ConvTransposeNd, nn.ConvTranspose2d):
    """A transposed convolution of floats over 2 dimensions, with a rounded weight."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        nn.ConvTranspose2d.__init__(
            self, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups,
            bias, dilation, padding_mode, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def forward(self, x: Any, output_size: list[int] | None = None) -> Any:
        """The transposed convolution of *x* with the rounded weight."""
        more = self._output_padding(
            x, output_size, self.stride, self.padding, self.kernel_size, 2, self.dilation
        )
        how = self.stride, self.padding, more, self.groups, self.dilation
        return nn.functional.conv_transpose2d(x, self.get_weight(), self.bias, *how)

    def _get_name(self) -> str:
        return "QuantizedConvTranspose2d(Reference)"

    @classmethod
    def from_float(cls, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:  # type: ignore[override]  # torch's own
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        return _ConvNd.from_float(cls, float_conv, weight_qparams)


class ConvTranspose3d(_ConvTransposeNd, nn.ConvTranspose3d):
    """A transposed convolution of floats over 3 dimensions, with a rounded weight."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        nn.ConvTranspose3d.__init__(
            self, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups,
            bias, dilation, padding_mode, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def forward(self, x: Any, output_size: list[int] | None = None) -> Any:
        """The transposed convolution of *x* with the rounded weight."""
        more = self._output_padding(
            x, output_size, self.stride, self.padding, self.kernel_size, 3, self.dilation
        )
        how = self.stride, self.padding, more, self.groups, self.dilation
        return nn.functional.conv_transpose3d(x, self.get_weight(), self.bias, *how)

    def _get_name(self) -> str:
        return "QuantizedConvTranspose3d(Reference)"

    @classmethod
    def from_float(cls, float_conv: Any, weight_qparams: dict[str, Any]) -> Any:  # type: ignore[override]  # torch's own
        """The convolution with the parameters of *float_conv*, and how its weight is rounded."""
        return _ConvNd.from_float(cls, float_conv, weight_qparams)
