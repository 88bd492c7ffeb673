"""``torch.ao.quantization.fx.fuse``: layers of a graph that become one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.warning import warn
from ....fx.graph import Graph
from ....fx.graph_module import GraphModule
from ....fx.node import Node, map_arg
from ..backend_config import BackendConfig, get_native_backend_config
from ..backend_config.utils import (
    get_fuser_method_mapping,
    get_fusion_pattern_to_extra_inputs_getter,
    get_fusion_pattern_to_root_node_getter,
)
from ..utils import MatchAllNode
from .custom_config import FuseCustomConfig
from .fuse_handler import DefaultFuseHandler, FuseHandler
from .match_utils import _is_match, first_root, longest_first, matched_nodes

__all__ = ["FuseHandler", "fuse"]


def as_config(given: Any, kind: Any, name: str, function: str) -> Any:
    """A configuration of *kind*: a dict becomes one, with a warning; None is the empty one."""
    if given is None:
        return kind()
    if isinstance(given, dict):
        warn(
            f"Passing a {name}_dict to {function} is deprecated and will not be supported in a "
            f"future version. Please pass in a {kind.__name__} instead.",
            FutureWarning,
        )
        return kind.from_dict(given)
    return given


def fuse(
    model: GraphModule,
    is_qat: bool,
    fuse_custom_config: FuseCustomConfig | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
) -> GraphModule:
    """The graph with one module in place of those that a backend computes at once."""
    custom = as_config(fuse_custom_config, FuseCustomConfig, "fuse_custom_config", "fuse")
    backend = as_backend(backend_config, "fuse")
    named = dict(model.named_modules())
    methods = get_fuser_method_mapping(backend)
    found = _Fused(named, longest_first(methods))
    found.find(model.graph)
    roots = get_fusion_pattern_to_root_node_getter(backend)
    extras = get_fusion_pattern_to_extra_inputs_getter(backend)
    fused, made = Graph(), {}

    def load_arg(a: Any) -> Any:
        return map_arg(a, lambda node: made[node.name])

    for node in model.graph.nodes:
        last, pattern, nodes = found.matches.get(node.name, (None, None, None))
        if last is node:
            root = roots.get(pattern, first_root)(nodes)
            more = extras.get(pattern, lambda nodes: [])(nodes)
            made[node.name] = DefaultFuseHandler(node).fuse(
                load_arg, named, fused, root, more, nodes, custom, methods, is_qat
            )
        elif last is None:
            made[node.name] = fused.node_copy(node, load_arg)
    return GraphModule(model, fused)


def as_backend(given: Any, function: str) -> BackendConfig:
    """A backend's configuration: a dict becomes one, with a warning; None is torch's own."""
    if given is None:
        return get_native_backend_config()
    found: BackendConfig = as_config(given, BackendConfig, "backend_config", function)
    return found


class _Fused:
    """What of a graph becomes one: by the nodes' names, the last one, the pattern, all."""

    def __init__(self, named: dict[str, Any], patterns: dict[Any, Callable[..., Any]]) -> None:
        self.named, self.patterns = named, patterns
        self.matches: dict[str, tuple[Any, Any, Any]] = {}

    def find(self, graph: Graph) -> None:
        """Find the patterns, from the last node to the first."""
        for node in reversed(list(graph.nodes)):
            if node.name in self.matches:
                continue
            for pattern in self.patterns:
                if _is_match(self.named, node, pattern):
                    self._take(node, pattern)
                    break

    def _take(self, node: Node, pattern: Any) -> None:
        parts: dict[str, Any] = {}

        def record(inner: Any, part: Any) -> bool:
            if inner.name in self.matches or inner.name in parts:  # an earlier match counts
                return False
            if part is not MatchAllNode:
                parts[inner.name] = part
            return True

        nodes = matched_nodes(pattern, node, record)
        self.matches.update(dict.fromkeys(parts, (node, pattern, nodes)))
