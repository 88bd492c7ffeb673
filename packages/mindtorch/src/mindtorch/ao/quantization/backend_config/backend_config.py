"""``torch.ao.quantization.backend_config.backend_config``: what a backend can quantize, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ....aten import torch

__all__ = [
    "BackendConfig",
    "BackendPatternConfig",
    "DTypeConfig",
    "DTypeWithConstraints",
    "ObservationType",
]


class ObservationType(Enum):
    """How the result of an operator is observed, beside what comes into it."""

    OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT = 0
    OUTPUT_SHARE_OBSERVER_WITH_INPUT = 1
    INPUT_OUTPUT_NOT_OBSERVED = 2


@dataclass
class DTypeWithConstraints:
    """A dtype, with the numbers and scales that a backend takes of it."""

    dtype: Any = None
    quant_min_lower_bound: int | float | None = None
    quant_max_upper_bound: int | float | None = None
    scale_min_lower_bound: int | float | None = None
    scale_max_upper_bound: int | float | None = None
    scale_exact_match: float | None = None
    zero_point_exact_match: int | None = None


def _constrained(dtype: Any) -> DTypeWithConstraints:
    return dtype if isinstance(dtype, DTypeWithConstraints) else DTypeWithConstraints(dtype=dtype)


@dataclass
class DTypeConfig:
    """The dtypes that an operator can be given together, and of what it gives."""

    input_dtype_with_constraints: DTypeWithConstraints
    output_dtype_with_constraints: DTypeWithConstraints
    weight_dtype_with_constraints: DTypeWithConstraints
    bias_dtype: Any
    is_dynamic: bool | None

    def __init__(
        self,
        input_dtype: Any = None,
        output_dtype: Any = None,
        weight_dtype: Any = None,
        bias_dtype: Any = None,
        is_dynamic: bool | None = None,
    ) -> None:
        self.input_dtype_with_constraints = _constrained(input_dtype)
        self.output_dtype_with_constraints = _constrained(output_dtype)
        self.weight_dtype_with_constraints = _constrained(weight_dtype)
        self.bias_dtype, self.is_dynamic = bias_dtype, is_dynamic

    @property
    def input_dtype(self) -> Any:
        """The dtype of what comes in."""
        return self.input_dtype_with_constraints.dtype

    @property
    def output_dtype(self) -> Any:
        """The dtype of the result."""
        return self.output_dtype_with_constraints.dtype

    @property
    def weight_dtype(self) -> Any:
        """The dtype of the weight."""
        return self.weight_dtype_with_constraints.dtype

    @classmethod
    def from_dict(cls, dtype_config_dict: dict[str, Any]) -> DTypeConfig:
        """The configuration of such a dict.

        Raises ValueError for a dtype that is none.
        """
        for name in ("input_dtype", "output_dtype", "weight_dtype"):
            given = dtype_config_dict.get(name)
            if given is not None and not isinstance(given, torch.dtype | DTypeWithConstraints):
                raise ValueError(f"Expected {name} to be a torch.dtype or DTypeWithConstraints")
        names = ("input_dtype", "output_dtype", "weight_dtype", "bias_dtype", "is_dynamic")
        return cls(*(dtype_config_dict.get(name) for name in names))

    def to_dict(self) -> dict[str, Any]:
        """What is set, as a dict."""
        found: dict[str, Any] = {}
        for name in ("input_dtype", "output_dtype", "weight_dtype"):
            if getattr(self, name) is not None:
                found[name] = getattr(self, f"{name}_with_constraints")
        if self.bias_dtype is not None:
            found["bias_dtype"] = self.bias_dtype
        if self.is_dynamic is not None:
            found["is_dynamic"] = self.is_dynamic
        return found


class BackendConfig:
    """What a backend can quantize: the patterns of operators that it has kernels for."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self._pattern_complex_format_to_config: dict[Any, BackendPatternConfig] = {}

    def __repr__(self) -> str:
        return f"BackendConfig({self.__dict__})"

    def set_name(self, name: str) -> BackendConfig:
        """Set the backend's name."""
        self.name = name
        return self

    def set_backend_pattern_config(self, config: BackendPatternConfig) -> BackendConfig:
        """Set what is known of one pattern.

        Raises ValueError for a pattern of other than one, two or three operators.
        """
        self._pattern_complex_format_to_config[reversed_pattern(config)] = config
        return self

    def set_backend_pattern_configs(self, configs: list[BackendPatternConfig]) -> BackendConfig:
        """Set what is known of several patterns."""
        for config in configs:
            self.set_backend_pattern_config(config)
        return self

    @property
    def configs(self) -> list[BackendPatternConfig]:
        """A copy of what is known."""
        return list(self._pattern_complex_format_to_config.values())

    @classmethod
    def from_dict(cls, backend_config_dict: dict[str, Any]) -> BackendConfig:
        """The configuration of such a dict.

        Raises ValueError for a pattern's configuration that is none.
        """
        made = cls(backend_config_dict.get("name", ""))
        for config in backend_config_dict.get("configs", []):
            if isinstance(config, dict):
                config = BackendPatternConfig.from_dict(config)
            elif not isinstance(config, BackendPatternConfig):
                raise ValueError("Expected backend_config_dict['configs'] to be a dictionary")
            made.set_backend_pattern_config(config)
        return made

    def to_dict(self) -> dict[str, Any]:
        """The configuration as a dict."""
        return {"name": self.name, "configs": [config.to_dict() for config in self.configs]}


