"""``torch.ao.quantization.fuser_method_mappings``: which layers become one, and how."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from mindtorch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

from ... import nn
from ..nn.intrinsic.modules import fused
from .utils import MatchAllNode

__all__ = [
    "fuse_conv_bn",
    "fuse_conv_bn_relu",
    "fuse_convtranspose_bn",
    "fuse_linear_bn",
    "get_fuser_method",
    "get_fuser_method_new",
]

_BN = {
    nn.Conv1d: fused.ConvBn1d,
    nn.Conv2d: fused.ConvBn2d,
    nn.Conv3d: fused.ConvBn3d,
}
_BN_RELU = {
    nn.Conv1d: (fused.ConvBnReLU1d, fused.ConvReLU1d),
    nn.Conv2d: (fused.ConvBnReLU2d, fused.ConvReLU2d),
    nn.Conv3d: (fused.ConvBnReLU3d, fused.ConvReLU3d),
}
_MODES = "Conv and BN both must be in the same mode (train or eval)."


def _check_norm(conv: Any, bn: Any) -> None:
    assert bn.num_features == conv.out_channels, (
        "Output channel of Conv2d must match num_features of BatchNorm2d"
    )
    assert bn.affine, "Only support fusing BatchNorm2d with affine set to True"
    assert bn.track_running_stats, (
        "Only support fusing BatchNorm2d with tracking_running_stats set to True"
    )


def fuse_conv_bn(is_qat: bool, conv: Any, bn: Any) -> Any:
    """A convolution and its norm as one: kept apart within one module where *is_qat*."""
    assert conv.training == bn.training, _MODES
    if not is_qat:
        return fuse_conv_bn_eval(conv, bn)
    _check_norm(conv, bn)
    kind = _BN.get(type(conv))
    if kind is None:
        raise NotImplementedError(f"Cannot fuse train modules: {(conv, bn)}")
    return kind(conv, bn)


def fuse_conv_bn_relu(is_qat: bool, conv: Any, bn: Any, relu: Any) -> Any:
    """A convolution, its norm and ReLU as one."""
    assert conv.training == bn.training == relu.training, _MODES
    kinds = _BN_RELU.get(type(conv))
    if not is_qat:
        if kinds is None:
            raise NotImplementedError(f"Cannot fuse eval modules: {(conv, bn, relu)}")
        return kinds[1](fuse_conv_bn_eval(conv, bn), relu)
    _check_norm(conv, bn)
    if kinds is None:
        raise NotImplementedError(f"Cannot fuse train modules: {(conv, bn, relu)}")
    return kinds[0](conv, bn, relu)


def fuse_linear_bn(is_qat: bool, linear: Any, bn: Any) -> Any:
    """A linear layer and its norm as one."""
    assert linear.training == bn.training, (
        "Linear and BN both must be in the same mode (train or eval)."
    )
    if not is_qat:
        return fuse_linear_bn_eval(linear, bn)
    assert bn.num_features == linear.out_features, (
        "Output features of Linear must match num_features of BatchNorm1d"
    )
    assert bn.affine, "Only support fusing BatchNorm1d with affine set to True"
    assert bn.track_running_stats, (
        "Only support fusing BatchNorm1d with tracking_running_stats set to True"
    )
    return fused.LinearBn1d(linear, bn)


def fuse_convtranspose_bn(is_qat: bool, convt: Any, bn: Any) -> Any:
    """A transposed convolution and its norm as one, for evaluation."""
    assert convt.training == bn.training, (
        "ConvTranspose and BN both must be in the same mode (train or eval)."
    )
    if is_qat:
        raise Exception("Fusing ConvTranspose+BatchNorm not yet supported in QAT.")
    return fuse_conv_bn_eval(convt, bn, transpose=True)


def in_sequence(kind: type) -> Callable[..., Any]:
    """A function that puts two layers into a module of *kind*."""

    def fuser_method(is_qat: bool, m1: Any, m2: Any) -> Any:
        return kind(m1, m2)

    return fuser_method


_DEFAULT_OP_LIST_TO_FUSER_METHOD: dict[tuple[type, ...], Callable[..., Any]] = {
    (nn.Conv1d, nn.BatchNorm1d): fuse_conv_bn,
    (nn.Conv1d, nn.BatchNorm1d, nn.ReLU): fuse_conv_bn_relu,
    (nn.Conv2d, nn.BatchNorm2d): fuse_conv_bn,
    (nn.Conv2d, nn.BatchNorm2d, nn.ReLU): fuse_conv_bn_relu,
    (nn.Conv3d, nn.BatchNorm3d): fuse_conv_bn,
    (nn.Conv3d, nn.BatchNorm3d, nn.ReLU): fuse_conv_bn_relu,
    (nn.Conv1d, nn.ReLU): in_sequence(fused.ConvReLU1d),
    (nn.Conv2d, nn.ReLU): in_sequence(fused.ConvReLU2d),
    (nn.Conv3d, nn.ReLU): in_sequence(fused.ConvReLU3d),
    (nn.Linear, nn.BatchNorm1d): fuse_linear_bn,
    (nn.Linear, nn.ReLU): in_sequence(fused.LinearReLU),
    (nn.BatchNorm2d, nn.ReLU): in_sequence(fused.BNReLU2d),
    (nn.BatchNorm3d, nn.ReLU): in_sequence(fused.BNReLU3d),
    (nn.ConvTranspose1d, nn.BatchNorm1d): fuse_convtranspose_bn,
    (nn.ConvTranspose2d, nn.BatchNorm2d): fuse_convtranspose_bn,
    (nn.ConvTranspose3d, nn.BatchNorm3d): fuse_convtranspose_bn,
}


def get_fuser_method(op_list: Any, additional_fuser_method_mapping: Any = None) -> Any:
    """What fuses layers of the types *op_list*. Raises AssertionError for types that none does."""
    known = {**_DEFAULT_OP_LIST_TO_FUSER_METHOD, **(additional_fuser_method_mapping or {})}
    found = known.get(op_list)
    assert found is not None, f"did not find fuser method for: {op_list} "
    return found


def reverse2(f: Callable[..., Any]) -> Callable[..., Any]:
    """*f* of two modules, called with the last first."""

    def reversed(is_qat: bool, x: Any, y: Any) -> Any:
        return f(is_qat, y, x)

    return reversed


def reverse3(f: Callable[..., Any]) -> Callable[..., Any]:
    """*f* of three modules, called with the last first and the two before as a pair."""

    def reversed(is_qat: bool, x: Any, w: Any) -> Any:
        y, z = w
        return f(is_qat, z, y, x)

    return reversed


def _patterns_for(op_pattern: Any) -> list[Any]:
    """The patterns that match *op_pattern*: any part may stand for whatever there is."""
    if isinstance(op_pattern, tuple):
        return list(itertools.product(*map(_patterns_for, op_pattern)))
    return [op_pattern, MatchAllNode]


def get_fuser_method_new(
    op_pattern: Any, fuser_method_mapping: dict[Any, Callable[..., Any]]
) -> Callable[..., Any]:
    """What fuses modules of a pattern. Raises AssertionError for one that none does."""
    patterns = _patterns_for(op_pattern)
    known = (fuser_method_mapping.get(pattern) for pattern in patterns)
    found = next((method for method in known if method is not None), None)
    assert found is not None, f"did not find fuser method for: {patterns[-1]} "
    return found
