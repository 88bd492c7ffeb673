"""Layers that are one call of a function."""

from __future__ import annotations

from ..._ops import ops
from ...nn import functional as F
from ...tensor import Tensor
from .layer import Layer, stand_for_layers

aten = ops.aten


class ReLU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, inplace=self.inplace)


class ReLU6(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, 0.0, 6.0, self.inplace)


class SELU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class SiLU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, inplace=self.inplace)


class Mish(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, inplace=self.inplace)


class Hardswish(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class Hardsigmoid(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class ELU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class LeakyReLU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class Threshold(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class Hardtanh(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class RReLU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Softmax(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmin(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


class LogSoftmax(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Tanhshrink(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Softsign(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Dropout(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)


class LayerNorm(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class LocalResponseNorm(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class AdaptiveAvgPool2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)


class Embedding(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )


class Fold(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )


class Unfold(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


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


class Upsample(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
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


class AdaptiveMaxPool1d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


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


class AdaptiveMaxPool2d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


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


class AdaptiveMaxPool3d(Layer):
    def forward(self, input: Tensor):  # type: ignore[no-untyped-def]  # its options say what it gives
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


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


class AdaptiveAvgPool1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.adaptive_avg_pool1d(input, self.output_size)


class Identity(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.linear(input, self.weight, self.bias)


class Tanh(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.tanh(input)


class Sigmoid(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.sigmoid(input)


class LogSigmoid(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.log_sigmoid(input)


class GELU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.gelu(input, approximate=self.approximate)


class GLU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class Softplus(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.softplus(input, self.beta, self.threshold)


class Softshrink(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.softshrink(input, self.lambd)


class Hardshrink(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.hardshrink(input, self.lambd)


class PReLU(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.prelu(input, self.weight)


class Softmax2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3, _stacklevel=5)


class Flatten(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)


class PixelShuffle(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.channel_shuffle(input, self.groups)


class RMSNorm(Layer):
    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class Bilinear(Layer):
    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return aten.bilinear(input1, input2, self.weight, self.bias)


class CosineSimilarity(Layer):
    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return aten.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Layer):
    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return aten.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class ReflectionPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class CircularPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "circular")


class ConstantPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ZeroPad1d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ReflectionPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class CircularPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "circular")


class ConstantPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ZeroPad2d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ReflectionPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class CircularPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "circular")


class ConstantPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ZeroPad3d(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


stand_for_layers(globals())