#: The attributes of what is known of a pattern, by the names that dicts have for them.
_ENTRIES = {
    "pattern": "pattern",
    "root_module": "root_module",
    "qat_module": "qat_module",
    "reference_quantized_module_for_root": "reference_quantized_module",
    "fused_module": "fused_module",
    "fuser_method": "fuser_method",
    "root_node_getter": "_root_node_getter",
    "extra_inputs_getter": "_extra_inputs_getter",
    "num_tensor_args_to_observation_type": "_num_tensor_args_to_observation_type",
    "input_type_to_index": "_input_type_to_index",
    "pattern_complex_format": "_pattern_complex_format",
}
_ONE_FORMAT = "Only one of 'pattern' or 'pattern_complex_format' can be set"


class BackendPatternConfig:
    """What a backend can do with one operator or several in a row."""

    def __init__(self, pattern: Any = None) -> None:
        self.pattern = pattern
        self.observation_type = ObservationType.OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT
        self.dtype_configs: list[DTypeConfig] = []
        self.root_module: Any = None
        self.qat_module: Any = None
        self.reference_quantized_module: Any = None
        self.fused_module: Any = None
        self.fuser_method: Any = None
        self._root_node_getter: Any = None
        self._extra_inputs_getter: Any = None
        self._num_tensor_args_to_observation_type: dict[int, ObservationType] = {}
        self._input_type_to_index: dict[str, int] = {}
        self._pattern_complex_format: Any = None

    def __repr__(self) -> str:
        said = {name: value for name, value in vars(self).items() if value not in (None, [], {})}
        return f"BackendPatternConfig({said})"

    def set_pattern(self, pattern: Any) -> BackendPatternConfig:
        """Set the operators, in the order in which they are called.

        Raises ValueError where they are set as nested tuples.
        """
        if self._pattern_complex_format is not None:
            raise ValueError(_ONE_FORMAT)
        self.pattern = pattern
        return self

    def set_observation_type(self, observation_type: ObservationType) -> BackendPatternConfig:
        """Set how the result is observed."""
        self.observation_type = observation_type
        return self

    def add_dtype_config(self, dtype_config: DTypeConfig) -> BackendPatternConfig:
        """Add dtypes that can go together."""
        self.dtype_configs.append(dtype_config)
        return self

    def set_dtype_configs(self, dtype_configs: list[DTypeConfig]) -> BackendPatternConfig:
        """Set all dtypes that can go together."""
        self.dtype_configs = dtype_configs
        return self

    def set_root_module(self, root_module: type) -> BackendPatternConfig:
        """Set the class of the module that has the weight."""
        self.root_module = root_module
        return self

    def set_qat_module(self, qat_module: type) -> BackendPatternConfig:
        """Set the class of modules that round the weight in training."""
        self.qat_module = qat_module
        return self

    def set_reference_quantized_module(self, reference_quantized_module: type) -> Any:
        """Set the class of modules that compute with floats what the quantized one would."""
        self.reference_quantized_module = reference_quantized_module
        return self

    def set_fused_module(self, fused_module: type) -> BackendPatternConfig:
        """Set the class that the operators become as one."""
        self.fused_module = fused_module
        return self

    def set_fuser_method(self, fuser_method: Callable[..., Any]) -> BackendPatternConfig:
        """Set what makes one module of several."""
        self.fuser_method = fuser_method
        return self

    def _set_root_node_getter(self, root_node_getter: Callable[..., Any]) -> BackendPatternConfig:
        self._root_node_getter = root_node_getter
        return self

    def _set_extra_inputs_getter(self, extra_inputs_getter: Callable[..., Any]) -> Any:
        self._extra_inputs_getter = extra_inputs_getter
        return self

    def _set_num_tensor_args_to_observation_type(
        self, num_tensor_args_to_observation_type: dict[int, ObservationType]
    ) -> BackendPatternConfig:
        self._num_tensor_args_to_observation_type = num_tensor_args_to_observation_type
        return self

    def _set_input_type_to_index(self, input_type_to_index: dict[str, int]) -> Any:
        self._input_type_to_index = input_type_to_index
        return self

    def _set_pattern_complex_format(self, pattern: Any) -> BackendPatternConfig:
        if self.pattern is not None:
            raise ValueError(_ONE_FORMAT)
        self._pattern_complex_format = pattern
        return self

    @classmethod
    def from_dict(cls, backend_pattern_config_dict: dict[str, Any]) -> BackendPatternConfig:
        """What is known of a pattern, from such a dict.

        Raises ValueError for dtypes that are none.
        """
        given, made = backend_pattern_config_dict, cls()
        if "observation_type" in given:
            made.observation_type = given["observation_type"]
        for config in given.get("dtype_configs", []):
            if isinstance(config, dict):
                config = DTypeConfig.from_dict(config)
            elif not isinstance(config, DTypeConfig):
                raise ValueError(
                    "Expected a list of DTypeConfigs in "
                    f"backend_pattern_config_dict[\"dtype_configs\"], got '{type(config)}'"
                )
            made.add_dtype_config(config)
        for key, name in _ENTRIES.items():
            if given.get(key) is not None:
                setattr(made, name, given[key])
        return made

    def to_dict(self) -> dict[str, Any]:
        """What is set, as a dict."""
        found: dict[str, Any] = {
            "observation_type": self.observation_type,
            "dtype_configs": [config.to_dict() for config in self.dtype_configs],
        }
        for key, name in _ENTRIES.items():
            value = getattr(self, name)
            if value is not None and value != {}:
                found[key] = value
        return found


def reversed_pattern(config: BackendPatternConfig) -> Any:
    """The pattern of *config* with the last operator first, each with what comes into it.

    Raises ValueError where there is none, or one of other than one, two or three operators.
    """
    if config._pattern_complex_format is not None:
        return config._pattern_complex_format
    pattern = config.pattern
    if pattern is None:
        raise ValueError("Either 'pattern' or 'pattern_complex_format' must be specified")
    if not isinstance(pattern, tuple):
        return pattern
    if len(pattern) == 2:
        return pattern[1], pattern[0]
    if len(pattern) == 3:
        return pattern[2], (pattern[1], pattern[0])
    raise ValueError(f"Expected a tuple with 2 or 3 elements, got: {pattern}")
