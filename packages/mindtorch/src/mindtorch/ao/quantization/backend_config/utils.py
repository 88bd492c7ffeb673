"""``torch.ao.quantization.backend_config.utils``: one thing of all patterns of a backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .... import nn
from ..fuser_method_mappings import reverse2, reverse3
from .backend_config import BackendConfig, BackendPatternConfig, DTypeConfig
from .backend_config import reversed_pattern as _get_pattern_in_reversed_nested_tuple_format  # noqa: F401

__all__ = [
    "entry_to_pretty_str",
    "get_fused_module_classes",
    "get_fuser_method_mapping",
    "get_fusion_pattern_to_extra_inputs_getter",
    "get_fusion_pattern_to_root_node_getter",
    "get_module_to_qat_module",
    "get_pattern_to_dtype_configs",
    "get_pattern_to_input_type_to_index",
    "get_qat_module_classes",
    "get_root_module_to_quantized_reference_module",
    "pattern_to_human_readable",
    "remove_boolean_dispatch_from_name",
]


def _by_pattern(backend_config: BackendConfig) -> dict[Any, BackendPatternConfig]:
    return backend_config._pattern_complex_format_to_config


def get_pattern_to_dtype_configs(backend_config: BackendConfig) -> dict[Any, list[DTypeConfig]]:
    """The dtypes that go together, by patterns."""
    return {key: config.dtype_configs for key, config in _by_pattern(backend_config).items()}


def get_qat_module_classes(backend_config: BackendConfig) -> tuple[type, ...]:
    """The classes of modules that round their weight in training."""
    return tuple({c.qat_module for c in backend_config.configs if c.qat_module is not None})


def get_fused_module_classes(backend_config: BackendConfig) -> tuple[type, ...]:
    """The classes of modules that are several in one."""
    return tuple({c.fused_module for c in backend_config.configs if c.fused_module is not None})


def get_pattern_to_input_type_to_index(backend_config: BackendConfig) -> dict[Any, dict[str, int]]:
    """Which arguments are weights and biases, by patterns."""
    return {key: c._input_type_to_index for key, c in _by_pattern(backend_config).items()}


def get_root_module_to_quantized_reference_module(backend_config: BackendConfig) -> dict[Any, Any]:
    """The reference modules, by the classes of modules with weights."""
    return {
        config.root_module: config.reference_quantized_module
        for config in backend_config.configs
        if config.root_module is not None and config.reference_quantized_module is not None
    }


def get_fuser_method_mapping(backend_config: BackendConfig) -> dict[Any, Callable[..., Any]]:
    """What makes one module of several, by patterns: called with the last module first."""
    return {
        pattern: _get_fuser_method_in_reversed_nested_tuple_format(config)
        for pattern, config in _by_pattern(backend_config).items()
        if config.fuser_method is not None
    }


def _get_fuser_method_in_reversed_nested_tuple_format(config: BackendPatternConfig) -> Any:
    assert config.fuser_method is not None
    if config._pattern_complex_format is not None:
        return config.fuser_method
    if not isinstance(config.pattern, tuple):
        raise ValueError(f"Expected pattern to be a tuple, got: {config.pattern}")
    if len(config.pattern) == 2:
        return reverse2(config.fuser_method)
    if len(config.pattern) == 3:
        return reverse3(config.fuser_method)
    raise ValueError(f"Expected a tuple with 2 or 3 elements, got: {config.pattern}")


def get_module_to_qat_module(backend_config: BackendConfig) -> dict[Any, Any]:
    """The classes of modules that round their weight in training, by patterns."""
    return {
        pattern: config.qat_module
        for pattern, config in _by_pattern(backend_config).items()
        if config.qat_module is not None
    }


def get_fusion_pattern_to_root_node_getter(
    backend_config: BackendConfig,
) -> dict[Any, Callable[..., Any]]:
    """What finds the node with the weight in what was matched, by patterns."""
    return {
        pattern: config._root_node_getter
        for pattern, config in _by_pattern(backend_config).items()
        if config._root_node_getter is not None
    }


def get_fusion_pattern_to_extra_inputs_getter(
    backend_config: BackendConfig,
) -> dict[Any, Callable[..., Any]]:
    """What finds further arguments in what was matched, by patterns."""
    return {
        pattern: config._extra_inputs_getter
        for pattern, config in _by_pattern(backend_config).items()
        if config._extra_inputs_getter is not None
    }


#: Functions whose names are not to be seen: what they do depends on ``return_indices``.
_UNNAMED = (
    *("fractional_max_pool2d", "fractional_max_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"),
    *("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"),
)


def remove_boolean_dispatch_from_name(p: Any) -> Any:
    """The name of a function that is chosen by an argument, or *p* as it is."""
    for name in _UNNAMED:
        if p is getattr(nn.functional, name):
            return f"torch.nn.functional.{name}"
    assert "boolean_dispatch" not in str(p), (
        f"{p} does not have a human readable representation in quantization documentation"
    )
    return p


def pattern_to_human_readable(p: Any) -> Any:
    """A pattern with names in place of functions that have none to be seen."""
    if isinstance(p, tuple):
        return tuple(pattern_to_human_readable(inner) for inner in p)
    if isinstance(p, str):
        return p
    return remove_boolean_dispatch_from_name(p)


#: What is said first of an entry.
_FIRST = ("pattern", "dtype_configs", "num_tensor_args_to_observation_type")


def entry_to_pretty_str(entry: dict[str, Any]) -> str:
    """What is known of a pattern, as text in lines."""
    text = "{\n"
    if "pattern" in entry:
        shown = pattern_to_human_readable(entry["pattern"])
        if isinstance(shown, tuple):
            shown = f"({', '.join(str(part) for part in shown)})"
        text += f"  'pattern': {shown},\n"
    text += "  'dtype_configs': [\n"
    for dtypes in entry["dtype_configs"]:
        lines = "".join(f"      '{key}': {value},\n" for key, value in dtypes.items())
        text += f"    {{\n{lines}    }},\n"
    text += "  ],\n"
    if _FIRST[2] in entry:
        lines = "".join(f"    {key}: {value},\n" for key, value in entry[_FIRST[2]].items())
        text += f"  '{_FIRST[2]}': {{\n{lines}  }},\n"
    for key, value in entry.items():
        if key not in _FIRST:
            text += f"  '{key}': {value},\n"
    return text + "}"
