"""``torch.ao.quantization.quantize``: observers put into a model, layers that round their weight.

A model is prepared (:func:`prepare`, :func:`prepare_qat`), run or trained, and converted; or only
its weights are quantized (:func:`quantize_dynamic`).
"""

from __future__ import annotations

import copy
import inspect
from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from ... import nn
from ...aten import torch
from ...core.deprecation import deprecated
from ...core.unavailable import QUANTIZED, offer_listed, why_refused
from ...core.warning import warn
from ..nn.intrinsic.modules.fused import _FusedModule
from ..nn.quantized.modules.functional_modules import FloatFunctional
from . import default_qconfigs as _qconfigs
from .observer import _is_activation_post_process as is_activation_post_process
from .observing import FakeQuantizeBase
from .qconfig import _add_module_to_qconfig_obs_ctr
from .quantization_mappings import (
    DEFAULT_MODULE_TO_ACT_POST_PROCESS,
    get_default_dynamic_quant_module_mappings,
    get_default_qat_module_mappings,
    get_default_qconfig_propagation_list,
    get_default_static_quant_module_mappings,
    get_default_static_quant_reference_module_mappings,
)
from .stubs import DeQuantStub, QuantWrapper
from .utils import DEPRECATION_WARNING, has_no_children_ignoring_parametrizations

__all__ = [
    "add_quant_dequant",
    "convert",
    "is_activation_post_process",
    "prepare",
    "prepare_qat",
    "propagate_qconfig_",
    "quantize",
    "quantize_dynamic",
    "quantize_qat",
    "swap_module",
]

#: Layers that torch replaces by others, of quantized tensors, when a model is prepared.
_REPLACED = (nn.LSTM, nn.MultiheadAttention)


def propagate_qconfig_(
    module: Any,
    qconfig_dict: dict[Any, Any] | None = None,
    prepare_custom_config_dict: dict[str, Any] | None = None,
) -> None:
    """Give every module within *module* a ``qconfig``: its own, or that of what it is in.

    :param qconfig_dict: configurations by the names or types of modules.
    :param prepare_custom_config_dict: ``non_traceable_module_name`` and ``…_class`` keep theirs.
    """
    left = prepare_custom_config_dict or {}
    _propagate(module, qconfig_dict or {}, None, "", left)


def _propagate(
    module: Any, given: dict[Any, Any], parent: Any, prefix: str, left: dict[str, Any]
) -> None:
    qconfig = given.get(type_before_parametrizations(module), parent)
    qconfig = given.get(prefix, qconfig)
    qconfig = getattr(module, "qconfig", qconfig)
    module.qconfig = _add_module_to_qconfig_obs_ctr(qconfig, module)
    for name, child in module.named_children():
        path = f"{prefix}.{name}" if prefix else name
        if path in left.get("non_traceable_module_name", ()):
            continue
        if type(child) in left.get("non_traceable_module_class", ()):
            continue
        _propagate(child, given, qconfig, path, left)


def _observer_forward_hook(self: Any, input: Any, output: Any) -> Any:
    """Let the observer see the result."""
    return self.activation_post_process(output)


def _observer_forward_pre_hook(self: Any, input: Any) -> Any:
    """Let the observer see the argument."""
    return self.activation_post_process(input[0])


def _observe(module: Any, qconfig: Any, device: Any, special: Any = None) -> None:
    """Put an observer behind *module*, if it has a configuration and none yet."""
    if qconfig is None or hasattr(module, "activation_post_process"):
        return
    made = qconfig.activation() if special is None else special()
    if device is not None:
        made.to(device)
    module.add_module("activation_post_process", made)
    if special is None and getattr(qconfig.activation(), "is_dynamic", False):
        module.register_forward_pre_hook(_observer_forward_pre_hook, prepend=True)
    else:
        module.register_forward_hook(_observer_forward_hook, prepend=True)


def _device_of(module: Any) -> Any:
    """The device of *module*, None for one without parameters. Raises AssertionError for two."""
    found = {p.device for p in module.parameters()} | {b.device for b in module.buffers()}
    assert len(found) <= 1, (
        f"prepare only works with cpu or single-device CUDA modules, but got devices {found}"
    )
    return next(iter(found), None)


def _add_observers(
    module: Any, kinds: set[Any], whole: list[Any] | None, custom: dict[Any, Any], device: Any
) -> None:
    for name, child in module.named_children():
        kind, qconfig = type_before_parametrizations(child), getattr(child, "qconfig", None)
        if kind in (nn.Dropout,):
            continue
        if kind is FloatFunctional:
            if qconfig is not None:
                child.activation_post_process = qconfig.activation()
        elif isinstance(child, _FusedModule):
            _observe(child, qconfig, device)
        elif whole is not None and kind in whole:
            if qconfig is not None:
                _observe(child, qconfig, device)
        elif qconfig is not None and kind in DEFAULT_MODULE_TO_ACT_POST_PROCESS:
            # Only where weights are rounded are these: the range is known.
            if _rounds(qconfig):
                _observe(child, qconfig, device, DEFAULT_MODULE_TO_ACT_POST_PROCESS[kind])
        elif qconfig is not None and kind in custom:
            made = custom[kind].from_float(child)
            setattr(module, name, made)
            _observe(made, made.qconfig, device)
        elif qconfig is not None and kind in _REPLACED:
            raise NotImplementedError(f"torch.ao.nn.quantizable.{kind.__name__} {QUANTIZED}")
        elif kind in kinds and kind is not DeQuantStub and not issubclass(kind, nn.Sequential):
            if _alone(child):
                _observe(child, qconfig, device)
            else:
                _add_observers(child, kinds, whole, custom, device)
        else:
            _add_observers(child, kinds, whole, custom, device)


