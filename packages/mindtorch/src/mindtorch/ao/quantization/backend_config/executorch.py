"""``torch.ao.quantization.backend_config.executorch``: what the kernels of ExecuTorch can."""

from __future__ import annotations

from .... import nn
from ....aten import torch
from . import operators as _operators
from .backend_config import BackendConfig, DTypeConfig
from .dtypes import DYNAMIC as executorch_default_dynamic_quint8_dtype_config
from .dtypes import DYNAMIC_HALF as executorch_default_dynamic_float16_dtype_config
from .dtypes import PLAIN as executorch_default_op_quint8_dtype_config
from .dtypes import SIGNED_ACTIVATION as executorch_act_qint8_scale_min_2_neg_12
from .dtypes import SIGNED_PLAIN as qnnpack_default_op_qint8_symmetric_dtype_config
from .dtypes import SIGNED_WEIGHT as executorch_weight_qint8_neg_127_to_127_scale_min_2_neg_12
from .dtypes import SIGNED_WEIGHTED as qnnpack_weighted_op_qint8_symmetric_dtype_config
from .dtypes import WEIGHT_ONLY as executorch_weight_only_quint8_dtype_config
from .dtypes import WEIGHTED as executorch_weighted_op_int8_dtype_config

__all__ = ["get_executorch_backend_config"]

executorch_default_dynamic_qint8_dtype_config = DTypeConfig(
    executorch_act_qint8_scale_min_2_neg_12,
    torch.float,
    executorch_weight_qint8_neg_127_to_127_scale_min_2_neg_12,
    torch.float,
    is_dynamic=True,
)
_F = nn.functional
_T = torch.Tensor
_METHODS = _operators.names_of(
    *(_T.clamp, _T.mean, _T.permute, _T.reshape, _T.relu, _T.relu_, _T.squeeze, _T.squeeze_)
)
_SAME_SCALE = (
    *(nn.Flatten, _F.adaptive_avg_pool2d, _F.elu, _F.hardtanh, _F.max_pool2d, _F.pad, _F.relu),
    *(_F.relu6, _F.leaky_relu, _F.leaky_relu_, nn.AdaptiveAvgPool2d, nn.ConstantPad2d, nn.ELU),
    *(nn.MaxPool2d, nn.ReLU6, nn.Hardtanh, nn.LeakyReLU, torch.clamp, torch.flatten, torch.mean),
    *(torch.permute, torch.permute_copy, torch.squeeze, *_METHODS, "leaky_relu"),
)


def get_executorch_backend_config() -> BackendConfig:
    """What the kernels of ExecuTorch can quantize."""
    weighted = [
        qnnpack_weighted_op_qint8_symmetric_dtype_config,
        executorch_weighted_op_int8_dtype_config,
    ]
    plain = [
        qnnpack_default_op_qint8_symmetric_dtype_config,
        executorch_default_op_quint8_dtype_config,
    ]
    dynamic = [
        executorch_default_dynamic_quint8_dtype_config,
        executorch_default_dynamic_qint8_dtype_config,
        executorch_default_dynamic_float16_dtype_config,
    ]
    of_two = [
        qnnpack_default_op_qint8_symmetric_dtype_config,
        executorch_weighted_op_int8_dtype_config,
    ]
    joining = (torch.cat, torch.concat, torch.concatenate)
    families = (
        *_operators.bare_linear([*weighted, *dynamic]),
        *_operators.forward(2, weighted),
        *_operators.binary(of_two, ("add", "sub", "mul"), matmul=False),
        *_operators.same_scale(plain, _SAME_SCALE),
        _operators.pattern_of(nn.BatchNorm2d, plain),
        *_operators.same_scale(plain, joining),
        *_operators.embeddings([executorch_weight_only_quint8_dtype_config], (_F.embedding,)),
    )
    return BackendConfig("executorch").set_backend_pattern_configs(list(families))
