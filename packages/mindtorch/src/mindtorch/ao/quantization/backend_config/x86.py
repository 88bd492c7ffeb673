"""``torch.ao.quantization.backend_config.x86``: what kernels for processors of x86 can quantize."""

from __future__ import annotations

from . import operators as _operators
from .backend_config import BackendConfig
from .dtypes import DYNAMIC as x86_default_dynamic_int8_dtype_config
from .dtypes import DYNAMIC_HALF as x86_default_dynamic_float16_dtype_config
from .dtypes import HALF as x86_default_op_fp16_dtype_config  # noqa: F401
from .dtypes import PLAIN as x86_default_op_quint8_dtype_config
from .dtypes import WEIGHT_ONLY as x86_weight_only_quint8_dtype_config
from .dtypes import WEIGHT_ONLY_4BIT as x86_weight_only_quint4x2_dtype_config
from .dtypes import WEIGHTED as x86_weighted_op_int8_dtype_config

__all__ = ["get_x86_backend_config"]


def get_x86_backend_config() -> BackendConfig:
    """What kernels for processors of x86 can quantize."""
    weighted = [x86_weighted_op_int8_dtype_config]
    plain = [x86_default_op_quint8_dtype_config]
    dynamic = [x86_default_dynamic_int8_dtype_config, x86_default_dynamic_float16_dtype_config]
    rounded = [x86_weight_only_quint8_dtype_config, x86_weight_only_quint4x2_dtype_config]
    families = (
        *_operators.convolutions(weighted),
        *_operators.linear([*weighted, *dynamic]),
        *_operators.binary(weighted),
        *_operators.concatenation(plain),
        *_operators.own_scale(plain),
        *_operators.fixed_ranges(weighted),
        *_operators.same_scale(plain),
        *_operators.sizes(plain),
        *_operators.norms(plain),
        *_operators.recurrent(dynamic),
        *_operators.embeddings(rounded),
    )
    return BackendConfig("x86").set_backend_pattern_configs(list(families))
