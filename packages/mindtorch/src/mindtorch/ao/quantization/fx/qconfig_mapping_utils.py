"""``torch.ao.quantization.fx.qconfig_mapping_utils``: which configuration which node gets."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from ....fx.graph import Graph
from ...nn.intrinsic.modules.fused import _FusedModule
from ..backend_config import BackendConfig
from ..backend_config.utils import get_module_to_qat_module
from ..observer import _is_activation_post_process
from ..qconfig import _add_module_to_qconfig_obs_ctr, qconfig_equals
from ..qconfig_mapping import QConfigMapping
from .utils import parent_and_name

__all__: list[str] = []


def spread_over_fused(model: Any, mapping: QConfigMapping) -> None:
    """Give the classes of fused modules the configurations of those they are made of.

    Raises LookupError where these differ.
    """
    by_type = mapping.object_type_qconfigs
    if not by_type:
        return
    named = dict(model.named_modules())
    for node in model.graph.nodes:
        module = named.get(str(node.target)) if node.op == "call_module" else None
        if not isinstance(module, _FusedModule):
            continue
        parts = list(module._modules.values())
        found = by_type.get(type(parts[0]))
        for part in parts[1:]:
            if not qconfig_equals(by_type.get(type(part)), found):
                raise LookupError(
                    "During fusion, we need to specify the same "
                    f"qconfigs for all module types in {type(module)} "
                    f"offending type: {type(part)}"
                )
        if found is not None:
            by_type[type(module)] = found


def spread_over_trained(mapping: QConfigMapping, backend: BackendConfig) -> None:
    """Give the classes that round in training the configurations of those of floats."""
    trained = get_module_to_qat_module(backend)
    for kind, qconfig in list(mapping.object_type_qconfigs.items()):
        if kind in trained:
            mapping.object_type_qconfigs[trained[kind]] = qconfig


def flat(mapping: QConfigMapping) -> dict[Any, Any]:
    """The configurations by names and types, as eager quantization has them."""
    found: dict[Any, Any] = {"": mapping.global_qconfig}
    return {**found, **mapping.object_type_qconfigs, **mapping.module_name_qconfigs}


def _by_name(mapping: QConfigMapping, name: str, fallback: Any) -> Any:
    known = mapping.module_name_qconfigs
    while name:
        if name in known:
            return known[name]
        name, _ = parent_and_name(name)
    return fallback


def _by_kind_and_name(mapping: QConfigMapping, kind: Any, name: str, fallback: Any) -> Any:
    found = mapping.object_type_qconfigs.get(kind, fallback)
    for pattern, qconfig in mapping.module_name_regex_qconfigs.items():
        if re.match(pattern, name):
            found = qconfig
            break
    return _by_name(mapping, name, found)


class NodeConfigurations:
    """The configurations of a graph's nodes, found in the order of the nodes."""

    def __init__(self, mapping: QConfigMapping, named: dict[str, Any], scopes: Any) -> None:
        self.mapping, self.named, self.scopes = mapping, named, scopes
        # How many calls of a kind there were in a module.
        self.counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))

    def of(self, graph: Graph) -> dict[str, Any]:
        """Configurations by the names of nodes."""
        found = {}
        for node in graph.nodes:
            if node.op == "call_module" and _is_activation_post_process(self.named[node.target]):
                continue
            found[node.name] = getattr(self, f"_{node.op}", lambda node: None)(node)
        return found

    def _ordered(self, path: str, kind: Any, qconfig: Any) -> Any:
        i = self.counts[path][kind]
        self.counts[path][kind] = i + 1
        return self.mapping.module_name_object_type_order_qconfigs.get((path, kind, i), qconfig)

    def _placed(self, qconfig: Any, path: str) -> Any:
        return _add_module_to_qconfig_obs_ctr(qconfig, self.named.get(path))

    def _get_attr(self, node: Any) -> Any:
        path, _ = parent_and_name(node.target)
        kind = type(self.named[path])
        found = _by_kind_and_name(self.mapping, kind, path, self.mapping.global_qconfig)
        return self._placed(found, path)

    def _call_function(self, node: Any) -> Any:
        mapping = self.mapping
        found = mapping.object_type_qconfigs.get(node.target, mapping.global_qconfig)
        path, kind = self.scopes[node.name]
        found = _by_kind_and_name(mapping, kind, path, found)
        return self._placed(self._ordered(path, node.target, found), path)

    def _call_method(self, node: Any) -> Any:
        mapping = self.mapping
        path, kind = self.scopes[node.name]
        found = mapping.object_type_qconfigs.get(node.target, mapping.global_qconfig)
        found = _by_kind_and_name(mapping, kind, path, found)
        return self._placed(found, path)

    def _call_module(self, node: Any) -> Any:
        module = self.named[node.target]
        found = _by_kind_and_name(
            self.mapping, type(module), node.target, self.mapping.global_qconfig
        )
        path, kind = self.scopes[node.name]
        parent, _ = parent_and_name(path)
        found = self._placed(self._ordered(parent, kind, found), node.target)
        module.qconfig = found
        return found
