"""``torch.ao.quantization.quantization_mappings``: which modules take part, and what they become.

Of the modules that take and give quantized tensors some are absent: a mapping to one of these has
a class that refuses.
"""

from __future__ import annotations

import copy
from typing import Any

from ... import nn
from ...core.unavailable import offer_listed
from ..nn import qat
from ..nn import quantized as nnq
from ..nn.intrinsic import quantized as nniq
from ..nn.intrinsic.modules import fused
from ..nn.intrinsic.qat.modules import conv_fused, linear_fused, linear_relu
from ..nn.intrinsic.quantized.dynamic.modules import linear_relu as fused_dynamic
from ..nn.qat.dynamic.modules import linear as dynamic_linear
from ..nn.quantized import dynamic as nnqd
from ..nn.quantized.modules.functional_modules import FloatFunctional
from . import fake_quantize as _f
from .stubs import DeQuantStub, QuantStub

__all__ = [
    "DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS",
    "DEFAULT_MODULE_TO_ACT_POST_PROCESS",
    "DEFAULT_QAT_MODULE_MAPPINGS",
    "DEFAULT_STATIC_QUANT_MODULE_MAPPINGS",
    "get_default_compare_output_module_list",
    "get_default_dynamic_quant_module_mappings",
    "get_default_qat_module_mappings",
    "get_default_qconfig_propagation_list",
    "get_default_static_quant_module_mappings",
    "get_dynamic_quant_module_class",
    "get_embedding_qat_module_mappings",
    "get_embedding_static_quant_module_mappings",
    "get_static_quant_module_class",
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
_SAME_NAME = (
    "BatchNorm2d BatchNorm3d Dropout Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d ELU Embedding EmbeddingBag GroupNorm Hardswish InstanceNorm1d InstanceNorm2d "
    "InstanceNorm3d LayerNorm LeakyReLU Linear ReLU6 PReLU"
).split()
_FUSED_NAMES = (
    "BNReLU2d BNReLU3d ConvReLU1d ConvReLU2d ConvReLU3d ConvAdd2d ConvAddReLU2d LinearReLU "
    "LinearLeakyReLU LinearTanh"
).split()
#: What modules that were observed become.
DEFAULT_STATIC_QUANT_MODULE_MAPPINGS: dict[Any, Any] = {
    QuantStub: nnq.Quantize,
    DeQuantStub: nnq.DeQuantize,
    **{getattr(nn, name): getattr(nnq, name) for name in _SAME_NAME},
    nn.modules.linear.NonDynamicallyQuantizableLinear: nnq.Linear,
    FloatFunctional: nnq.QFunctional,
    **{getattr(fused, name): getattr(nniq, name) for name in _FUSED_NAMES},
    **{getattr(conv_fused, f"ConvBn{n}d"): getattr(nnq, f"Conv{n}d") for n in (1, 2, 3)},
    **{getattr(conv_fused, f"ConvBnReLU{n}d"): getattr(nniq, f"ConvReLU{n}d") for n in (1, 2, 3)},
    **{getattr(conv_fused, f"ConvReLU{n}d"): getattr(nniq, f"ConvReLU{n}d") for n in (2, 3)},
    linear_relu.LinearReLU: nniq.LinearReLU,
    linear_fused.LinearBn1d: nnq.Linear,
    qat.Linear: nnq.Linear,
    qat.Conv2d: nnq.Conv2d,
    qat.Conv3d: nnq.Conv3d,
}
#: What modules become whose weights alone are quantized.
DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS: dict[Any, Any] = {
    nn.GRUCell: nnqd.GRUCell,
    nn.Linear: nnqd.Linear,
    dynamic_linear.Linear: nnqd.Linear,
    nn.modules.linear.NonDynamicallyQuantizableLinear: nnqd.Linear,
    nn.LSTM: nnqd.LSTM,
    nn.GRU: nnqd.GRU,
    nn.LSTMCell: nnqd.LSTMCell,
    nn.RNNCell: nnqd.RNNCell,
    fused.LinearReLU: fused_dynamic.LinearReLU,
    nn.EmbeddingBag: nnq.EmbeddingBag,
    nn.Embedding: nnq.Embedding,
}
_MAPPINGS = (
    DEFAULT_STATIC_QUANT_MODULE_MAPPINGS,
    DEFAULT_QAT_MODULE_MAPPINGS,
    DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS,
)
#: Modules whose results have a range that is known.
DEFAULT_MODULE_TO_ACT_POST_PROCESS: dict[Any, Any] = {
    nn.Hardsigmoid: _f.default_fixed_qparams_range_0to1_fake_quant,
    nn.Sigmoid: _f.default_fixed_qparams_range_0to1_fake_quant,
    nn.Softmax: _f.default_fixed_qparams_range_0to1_fake_quant,
    nn.Tanh: _f.default_fixed_qparams_range_neg1to1_fake_quant,
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
    return {nn.Sequential, *(kind for mapping in _MAPPINGS for kind in mapping)}


def get_default_compare_output_module_list() -> set[Any]:
    """The modules whose outputs are compared before and after they are quantized."""
    made = {kind for mapping in _MAPPINGS for kind in mapping.values()}
    return get_default_qconfig_propagation_list() | made


def get_default_static_quant_module_mappings() -> dict[Any, Any]:
    """What modules that were observed become."""
    return copy.deepcopy(DEFAULT_STATIC_QUANT_MODULE_MAPPINGS)


def get_embedding_static_quant_module_mappings() -> dict[Any, Any]:
    """The same with embeddings whose weights were rounded in training."""
    found = get_default_static_quant_module_mappings()
    return {**found, qat.EmbeddingBag: nnq.EmbeddingBag, qat.Embedding: nnq.Embedding}


def get_default_dynamic_quant_module_mappings() -> dict[Any, Any]:
    """What modules become whose weights alone are quantized."""
    return DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS


def get_static_quant_module_class(
    float_module_class: Any,
    additional_static_quant_mapping: dict[Any, Any] | None = None,
    is_reference: bool = False,
) -> Any:
    """What a class of modules becomes that were observed.

    Raises AssertionError for one that has no counterpart.
    """
    if is_reference:
        return globals()["get_default_static_quant_reference_module_mappings"]()  # refuses
    more = additional_static_quant_mapping or {}
    return _counterpart({**DEFAULT_STATIC_QUANT_MODULE_MAPPINGS, **more}, float_module_class)


def get_dynamic_quant_module_class(
    float_module_class: Any, additional_dynamic_quant_mapping: dict[Any, Any] | None = None
) -> Any:
    """What a class of modules becomes whose weights alone are quantized.

    Raises AssertionError for one that has no counterpart.
    """
    more = additional_dynamic_quant_mapping or {}
    return _counterpart({**DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS, **more}, float_module_class)


def _counterpart(mapping: dict[Any, Any], kind: Any) -> Any:
    found = mapping.get(kind)
    if found is None:
        raise AssertionError(
            f"Floating point module class {kind} does not have a corresponding quantized module "
            "class"
        )
    return found


offer_listed(globals())
