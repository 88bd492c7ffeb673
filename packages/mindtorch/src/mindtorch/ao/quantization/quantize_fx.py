"""``torch.ao.quantization.quantize_fx``: models that are quantized by their graphs."""

from __future__ import annotations

from typing import Any

from ...core.deprecation import deprecated
from ...core.unavailable import offer_listed
from ...fx import symbolic_trace
from ...fx.graph_module import GraphModule
from ..nn.quantized.modules.functional_modules import FloatFunctional, FXFloatFunctional
from .backend_config import BackendConfig
from .fx.convert import convert
from .fx.custom_config import ConvertCustomConfig, FuseCustomConfig, PrepareCustomConfig
from .fx.fuse import as_config, fuse
from .fx.prepare import prepare
from .fx.tracer import QuantizationTracer
from .qconfig_mapping import QConfigMapping
from .utils import DEPRECATION_WARNING

__all__ = [
    "attach_preserved_attrs_to_model",
    "convert_fx",
    "convert_to_reference_fx",
    "fuse_fx",
    "prepare_fx",
    "prepare_qat_fx",
]

_KEPT = "_user_preserved_attributes"


def attach_preserved_attrs_to_model(model: Any, preserved_attrs: dict[str, Any]) -> None:
    """Give *model* attributes, which are kept when it is converted."""
    model.meta[_KEPT] = dict(preserved_attrs)
    for name, value in preserved_attrs.items():
        setattr(model, name, value)


def _kept(model: Any, names: list[str]) -> dict[str, Any]:
    return {name: getattr(model, name) for name in names if hasattr(model, name)}


def fuse_fx(
    model: Any,
    fuse_custom_config: FuseCustomConfig | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
) -> GraphModule:
    """The graph of *model* with one layer where a backend computes several at once.

    :param model: in evaluation.
    :param fuse_custom_config: which attributes are kept.
    :param backend_config: what becomes one; torch's own kernels by default.
    """
    custom = as_config(fuse_custom_config, FuseCustomConfig, "fuse_custom_config", "fuse_fx")
    kept = _kept(model, custom.preserved_attributes)
    fused = fuse(symbolic_trace(model), False, custom, backend_config)
    attach_preserved_attrs_to_model(fused, kept)
    return fused


def _without_functional(module: Any) -> None:
    """Let what adds and multiplies as a module be followed."""
    for name, child in list(module.named_children()):
        if isinstance(child, FloatFunctional):
            module._modules[name] = FXFloatFunctional()
        else:
            _without_functional(child)


def _prepared(
    model: Any,
    qconfig_mapping: Any,
    is_qat: bool,
    example_inputs: tuple[Any, ...],
    prepare_custom_config: Any,
    equalization: Any,
    backend_config: Any,
) -> GraphModule:
    custom = as_config(
        prepare_custom_config, PrepareCustomConfig, "prepare_custom_config", "prepare_fx"
    )
    _without_functional(model)
    names = [*custom.non_traceable_module_names, *custom.standalone_module_names]
    kinds = [
        *custom.non_traceable_module_classes,
        *custom.standalone_module_classes,
        *(kind for known in custom.float_to_observed_mapping.values() for kind in known),
    ]
    kept = _kept(model, custom.preserved_attributes)
    tracer = QuantizationTracer(names, kinds)
    traced = GraphModule(model, tracer.trace(model))
    fused = fuse(
        traced,
        is_qat,
        FuseCustomConfig().set_preserved_attributes(custom.preserved_attributes),
        backend_config,
    )
    made = prepare(
        fused,
        qconfig_mapping,
        is_qat,
        tracer.node_name_to_scope,
        example_inputs,
        custom,
        equalization,
        backend_config,
    )
    attach_preserved_attrs_to_model(made, kept)
    return made


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def prepare_fx(
    model: Any,
    qconfig_mapping: QConfigMapping | dict[str, Any],
    example_inputs: tuple[Any, ...],
    prepare_custom_config: PrepareCustomConfig | dict[str, Any] | None = None,
    _equalization_config: QConfigMapping | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
) -> GraphModule:
    """The graph of *model* with observers where its numbers are to be quantized.

    :param model: in evaluation; its modules are used, not copied.
    :param qconfig_mapping: which observers what gets.
    :param prepare_custom_config: what is left alone, and which attributes are kept.
    :param backend_config: what can be quantized; torch's own kernels by default.
    """
    return _prepared(
        model, qconfig_mapping, False, example_inputs, prepare_custom_config,
        _equalization_config, backend_config,
    )  # fmt: skip


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def prepare_qat_fx(
    model: Any,
    qconfig_mapping: QConfigMapping | dict[str, Any],
    example_inputs: tuple[Any, ...],
    prepare_custom_config: PrepareCustomConfig | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
) -> GraphModule:
    """The graph of *model* that rounds its numbers, to be trained so; see :func:`prepare_fx`."""
    return _prepared(
        model, qconfig_mapping, True, example_inputs, prepare_custom_config, None, backend_config
    )


def _converted(model: Any, is_reference: bool, custom_config: Any, *given: Any) -> GraphModule:
    custom = as_config(custom_config, ConvertCustomConfig, "convert_custom_config", "convert_fx")
    if not isinstance(model, GraphModule):
        raise ValueError(
            f"input model must be a GraphModule, Got type:{type(model)} Please make "
            "sure to follow the tutorials."
        )
    remove, mapping, backend, keep = given
    kept = _kept(model, custom.preserved_attributes)
    made = convert(
        model, is_reference, custom, False, remove, mapping, backend, keep_original_weights=keep
    )
    attach_preserved_attrs_to_model(made, kept)
    return made


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def convert_fx(
    graph_module: GraphModule,
    convert_custom_config: ConvertCustomConfig | dict[str, Any] | None = None,
    _remove_qconfig: bool = True,
    qconfig_mapping: QConfigMapping | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
    keep_original_weights: bool = False,
) -> GraphModule:
    """The graph of quantized tensors of one with observers, which have seen numbers."""
    return _converted(
        graph_module, False, convert_custom_config, _remove_qconfig, qconfig_mapping,
        backend_config, keep_original_weights,
    )  # fmt: skip


def convert_to_reference_fx(
    graph_module: GraphModule,
    convert_custom_config: ConvertCustomConfig | dict[str, Any] | None = None,
    _remove_qconfig: bool = True,
    qconfig_mapping: QConfigMapping | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
) -> GraphModule:
    """The graph of floats that are rounded as the quantized one would, for other backends."""
    return _converted(
        graph_module, True, convert_custom_config, _remove_qconfig, qconfig_mapping,
        backend_config, False,
    )  # fmt: skip


offer_listed(globals())
