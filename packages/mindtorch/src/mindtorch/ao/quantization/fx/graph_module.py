"""``torch.ao.quantization.fx.graph_module``: graphs that keep attributes nothing in them uses."""

from __future__ import annotations

import copy
from typing import Any

from .... import nn
from ....fx.graph import Graph
from ....fx.graph_module import GraphModule

__all__ = [
    "FusedGraphModule",
    "ObservedGraphModule",
    "ObservedStandaloneGraphModule",
    "QuantizedGraphModule",
]


def _keep(module: Any, root: Any, graph: Graph, names: set[str]) -> None:
    """Make *module* of a graph, with the attributes of its root that are called *names*."""
    module.preserved_attr_names = names
    kept = {name: getattr(root, name) for name in names if hasattr(root, name)}
    GraphModule.__init__(module, root, graph)
    for name, value in kept.items():
        setattr(module, name, value)


def _copied(module: Any) -> tuple[Any, Graph, set[str]]:
    """Copies of what *module* is made of."""
    root = nn.Module()
    root.__dict__ = copy.deepcopy(module.__dict__)
    return root, copy.deepcopy(module.graph), copy.deepcopy(module.preserved_attr_names)


#: What was kept of a graph with observers before all of it was in ``meta``.
_OBSERVED = {
    *("_activation_post_process_map", "_activation_post_process_indexes", "_patterns"),
    *("_node_name_to_qconfig", "_prepare_custom_config", "_node_name_to_scope"),
    *("_equalization_node_name_to_qconfig", "_qconfig_mapping", "_is_qat", "_observed_node_names"),
}
_STANDALONE = {
    "_standalone_module_input_quantized_idxs",
    "_standalone_module_output_quantized_idxs",
}


class FusedGraphModule(GraphModule):
    """A graph whose layers became one where they can."""

    def __init__(self, root: Any, graph: Graph, preserved_attr_names: set[str]) -> None:
        _keep(self, root, graph, set(preserved_attr_names))

    def __deepcopy__(self, memo: Any) -> Any:
        return FusedGraphModule(*_copied(self))


class ObservedGraphModule(GraphModule):
    """A graph with observers in it."""

    def __init__(self, root: Any, graph: Graph, preserved_attr_names: set[str]) -> None:
        _keep(self, root, graph, {*preserved_attr_names, *_OBSERVED})

    def __deepcopy__(self, memo: Any) -> Any:
        return ObservedGraphModule(*_copied(self))


class ObservedStandaloneGraphModule(ObservedGraphModule):
    """A graph with observers in it that is quantized for itself."""

    def __init__(self, root: Any, graph: Graph, preserved_attr_names: set[str]) -> None:
        _keep(self, root, graph, {*preserved_attr_names, *_OBSERVED, *_STANDALONE})

    def __deepcopy__(self, memo: Any) -> Any:
        return ObservedStandaloneGraphModule(*_copied(self))


class QuantizedGraphModule(GraphModule):
    """A graph of quantized tensors."""

    def __init__(self, root: Any, graph: Graph, preserved_attr_names: set[str]) -> None:
        _keep(self, root, graph, set(preserved_attr_names))

    def __deepcopy__(self, memo: Any) -> Any:
        return QuantizedGraphModule(*_copied(self))
