"""``torch.ao.quantization.fx.convert``: observers that become steps between kinds of numbers."""

from __future__ import annotations

import copy
from typing import Any

from mindtorch.core.unavailable import QUANTIZED, offer_listed
from mindtorch.nn.utils.parametrize import type_before_parametrizations

from .... import nn
from ....aten import torch
from ....backends import quantized
from ....fx.graph_module import GraphModule
from ....fx.node import Node
from ...nn.intrinsic.modules.fused import _FusedModule
from ..backend_config import BackendConfig
from ..backend_config.utils import (
    get_fused_module_classes,
    get_pattern_to_dtype_configs,
    get_qat_module_classes,
    get_root_module_to_quantized_reference_module,
)
from ..observer import _is_activation_post_process
from ..qconfig_mapping import QConfigMapping
from ..quantize import _remove_qconfig
from ..stubs import DeQuantStub
from ..utils import get_qparam_dict, weight_is_quantized
from .custom_config import ConvertCustomConfig
from .dtype_support import supported_by_dtypes
from .fuse import as_backend, as_config
from .lowering import lowered
from .utils import OBSERVED, ObservedGraphModuleAttrs, buffer_node, module_of, parent_and_name

__all__ = ["convert"]

_STATIC = (torch.quint8, torch.qint8, torch.qint32)
_ASSIGN = (*_STATIC, torch.float16)


class _Converted:
    """A graph with observers that becomes one of quantized numbers."""

    def __init__(
        self, model: GraphModule, attrs: ObservedGraphModuleAttrs, backend: BackendConfig
    ) -> None:
        self.model, self.graph, self.attrs = model, model.graph, attrs
        self.named = dict(model.named_modules(remove_duplicate=False))
        self.configs, self.scopes = attrs.node_name_to_qconfig, attrs.node_name_to_scope
        self.references = get_root_module_to_quantized_reference_module(backend)
        self.trained = get_qat_module_classes(backend)
        self.fused = get_fused_module_classes(backend)
        self.dtypes = get_pattern_to_dtype_configs(backend)
        self.backend = backend

    def _unconfigured(self, node: Any) -> bool:
        return isinstance(node, Node) and self.configs.get(node.name, node) is None

    # -- weights of functions ----------------------------------------------------------------------

    def observe_weights(self) -> None:
        """Let the observers of weights that functions are given see these."""
        known = self.backend._pattern_complex_format_to_config
        for node in self.graph.nodes:
            if node.op != "call_function" or node.target not in known:
                continue
            index = known[node.target]._input_type_to_index.get("weight")
            if index is None:
                continue
            found = node.args[index] if index < len(node.args) else node.kwargs.get("weight")
            module = module_of(found, self.named) if isinstance(found, Node) else None
            if module is not None and _is_activation_post_process(module):
                value = self._weight(found.args[0])
                if value is not None:
                    module(value)

    def _weight(self, node: Any) -> Any:
        """The value of a node that is computed of attributes alone; None of another."""
        if not isinstance(node, Node) or node.op == "placeholder":
            return None
        if node.op == "get_attr":
            value: Any = self.model
            for part in str(node.target).split("."):
                value = getattr(value, part)
            return value
        args = [self._weight(a) if isinstance(a, Node) else a for a in node.args]
        kwargs = {k: self._weight(a) if isinstance(a, Node) else a for k, a in node.kwargs.items()}
        if any(a is None for a in args):
            return None
        if node.op == "call_module":
            return self.named[str(node.target)](*args, **kwargs)
        if node.op == "call_method":
            return getattr(args[0], str(node.target))(*args[1:], **kwargs)
        return node.target(*args, **kwargs)  # type: ignore[operator]  # it calls a function

    # -- nodes -------------------------------------------------------------------------------------

    def convert_nodes(self) -> None:
        """Convert what is called, what comes in and what goes out."""
        custom, place = self.attrs.prepare_custom_config, 0
        for node in list(self.graph.nodes):
            if node.op == "placeholder":
                if place in custom.input_quantized_indexes:
                    self._dequantize_behind(node)
                place += 1
            elif node.op == "output":
                self._keep_quantized(node, custom.output_quantized_indexes)
            elif node.op == "call_module":
                self._convert_call(node)

    def _dequantize_behind(self, node: Node) -> None:
        with self.graph.inserting_after(node):
            made = self.graph.call_method("dequantize", args=(node,))
            for user in list(node.users):
                if user is not made:
                    user.replace_input_with(node, made)

    def _keep_quantized(self, node: Node, indexes: list[int]) -> None:
        """Leave out the last step of results that are to be quantized tensors."""
        if not indexes:
            return
        result = node.args[0]
        if isinstance(result, Node):
            self._undo(node, result)
        elif isinstance(result, list | tuple):
            for i, part in enumerate(result):
                if i in indexes:
                    self._undo(node, part)

    def _undo(self, user: Node, arg: Any) -> None:
        if isinstance(arg, Node) and arg.op == "call_method" and arg.target == "dequantize":
            user.replace_input_with(arg, arg.args[0])
            if not arg.users:
                self.graph.erase_node(arg)

    def _convert_call(self, node: Node) -> None:
        module = self.named[str(node.target)]
        kind = type_before_parametrizations(module)
        if _is_activation_post_process(module):
            self._convert_observer(node, module)
        elif isinstance(module, DeQuantStub):
            with self.graph.inserting_before(node):
                made = self.graph.call_method("dequantize", args=(node.args[0],))
            node.replace_all_uses_with(made)
            self.graph.erase_node(node)
        elif kind in (*self.references, *self.trained, *self.fused):
            if kind in self.fused and type(module[0]) not in self.references:
                return
            self._convert_weighted(node, module)

    def _prefix(self, node: Node) -> str:
        """What the scales of an observer are called after: the module before it, or behind it."""
        seen: Any = node.args[0]
        prefix = ""
        if self.configs.get(seen.name) is None:
            users = list(node.users)
            linear = nn.functional.linear
            found = [u for u in users if u.op == "call_function" and u.target is linear]
            seen, prefix = (found or users or [None])[0], "_input"
        if seen is None or seen.name not in self.scopes:
            return prefix
        return self.scopes[seen.name][0] + prefix

    def _convert_observer(self, node: Node, observer: Any) -> None:
        dtype, dynamic = observer.dtype, bool(getattr(observer, "is_dynamic", False))
        around = (*node.args, *node.users)
        if all(self._unconfigured(n) for n in around) or dtype not in _ASSIGN:
            node.replace_all_uses_with(node.args[0])
            self.graph.erase_node(node)
            return
        graph, given = self.graph, [node.args[0]]
        if dynamic:
            reduced = quantized.engine in ("fbgemm", "x86")
            with graph.inserting_before(node):
                step = graph.call_function(
                    torch.quantize_per_tensor_dynamic, (node.args[0], dtype, reduced)
                )
                self._replace(node, graph.call_method("dequantize", args=(step,)))
            return
        if dtype == torch.float16:
            with graph.inserting_before(node):
                step = graph.call_method("to", args=(node.args[0], dtype))
                self._replace(node, graph.call_method("dequantize", args=(step,)))
            return
        prefix = self._prefix(node)
        scale, place = observer.calculate_qparams()
        channels = observer.qscheme in _OF_CHANNELS
        function = torch.quantize_per_channel if channels else torch.quantize_per_tensor
        if not channels:
            scale, place = float(scale), int(place)
        with graph.inserting_before(node):
            for name, value in (("_scale_", scale), ("_zero_point_", place)):
                given.append(buffer_node(self.model, graph, prefix + name, value))
            given += [int(observer.ch_axis)] if channels else []
            step = graph.call_function(function, (*given, dtype))
            self._replace(node, graph.call_method("dequantize", args=(step,)))

    def _replace(self, node: Node, made: Node) -> None:
        node.replace_all_uses_with(made)
        self.graph.erase_node(node)

    # -- modules with weights ----------------------------------------------------------------------

    def _convert_weighted(self, node: Node, module: Any) -> None:
        qconfig, seen = module.qconfig, None
        parent, name = parent_and_name(str(node.target))
        if isinstance(module, self.trained):
            seen = module.weight_fake_quant
            module = module.to_float()
            setattr(self.named[parent], name, module)
        observed = node.name in self.attrs.observed_node_names
        if qconfig is None or self._unconfigured(node) or not observed:
            return
        if not supported_by_dtypes(qconfig, self.dtypes.get(type(module), [])):
            return
        if not weight_is_quantized(qconfig):
            return
        inner = module[0] if isinstance(module, _FusedModule) else module
        known: dict[str, Any] = {"is_decomposed": False, **_observed_weights(inner, qconfig, seen)}
        made = self.references[type_before_parametrizations(inner)].from_float(inner, known)
        if inner is module:
            setattr(self.named[parent], name, made)
        else:
            module[0] = made


