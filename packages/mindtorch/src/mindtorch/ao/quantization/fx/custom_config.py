"""``torch.ao.quantization.fx.custom_config``: what is fused, prepared and converted otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..backend_config import BackendConfig
from ..qconfig_mapping import QConfigMapping
from ..quant_type import QuantType

__all__ = [
    "ConvertCustomConfig",
    "FuseCustomConfig",
    "PrepareCustomConfig",
    "StandaloneModuleConfigEntry",
]

_KINDS = {kind.name.lower(): kind for kind in QuantType}


def _by_name(mapping: dict[Any, dict[Any, Any]]) -> dict[str, dict[Any, Any]]:
    """Mappings by the names of kinds of quantization."""
    return {kind.name.lower(): known for kind, known in mapping.items()}


def _kind(name: str) -> Any:
    if name not in _KINDS:
        raise ValueError(f"Unknown QuantType name '{name}'")
    return _KINDS[name]


def _said(config: Any) -> str:
    return f"{type(config).__name__}({ {k: v for k, v in vars(config).items() if len(v) > 0} })"


@dataclass
class StandaloneModuleConfigEntry:
    """How a module that is quantized for itself is."""

    qconfig_mapping: QConfigMapping | None
    example_inputs: tuple[Any, ...]
    prepare_custom_config: PrepareCustomConfig | None
    backend_config: BackendConfig | None

    def _as_tuple(self, key: Any) -> tuple[Any, ...]:
        mapping, custom = self.qconfig_mapping, self.prepare_custom_config
        return (
            key,
            mapping.to_dict() if mapping else None,
            self.example_inputs,
            custom.to_dict() if custom else None,
            self.backend_config,
        )


def _made(given: Any, kind: Any, key: str) -> Any:
    """A configuration of *kind*: as it is, or of a dict. Raises ValueError for another thing."""
    if isinstance(given, kind) or given is None:
        return given
    if isinstance(given, dict):
        return kind.from_dict(given)
    raise ValueError(
        f"Expected {kind.__name__} in prepare_custom_config_dict[\"{key}\"], got '{type(given)}'"
    )


#: The attributes of what is prepared otherwise, by the names that dicts have for them.
_LISTS = {
    "non_traceable_module_name": "non_traceable_module_names",
    "non_traceable_module_class": "non_traceable_module_classes",
    "input_quantized_idxs": "input_quantized_indexes",
    "output_quantized_idxs": "output_quantized_indexes",
    "preserved_attributes": "preserved_attributes",
}
_FLOAT = "float_to_observed_custom_module_class"
_OBSERVED = "observed_to_quantized_custom_module_class"


class PrepareCustomConfig:
    """What of a model is observed otherwise than the rest, or not at all."""

    def __init__(self) -> None:
        self.standalone_module_names: dict[str, StandaloneModuleConfigEntry] = {}
        self.standalone_module_classes: dict[type, StandaloneModuleConfigEntry] = {}
        self.float_to_observed_mapping: dict[QuantType, dict[type, type]] = {}
        self.non_traceable_module_names: list[str] = []
        self.non_traceable_module_classes: list[type] = []
        self.input_quantized_indexes: list[int] = []
        self.output_quantized_indexes: list[int] = []
        self.preserved_attributes: list[str] = []

    def __repr__(self) -> str:
        return _said(self)

    def set_standalone_module_name(
        self,
        module_name: str,
        qconfig_mapping: QConfigMapping | None,
        example_inputs: tuple[Any, ...],
        prepare_custom_config: PrepareCustomConfig | None,
        backend_config: BackendConfig | None,
    ) -> PrepareCustomConfig:
        """Quantize the module of a name for itself."""
        self.standalone_module_names[module_name] = StandaloneModuleConfigEntry(
            qconfig_mapping, example_inputs, prepare_custom_config, backend_config
        )
        return self

    def set_standalone_module_class(
        self,
        module_class: type,
        qconfig_mapping: QConfigMapping | None,
        example_inputs: tuple[Any, ...],
        prepare_custom_config: PrepareCustomConfig | None,
        backend_config: BackendConfig | None,
    ) -> PrepareCustomConfig:
        """Quantize the modules of a class for themselves."""
        self.standalone_module_classes[module_class] = StandaloneModuleConfigEntry(
            qconfig_mapping, example_inputs, prepare_custom_config, backend_config
        )
        return self

    def set_float_to_observed_mapping(
        self, float_class: type, observed_class: type, quant_type: QuantType = QuantType.STATIC
    ) -> PrepareCustomConfig:
        """Observe modules of a class by another class.

        Raises ValueError for another kind of quantization than a static one.
        """
        if quant_type != QuantType.STATIC:
            raise ValueError(
                "set_float_to_observed_mapping is currently only supported for static quantization"
            )
        self.float_to_observed_mapping.setdefault(quant_type, {})[float_class] = observed_class
        return self

    def set_non_traceable_module_names(self, module_names: list[str]) -> PrepareCustomConfig:
        """Set the names of modules whose calls are not followed."""
        self.non_traceable_module_names = module_names
        return self

    def set_non_traceable_module_classes(self, module_classes: list[type]) -> PrepareCustomConfig:
        """Set the classes of modules whose calls are not followed."""
        self.non_traceable_module_classes = module_classes
        return self

    def set_input_quantized_indexes(self, indexes: list[int]) -> PrepareCustomConfig:
        """Set which arguments of the model are quantized tensors."""
        self.input_quantized_indexes = indexes
        return self

    def set_output_quantized_indexes(self, indexes: list[int]) -> PrepareCustomConfig:
        """Set which results of the model are quantized tensors."""
        self.output_quantized_indexes = indexes
        return self

    def set_preserved_attributes(self, attributes: list[str]) -> PrepareCustomConfig:
        """Set which attributes of the model are kept that it does not use."""
        self.preserved_attributes = attributes
        return self

    @classmethod
    def from_dict(cls, prepare_custom_config_dict: dict[str, Any]) -> PrepareCustomConfig:
        """The configuration of such a dict. Raises ValueError for what is none in it."""
        given, made = prepare_custom_config_dict, cls()
        for key in ("standalone_module_name", "standalone_module_class"):
            for target, mapping, example_inputs, custom, backend in given.get(key, []):
                entry = (
                    _made(mapping, QConfigMapping, key),
                    example_inputs,
                    _made(custom, PrepareCustomConfig, key),
                    _made(backend, BackendConfig, key),
                )
                getattr(made, f"set_{key}")(target, *entry)
        for name, mapping in given.get(_FLOAT, {}).items():
            kind = _kind(name)
            for one, other in mapping.items():
                made.set_float_to_observed_mapping(one, other, kind)
        for key, name in _LISTS.items():
            getattr(made, f"set_{name}")(given.get(key, []))
        return made

    def to_dict(self) -> dict[str, Any]:
        """What is set, as a dict."""
        found: dict[str, Any] = {}
        for kind, entries in (
            ("name", self.standalone_module_names),
            ("class", self.standalone_module_classes),
        ):
            made = [entry._as_tuple(key) for key, entry in entries.items()]  # type: ignore[attr-defined]
            if made:
                found[f"standalone_module_{kind}"] = made
        if self.float_to_observed_mapping:
            found[_FLOAT] = _by_name(self.float_to_observed_mapping)
        for key, name in _LISTS.items():
            if len(getattr(self, name)) > 0:
                found[key] = getattr(self, name)
        return found


class ConvertCustomConfig:
    """What of a model is converted otherwise than the rest."""

    def __init__(self) -> None:
        self.observed_to_quantized_mapping: dict[QuantType, dict[type, type]] = {}
        self.preserved_attributes: list[str] = []

    def __repr__(self) -> str:
        return _said(self)

    def set_observed_to_quantized_mapping(
        self, observed_class: type, quantized_class: type, quant_type: QuantType = QuantType.STATIC
    ) -> ConvertCustomConfig:
        """Make quantized modules of a class of observed ones by another class."""
        known = self.observed_to_quantized_mapping.setdefault(quant_type, {})
        known[observed_class] = quantized_class
        return self

    def set_preserved_attributes(self, attributes: list[str]) -> ConvertCustomConfig:
        """Set which attributes of the model are kept that it does not use."""
        self.preserved_attributes = attributes
        return self

    @classmethod
    def from_dict(cls, convert_custom_config_dict: dict[str, Any]) -> ConvertCustomConfig:
        """The configuration of such a dict. Raises ValueError for what is none in it."""
        made = cls()
        for name, mapping in convert_custom_config_dict.get(_OBSERVED, {}).items():
            kind = _kind(name)
            for one, other in mapping.items():
                made.set_observed_to_quantized_mapping(one, other, kind)
        kept = convert_custom_config_dict.get("preserved_attributes", [])
        return made.set_preserved_attributes(kept)

    def to_dict(self) -> dict[str, Any]:
        """What is set, as a dict."""
        found: dict[str, Any] = {}
        if self.observed_to_quantized_mapping:
            found[_OBSERVED] = _by_name(self.observed_to_quantized_mapping)
        if len(self.preserved_attributes) > 0:
            found["preserved_attributes"] = self.preserved_attributes
        return found


class FuseCustomConfig:
    """What of a model is kept when its layers become one."""

    def __init__(self) -> None:
        self.preserved_attributes: list[str] = []

    def __repr__(self) -> str:
        return _said(self)

    def set_preserved_attributes(self, attributes: list[str]) -> FuseCustomConfig:
        """Set which attributes of the model are kept that it does not use."""
        self.preserved_attributes = attributes
        return self

    @classmethod
    def from_dict(cls, fuse_custom_config_dict: dict[str, Any]) -> FuseCustomConfig:
        """The configuration of such a dict."""
        kept = fuse_custom_config_dict.get("preserved_attributes", [])
        return cls().set_preserved_attributes(kept)

    def to_dict(self) -> dict[str, Any]:
        """What is set, as a dict."""
        kept = self.preserved_attributes
        return {"preserved_attributes": kept} if len(kept) > 0 else {}
