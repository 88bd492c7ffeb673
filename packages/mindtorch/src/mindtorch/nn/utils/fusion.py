"""A batch norm that no longer learns, taken into the layer in front of it."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

from ...aten import torch
from .. import Parameter

__all__ = [
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
]

ConvT = TypeVar("ConvT", bound=Any)
LinearT = TypeVar("LinearT", bound=Any)


def fuse_conv_bn_eval(conv: ConvT, bn: Any, transpose: bool = False) -> ConvT:
    """A copy of *conv* that does what *conv* and *bn* do one after the other.

    :param transpose: of a transposed convolution.
    """
    if conv.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = copy.deepcopy(conv)
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight,
        fused.bias,
        bn.running_mean,
        bn.running_var,
        bn.eps,
        bn.weight,
        bn.bias,
        transpose,
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Any,
    conv_b: Any,
    bn_rm: Any,
    bn_rv: Any,
    bn_eps: float,
    bn_w: Any,
    bn_b: Any,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a convolution with the batch norm behind it."""
    weight_dtype = conv_w.dtype
    bias_dtype = conv_b.dtype if conv_b is not None else weight_dtype
    bias = torch.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = torch.ones_like(bn_rm) if bn_w is None else bn_w
    shift = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    inverse = torch.rsqrt(bn_rv + bn_eps)
    shape = [1] * len(conv_w.shape)
    shape[1 if transpose else 0] = -1
    weight = (conv_w * (scale * inverse).reshape(shape)).to(dtype=weight_dtype)
    moved = ((bias - bn_rm) * inverse * scale + shift).to(dtype=bias_dtype)
    return (
        Parameter(weight, conv_w.requires_grad),
        Parameter(moved, bias.requires_grad),
    )


def fuse_linear_bn_eval(linear: LinearT, bn: Any) -> LinearT:
    """A copy of *linear* that does what *linear* and *bn* do one after the other."""
    if linear.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = copy.deepcopy(linear)
    # Of an input with more dims the norm's features are another dim than the layer's.
    if not (fused.out_features == bn.num_features or bn.num_features == 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={fused.out_features} and bn.num_features={bn.num_features}"
        )
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Any,
    linear_b: Any,
    bn_rm: Any,
    bn_rv: Any,
    bn_eps: float,
    bn_w: Any,
    bn_b: Any,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a linear layer with the batch norm behind it."""
    weight_dtype = linear_w.dtype
    bias_dtype = linear_b.dtype if linear_b is not None else weight_dtype
    bias = torch.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * torch.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(dtype=weight_dtype)
    moved = ((bias - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return (
        Parameter(weight, linear_w.requires_grad),
        Parameter(moved, bias.requires_grad),
    )