_OF_CHANNELS = (
    torch.per_channel_affine,
    torch.per_channel_symmetric,
    torch.per_channel_affine_float_qparams,
)


def _observed_weights(module: Any, qconfig: Any, seen: Any) -> dict[str, Any]:
    """Schemes, dtypes, scales and zero points of the weights of *module*."""
    if isinstance(module, nn.RNNCellBase | nn.LSTM | nn.GRU):
        names = [n for n, _ in module.named_parameters() if n.startswith("weight")]
        return {n: get_qparam_dict(_seen(qconfig, getattr(module, n))) for n in names}
    if seen is None:
        seen = _seen(qconfig, module.weight)
    return get_qparam_dict(seen)


def _seen(qconfig: Any, weight: Any) -> Any:
    observer = qconfig.weight()
    observer(weight)
    return observer


def convert(
    model: GraphModule,
    is_reference: bool = False,
    convert_custom_config: ConvertCustomConfig | dict[str, Any] | None = None,
    is_standalone_module: bool = False,
    _remove_qconfig_flag: bool = True,
    qconfig_mapping: QConfigMapping | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
    is_decomposed: bool = False,
    keep_original_weights: bool = False,
) -> GraphModule:
    """The quantized graph of one with observers; *is_reference*: of floats that are rounded.

    Raises NotImplementedError for another mapping of configurations, for classes of the program,
    and for decomposed operators.
    """
    custom = as_config(
        convert_custom_config, ConvertCustomConfig, "convert_custom_config", "convert"
    )
    for given, name in (
        (qconfig_mapping, "qconfig_mapping=..."),
        (custom.observed_to_quantized_mapping, "a mapping of observed classes"),
        (is_decomposed, "is_decomposed=True"),
        (keep_original_weights, "keep_original_weights=True"),
    ):
        if given:
            raise NotImplementedError(f"convert_fx({name}) {QUANTIZED}")
    attrs = copy.copy(model.meta[OBSERVED])
    converted = _Converted(model, attrs, as_backend(backend_config, "convert"))
    converted.observe_weights()
    converted.convert_nodes()
    model.graph.eliminate_dead_code()
    made = GraphModule(model, model.graph)
    if not is_reference:
        made = lowered(made, attrs.node_name_to_qconfig, attrs.node_name_to_scope)
    if _remove_qconfig_flag:
        _remove_qconfig(made)
    made.delete_all_unused_submodules()
    made.meta.pop(OBSERVED, None)
    return made


offer_listed(globals())
