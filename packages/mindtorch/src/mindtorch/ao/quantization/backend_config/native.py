"""``torch.ao.quantization.backend_config.native``: what torch's own kernels can quantize."""

from __future__ import annotations

from typing import Any

from . import operators as _operators
from .backend_config import BackendConfig
from .dtypes import DYNAMIC as default_dynamic_int8_dtype_config
from .dtypes import DYNAMIC_HALF as default_dynamic_float16_dtype_config
from .dtypes import FLOAT_WEIGHT as input_output_only_quint8_dtype_config
from .dtypes import HALF as default_op_fp16_dtype_config
from .dtypes import PLAIN as default_op_quint8_dtype_config
from .dtypes import WEIGHT_ONLY as weight_only_quint8_dtype_config
from .dtypes import WEIGHT_ONLY_4BIT as weight_only_quint4x2_dtype_config
from .dtypes import WEIGHTED as weighted_op_quint8_dtype_config

__all__ = [
    "default_dynamic_float16_dtype_config",
    "default_dynamic_int8_dtype_config",
    "default_op_fp16_dtype_config",
    "default_op_quint8_dtype_config",
    "get_native_backend_config",
    "get_native_backend_config_dict",
    "get_test_only_legacy_native_backend_config",
    "get_test_only_legacy_native_backend_config_dict",
    "input_output_only_quint8_dtype_config",
    "weight_only_quint4x2_dtype_config",
    "weight_only_quint8_dtype_config",
]


def _made(name: str, half: list[Any]) -> BackendConfig:
    """All families of operators; with weights and others, *half* is there as well."""
    weighted = [weighted_op_quint8_dtype_config]
    plain = [default_op_quint8_dtype_config, *half]
    dynamic = [default_dynamic_int8_dtype_config, default_dynamic_float16_dtype_config]
    rounded = [weight_only_quint8_dtype_config, weight_only_quint4x2_dtype_config]
    families = (
        *_operators.convolutions(weighted),
        *_operators.linear([*weighted, *dynamic, *half]),
        *_operators.binary(plain),
        *_operators.concatenation([default_op_quint8_dtype_config]),
        *_operators.own_scale([default_op_quint8_dtype_config]),
        *_operators.fixed_ranges(plain),
        *_operators.same_scale(plain),
        *_operators.sizes([default_op_quint8_dtype_config]),
        *_operators.norms([default_op_quint8_dtype_config]),
        *_operators.layer_norms([input_output_only_quint8_dtype_config]),
        *_operators.recurrent(dynamic),
        *_operators.embeddings(rounded),
    )
    return BackendConfig(name).set_backend_pattern_configs(list(families))


def get_native_backend_config() -> BackendConfig:
    """What torch's own kernels can quantize."""
    return _made("native", [])


def get_native_backend_config_dict() -> dict[str, Any]:
    """:func:`get_native_backend_config`, as a dict."""
    return get_native_backend_config().to_dict()


def get_test_only_legacy_native_backend_config() -> BackendConfig:
    """What torch's own kernels can quantize, and half precision."""
    return _made("_native_and_fp16", [default_op_fp16_dtype_config])


def get_test_only_legacy_native_backend_config_dict() -> dict[str, Any]:
    """:func:`get_test_only_legacy_native_backend_config`, as a dict."""
    return get_test_only_legacy_native_backend_config().to_dict()
