"""``torch.ao.quantization.backend_config.qnnpack``: what the kernels of QNNPACK can quantize."""

from __future__ import annotations

from . import operators as _operators
from .backend_config import BackendConfig
from .dtypes import DYNAMIC as qnnpack_default_dynamic_int8_dtype_config
from .dtypes import DYNAMIC_HALF as qnnpack_default_dynamic_float16_dtype_config
from .dtypes import HALF as qnnpack_default_op_fp16_dtype_config  # noqa: F401
from .dtypes import PLAIN as qnnpack_default_op_quint8_dtype_config
from .dtypes import SIGNED_ACTIVATION as qnnpack_act_qint8_scale_min_2_neg_12  # noqa: F401
from .dtypes import SIGNED_PLAIN as qnnpack_default_op_qint8_symmetric_dtype_config
from .dtypes import (
    SIGNED_WEIGHT as qnnpack_weight_qint8_neg_127_to_127_scale_min_2_neg_12,  # noqa: F401
)
from .dtypes import SIGNED_WEIGHTED as qnnpack_weighted_op_qint8_symmetric_dtype_config
from .dtypes import WEIGHT_ONLY as qnnpack_weight_only_quint8_dtype_config
from .dtypes import WEIGHT_ONLY_4BIT as qnnpack_weight_only_quint4x2_dtype_config
from .dtypes import WEIGHTED as qnnpack_weighted_op_quint8_dtype_config

__all__ = ["get_qnnpack_backend_config"]


def get_qnnpack_backend_config() -> BackendConfig:
    """What the kernels of QNNPACK can quantize."""
    weighted = [
        qnnpack_weighted_op_qint8_symmetric_dtype_config,
        qnnpack_weighted_op_quint8_dtype_config,
    ]
    plain = [
        qnnpack_default_op_qint8_symmetric_dtype_config,
        qnnpack_default_op_quint8_dtype_config,
    ]
    dynamic = [
        qnnpack_default_dynamic_int8_dtype_config,
        qnnpack_default_dynamic_float16_dtype_config,
    ]
    rounded = [qnnpack_weight_only_quint8_dtype_config, qnnpack_weight_only_quint4x2_dtype_config]
    families = (
        *_operators.convolutions(weighted),
        *_operators.linear([*weighted, *dynamic]),
        *_operators.binary(plain),
        *_operators.concatenation(plain),
        *_operators.own_scale(plain),
        *_operators.fixed_ranges(plain),
        *_operators.same_scale(plain),
        *_operators.norms(plain),
        *_operators.recurrent(dynamic),
        *_operators.embeddings(rounded),
    )
    return BackendConfig("qnnpack").set_backend_pattern_configs(list(families))
