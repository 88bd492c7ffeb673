"""``torch.ao.quantization.backend_config.fbgemm``: what the kernels of FBGEMM can quantize."""

from __future__ import annotations

from . import operators as _operators
from .backend_config import BackendConfig
from .dtypes import DYNAMIC as fbgemm_default_dynamic_int8_dtype_config
from .dtypes import DYNAMIC_HALF as fbgemm_default_dynamic_float16_dtype_config
from .dtypes import HALF as fbgemm_default_op_fp16_dtype_config  # noqa: F401
from .dtypes import PLAIN as fbgemm_default_op_quint8_dtype_config
from .dtypes import WEIGHT_ONLY as fbgemm_weight_only_quint8_dtype_config
from .dtypes import WEIGHT_ONLY_4BIT as fbgemm_weight_only_quint4x2_dtype_config
from .dtypes import WEIGHTED as fbgemm_weighted_op_quint8_dtype_config

__all__ = ["get_fbgemm_backend_config"]


def get_fbgemm_backend_config() -> BackendConfig:
    """What the kernels of FBGEMM can quantize."""
    weighted = [fbgemm_weighted_op_quint8_dtype_config]
    plain = [fbgemm_default_op_quint8_dtype_config]
    dynamic = [
        fbgemm_default_dynamic_int8_dtype_config,
        fbgemm_default_dynamic_float16_dtype_config,
    ]
    rounded = [fbgemm_weight_only_quint8_dtype_config, fbgemm_weight_only_quint4x2_dtype_config]
    families = (
        *_operators.convolutions(weighted),
        *_operators.linear([*weighted, *dynamic]),
        *_operators.binary(plain),
        *_operators.concatenation(plain),
        *_operators.own_scale(plain),
        *_operators.fixed_ranges(plain),
        *_operators.same_scale(plain),
        *_operators.sizes(plain),
        *_operators.norms(plain),
        *_operators.recurrent(dynamic),
        *_operators.embeddings(rounded),
    )
    return BackendConfig("fbgemm").set_backend_pattern_configs(list(families))
