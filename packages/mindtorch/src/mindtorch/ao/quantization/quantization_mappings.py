"""``torch.ao.quantization.quantization_mappings``: which modules take part, and what they become.

The modules with quantized tensors are absent, so the mappings to them refuse.
"""

from __future__ import annotations

import copy
from typing import Any

from ... import nn
from ...core.unavailable import offer_listed
from ..nn import qat
from ..nn.intrinsic.modules import fused
from ..nn.intrinsic.qat.modules import conv_fused, linear_fused, linear_relu
from ..nn.qat.dynamic.modules import linear as dynamic_linear
from ..nn.quantized.modules.functional_modules import FloatFunctional
from . import fake_quantize as _f
from .stubs import DeQuantStub, QuantStub

__all__ = [
    "DEFAULT_MODULE_TO_ACT_POST_PROCESS",
    "DEFAULT_QAT_MODULE_MAPPINGS",
    "get_default_qat_module_mappings",
    "get_default_qconfig_propagation_list",
    "get_embedding_qat_module_mappings",
]

#: What modules of floats become in training with weights that are rounded.
DEFAULT_QAT_MODULE_MAPPINGS: dict[Any, Any] = {
    nn.Conv2d: qat.Conv2d,
    nn.Conv3d: qat.Conv3d,
    nn.Linear: qat.Linear,
    nn.modules.linear.NonDynamicallyQuantizableLinear: qat.Linear,
    fused.ConvBn1d: conv_fused.ConvBn1d,
    fused.ConvBn2d: conv_fused.ConvBn2d,
    fused.ConvBn3d: conv_fused.ConvBn3d,
    fused.ConvBnReLU1d: conv_fused.ConvBnReLU1d,
    fused.ConvBnReLU2d: conv_fused.ConvBnReLU2d,
    fused.ConvBnReLU3d: conv_fused.ConvBnReLU3d,
    fused.ConvReLU2d: conv_fused.ConvReLU2d,
    fused.ConvReLU3d: conv_fused.ConvReLU3d,
    fused.LinearReLU: linear_relu.LinearReLU,
    fused.LinearBn1d: linear_fused.LinearBn1d,
}
_ROUNDED = {
    *DEFAULT_QAT_MODULE_MAPPINGS.values(),
    dynamic_linear.Linear,
}
#: Modules whose results have a range that is known.
DEFAULT_MODULE_TO_ACT_POST_PROCESS: dict[Any, Any] = {
    nn.Hardsigmoid: _f.default_fixed_qparams_range_0to1_fake_quant,
    nn.Sigmoid: _f.default_fixed_qparams_range_0to1_fake_quant,
    nn.Softmax: _f.default_fixed_qparams_range_0to1_fake_quant,
    nn.Tanh: _f.default_fixed_qparams_range_neg1to1_fake_quant,
}
_OBSERVED = {
    *(QuantStub, DeQuantStub, FloatFunctional, nn.Sequential),
    *(nn.BatchNorm2d, nn.BatchNorm3d, nn.Dropout, nn.Conv1d, nn.Conv2d, nn.Conv3d),
    *(nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d, nn.ELU, nn.Hardswish),
    *(nn.Embedding, nn.EmbeddingBag, nn.GroupNorm, nn.LayerNorm, nn.LeakyReLU, nn.PReLU),
    *(nn.InstanceNorm1d, nn.InstanceNorm2d, nn.InstanceNorm3d, nn.Linear, nn.ReLU6),
    *(nn.GRU, nn.GRUCell, nn.LSTM, nn.LSTMCell, nn.RNNCell),
    nn.modules.linear.NonDynamicallyQuantizableLinear,
    *(getattr(fused, name) for name in fused.__all__),
}


def get_default_qat_module_mappings() -> dict[Any, Any]:
    """What modules of floats become in training with weights that are rounded."""
    return copy.deepcopy(DEFAULT_QAT_MODULE_MAPPINGS)


def get_embedding_qat_module_mappings() -> dict[Any, Any]:
    """The same with embeddings."""
    found = get_default_qat_module_mappings()
    return {**found, nn.EmbeddingBag: qat.EmbeddingBag, nn.Embedding: qat.Embedding}


def get_default_qconfig_propagation_list() -> set[Any]:
    """The modules that observers watch."""
    return _OBSERVED | _ROUNDED


offer_listed(globals())
