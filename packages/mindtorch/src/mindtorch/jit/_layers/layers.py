"""Layers that are one call of a function."""

from __future__ import annotations

from ..._ops import ops
from ...nn import functional as F
from ...tensor import Tensor
from .layer import Layer, stand_for_layers

aten = ops.aten


class ReLU6(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, 0.0, 6.0, self.inplace)


class Fold(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )


class LPPool1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class MaxPool1d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.max_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool2d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.max_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool3d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.max_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class AvgPool1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
        )


class AvgPool2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.avg_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class Linear(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.linear(input, self.weight, self.bias)


class LogSigmoid(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.log_sigmoid(input)


class ReflectionPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class CircularPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "circular")


class ReflectionPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class CircularPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "circular")


class ReflectionPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class CircularPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "circular")


class AdaptiveMaxPool1d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


stand_for_layers(globals())