def _alone(child: Any) -> bool:
    """Whether there are no layers within *child*, but for what rounds its weight."""
    parts = {name for name, _ in child.named_children()} - {"weight_fake_quant", "bn"}
    return not parts or has_no_children_ignoring_parametrizations(child)


def _rounds(qconfig: Any) -> bool:
    return isinstance(qconfig.activation(), FakeQuantizeBase)


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def prepare(
    model: Any,
    inplace: bool = False,
    allow_list: Any = None,
    observer_non_leaf_module_list: Any = None,
    prepare_custom_config_dict: dict[str, Any] | None = None,
) -> Any:
    """Put observers behind the layers of *model* that have a ``qconfig``.

    :param allow_list: the types of the layers; the usual ones if it is not given.
    :param observer_non_leaf_module_list: types that are observed though they have layers within.

    Raises NotImplementedError for layers that torch replaces by others, as LSTM.
    """
    config = prepare_custom_config_dict or {}
    custom = config.get("float_to_observed_custom_module_class", {})
    if not inplace:
        model = copy.deepcopy(model)
    kinds = allow_list if allow_list is not None else get_default_qconfig_propagation_list()
    propagate_qconfig_(model, qconfig_dict=None)
    if not any(getattr(m, "qconfig", None) for m in model.modules()):
        warn(
            "None of the submodule got qconfig applied. Make sure you passed correct "
            "configuration through `qconfig_dict` or by assigning the `.qconfig` attribute "
            "directly on submodules",
        )
    _add_observers(model, kinds, observer_non_leaf_module_list, custom, _device_of(model))
    return model


def swap_module(
    mod: Any,
    mapping: Any,
    custom_module_class_mapping: Any,
    use_precomputed_fake_quant: bool = False,
) -> Any:
    """What the mappings make of *mod*, if it has a ``qconfig``; else *mod* itself."""
    kind = type_before_parametrizations(mod)
    if getattr(mod, "qconfig", None) is None:
        return mod
    if kind in custom_module_class_mapping:
        made = custom_module_class_mapping[kind].from_observed(mod)
    elif kind in mapping:
        target = mapping[kind]
        if why_refused(target):
            target()
        takes = inspect.signature(target.from_float).parameters
        extra = {"use_precomputed_fake_quant": use_precomputed_fake_quant}
        made = target.from_float(mod, **{k: v for k, v in extra.items() if k in takes})
    else:
        return mod
    for hook in mod._forward_pre_hooks.values():
        made.register_forward_pre_hook(hook)
    for hook in mod._forward_hooks.values():
        if hook is not _observer_forward_hook:
            made.register_forward_hook(hook)
    device = _device_of(mod)
    return made if device is None else made.to(device)


def _swapped(module: Any, mapping: Any, custom: Any, precomputed: bool = False) -> None:
    """Let the modules within *module* become what the mappings say."""
    made = {}
    for name, child in module.named_children():
        whole = isinstance(child, _FusedModule) or type_before_parametrizations(child) in custom
        if not whole:
            _swapped(child, mapping, custom, precomputed)
        made[name] = swap_module(child, mapping, custom, precomputed)
    module._modules.update(made)


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def prepare_qat(model: Any, mapping: Any = None, inplace: bool = False) -> Any:
    """Make layers of *model* round their weight, and put what rounds behind them.

    Raises AssertionError for a model in evaluation.
    """
    assert model.training, "prepare_qat only works on models in training mode"
    mapping = get_default_qat_module_mappings() if mapping is None else mapping
    if not inplace:
        model = copy.deepcopy(model)
    propagate_qconfig_(model, qconfig_dict=None)
    _swapped(model, mapping, {})
    prepare(model, observer_non_leaf_module_list=set(mapping.values()), inplace=True)
    return model


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def convert(
    module: Any,
    mapping: Any = None,
    inplace: bool = False,
    remove_qconfig: bool = True,
    is_reference: bool = False,
    convert_custom_config_dict: dict[str, Any] | None = None,
    use_precomputed_fake_quant: bool = False,
) -> Any:
    """Make quantized modules of those within *module* that have a ``qconfig``.

    :param mapping: from classes of modules to what they become; the usual one for what was
        observed, if it is not given.
    :param remove_qconfig: take the configurations and observers away.
    :param convert_custom_config_dict: ``observed_to_quantized_custom_module_class`` is a mapping
        to classes with a ``from_observed``.

    Raises NotImplementedError for a module that mindtorch has no quantized one of.
    """
    if mapping is None:
        mapping = (
            get_default_static_quant_reference_module_mappings()
            if is_reference
            else get_default_static_quant_module_mappings()
        )
    custom = (convert_custom_config_dict or {}).get("observed_to_quantized_custom_module_class", {})
    if not inplace:
        module = copy.deepcopy(module)
    _swapped(module, mapping, custom, use_precomputed_fake_quant)
    if remove_qconfig:
        _remove_qconfig(module)
    return module


