"""``torch.ao.quantization.backend_config.onednn``: what the kernels of oneDNN can quantize."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

from mindtorch.nn.utils.fusion import fuse_linear_bn_eval

from .... import nn
from ....aten import torch
from ...nn import intrinsic as nni
from ...nn.quantized import reference as nnqr
from ..fuser_method_mappings import fuse_conv_bn, in_sequence
from ..utils import MatchAllNode
from . import operators as _operators
from .backend_config import BackendConfig, BackendPatternConfig, DTypeConfig
from .dtypes import DYNAMIC as onednn_dynamic_int8_dtype_config
from .dtypes import FLOAT_WEIGHT as onednn_input_output_only_quint8_dtype_config
from .dtypes import PLAIN as onednn_op_quint8_dtype_config
from .dtypes import WEIGHTED as onednn_weighted_op_int8_dtype_config

__all__ = ["get_onednn_backend_config"]

onednn_weight_only_qint8_dtype_config = DTypeConfig(torch.float, torch.float, torch.qint8)


def _fuse_linear_bn_leaky_relu(is_qat: bool, linear: Any, bn: Any, leaky_relu: Any) -> Any:
    """A linear layer, its norm and the leaky ReLU behind it as one, for evaluation."""
    assert linear.training == bn.training and bn.training == leaky_relu.training, (
        "Linear, BN and LeakyReLU all must be in the same mode (train or eval)."
    )
    if is_qat:
        raise NotImplementedError(f"Cannot fuse train modules: {(linear, bn, leaky_relu)}")
    return nni.LinearLeakyReLU(fuse_linear_bn_eval(linear, bn), leaky_relu)


class _Sum:
    """A convolution that is added to something: on the left or the right, as a pattern says it."""

    def __init__(self, left: bool, normed: bool, positive: bool) -> None:
        self.left, self.normed, self.positive = left, normed, positive

    def pattern(self, add: Any) -> Any:
        """The pattern, the last operator first."""
        conv: Any = (nn.BatchNorm2d, nn.Conv2d) if self.normed else nn.Conv2d
        found: Any = (add, conv, MatchAllNode) if self.left else (add, MatchAllNode, conv)
        return (nn.ReLU, found) if self.positive else found

    def _sides(self, pattern: Any) -> tuple[Any, Any, Any, Any]:
        """The ReLU, the sum, the convolution with its norm, and what it is added to."""
        relu, added = pattern if self.positive else (None, pattern)
        add, first, second = added
        conv, extra = (first, second) if self.left else (second, first)
        return relu, add, conv, extra

    def fuse(self, is_qat: bool, *pattern: Any) -> Any:
        """The one module."""
        relu, add, conv, _ = self._sides(pattern)
        if self.normed:
            bn, conv = conv
            if is_qat:
                raise NotImplementedError(f"Cannot fuse train modules: {(conv, bn, add)}")
            conv = fuse_conv_bn(is_qat, conv, bn)
        if self.positive:
            return nni.ConvAddReLU2d(conv, add, relu)
        return nni.ConvAdd2d(conv, add)

    def root(self, pattern: Any) -> Any:
        """The node of the convolution."""
        conv = self._sides(pattern)[2]
        return conv[1] if self.normed else conv

    def extra(self, pattern: Any) -> list[Any]:
        """The node that it is added to."""
        return [self._sides(pattern)[3]]

    def config(self, add: Any, dtypes: list[DTypeConfig]) -> BackendPatternConfig:
        """What is known of it."""
        made = BackendPatternConfig()._set_pattern_complex_format(self.pattern(add))
        made.set_dtype_configs(dtypes).set_fuser_method(self.fuse)
        made._set_root_node_getter(self.root)._set_extra_inputs_getter(self.extra)
        return made.set_fused_module(nni.ConvAddReLU2d if self.positive else nni.ConvAdd2d)


def _sums(dtypes: list[DTypeConfig]) -> list[BackendPatternConfig]:
    made = []
    for positive in (False, True):
        for left, normed in product((True, False), (True, False)):
            kind = _Sum(left, normed, positive)
            made += [kind.config(add, dtypes) for add in (torch.add, operator.add)]
        fused = nni.ConvAddReLU2d if positive else nni.ConvAdd2d
        root = {"root_module": nn.Conv2d, "reference_quantized_module": nnqr.Conv2d}
        made.append(_operators.pattern_of(fused, dtypes, **root))
    return made


def _activated(
    fused: Any, kinds: tuple[Any, ...], dtypes: list[DTypeConfig], normed: Callable[..., Any] | None
) -> list[BackendPatternConfig]:
    """Linear layers with an activation of *kinds*; *normed* fuses those with a norm."""
    pattern_of, function = _operators.pattern_of, nn.functional.linear
    into = {"fused_module": fused}
    root = {"root_module": nn.Linear, "reference_quantized_module": nnqr.Linear}
    made = [
        *(
            pattern_of((nn.Linear, kind), dtypes, **into, fuser_method=in_sequence(fused))
            for kind in kinds
        ),
        pattern_of(fused, dtypes, **root),
        *(pattern_of((function, kind), dtypes) for kind in kinds),
    ]
    if normed is not None:
        whole = (nn.Linear, nn.BatchNorm1d, kinds[0])
        made.append(pattern_of(whole, dtypes, **into, fuser_method=normed))
    return made


def get_onednn_backend_config() -> BackendConfig:
    """What the kernels of oneDNN can quantize."""
    weighted, plain = [onednn_weighted_op_int8_dtype_config], [onednn_op_quint8_dtype_config]
    dynamic = [onednn_dynamic_int8_dtype_config]
    linear, leaky = [*weighted, *dynamic], (nn.LeakyReLU, nn.functional.leaky_relu)
    families = (
        *_operators.convolutions(weighted),
        *_sums(weighted),
        *_operators.linear(linear),
        *_activated(nni.LinearLeakyReLU, leaky, linear, _fuse_linear_bn_leaky_relu),
        *_activated(nni.LinearTanh, (nn.Tanh, torch.tanh), linear, None),
        *_operators.binary(plain),
        *_operators.concatenation(plain),
        *_operators.own_scale(plain),
        *_operators.fixed_ranges(plain),
        *_operators.same_scale(plain),
        *_operators.norms(plain),
        *_operators.layer_norms([onednn_input_output_only_quint8_dtype_config]),
        *_operators.recurrent(dynamic),
        *_operators.embeddings([onednn_weight_only_qint8_dtype_config]),
    )
    return BackendConfig("onednn").set_backend_pattern_configs(list(families))