def _remove_qconfig(module: Any) -> None:
    for child in module.children():
        _remove_qconfig(child)
    if hasattr(module, "qconfig"):
        del module.qconfig
    if hasattr(module, "activation_post_process") and is_activation_post_process(
        module.activation_post_process
    ):
        del module.activation_post_process
    for hooks in (module._forward_pre_hooks, module._forward_hooks):
        for key, hook in list(hooks.items()):
            if hook in (_observer_forward_hook, _observer_forward_pre_hook):
                hooks.pop(key)


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def quantize(
    model: Any, run_fn: Any, run_args: Any, mapping: Any = None, inplace: bool = False
) -> Any:
    """Observe *model* while ``run_fn(model, *run_args)`` runs, then make it a quantized one."""
    mapping = get_default_static_quant_module_mappings() if mapping is None else mapping
    if not inplace:
        model = copy.deepcopy(model)
    model.eval()
    prepare(model, inplace=True)
    run_fn(model, *run_args)
    convert(model, mapping, inplace=True)
    return model


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def quantize_qat(model: Any, run_fn: Any, run_args: Any, inplace: bool = False) -> Any:
    """Train *model* with rounding by ``run_fn(model, *run_args)``, then make it a quantized one."""
    if not inplace:
        model = copy.deepcopy(model)
    model.train()
    prepare_qat(model, inplace=True)
    run_fn(model, *run_args)
    convert(model, inplace=True)
    return model


_LINEAR_AND_RECURRENT = (nn.Linear, nn.LSTM, nn.GRU, nn.LSTMCell, nn.RNNCell, nn.GRUCell)
#: dtype of weights -> the configuration, and the modules that have it unless others are named.
_DYNAMIC: dict[Any, tuple[Any, tuple[Any, ...]]] = {
    torch.qint8: (_qconfigs.default_dynamic_qconfig, _LINEAR_AND_RECURRENT),
    torch.float16: (_qconfigs.float16_dynamic_qconfig, _LINEAR_AND_RECURRENT),
    torch.quint8: (_qconfigs.float_qparams_weight_only_qconfig, (nn.EmbeddingBag, nn.Embedding)),
    torch.quint4x2: (_qconfigs.float_qparams_weight_only_qconfig_4bit, (nn.EmbeddingBag,)),
}


@deprecated(DEPRECATION_WARNING, category=DeprecationWarning)
def quantize_dynamic(
    model: Any,
    qconfig_spec: Any = None,
    dtype: Any = torch.qint8,
    mapping: Any = None,
    inplace: bool = False,
) -> Any:
    """*model* with quantized weights, whose inputs are rounded as they come.

    :param qconfig_spec: names and types of the modules, or a dictionary from these to
        configurations; by default all that *dtype* is usual for.
    :param dtype: of the weights, where no configuration is given: ``torch.qint8``,
        ``torch.float16``.
    :param mapping: from classes of modules to what they become.

    Raises ValueError (without *qconfig_spec*) or RuntimeError for another dtype,
    NotImplementedError for modules that mindtorch has no quantized ones of.
    """
    if qconfig_spec is None:
        if dtype not in _DYNAMIC:
            raise ValueError(
                f"Don't know how to quantize with default settings for {dtype}. Provide full "
                "qconfig please"
            )
        qconfig, kinds = _DYNAMIC[dtype]
        qconfig_spec = dict.fromkeys(kinds, qconfig)
    elif isinstance(qconfig_spec, set):
        if dtype not in _DYNAMIC:
            raise RuntimeError("Unknown dtype specified for quantize_dynamic: ", str(dtype))
        qconfig_spec = dict.fromkeys(qconfig_spec, _DYNAMIC[dtype][0])
    mapping = get_default_dynamic_quant_module_mappings() if mapping is None else mapping
    if not inplace:
        model = copy.deepcopy(model)
    model.eval()
    propagate_qconfig_(model, qconfig_spec)
    convert(model, mapping, inplace=True)
    return model


def add_quant_dequant(module: Any) -> Any:
    """Wrap the layers that have a ``qconfig`` into a :class:`QuantWrapper` each."""
    bare = has_no_children_ignoring_parametrizations(module)
    if bare and getattr(module, "qconfig", None):
        return QuantWrapper(module)
    for name, child in module.named_children():
        module._modules[name] = add_quant_dequant(child)
    return module


offer_listed(globals())
