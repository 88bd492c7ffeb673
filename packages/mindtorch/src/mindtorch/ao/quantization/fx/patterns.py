"""What of a graph a backend quantizes together: patterns, and the nodes that they match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....fx.graph import Graph
from ....fx.node import Node
from ..backend_config import BackendConfig, ObservationType
from .dtype_support import Support
from .match_utils import _is_match, longest_first, matched_nodes
from .utils import have_no_tensors


@dataclass
class Match:
    """A pattern that was found: its last node, its nodes, and how the result is observed."""

    last: Node
    nodes: Any
    pattern: Any
    observation: ObservationType
    qconfig: Any = None

    @property
    def shares(self) -> bool:
        """Whether the result has the scale of what comes in."""
        return self.observation == ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT


def find_matches(graph: Graph, named: dict[str, Any], backend: BackendConfig) -> dict[str, Match]:
    """What a backend quantizes, by the names of nodes: long patterns first, from the last node."""
    configs = longest_first(backend._pattern_complex_format_to_config)
    support, found = Support(backend), dict[str, Match]()
    known: dict[Node, bool] = {}
    for node in reversed(list(graph.nodes)):
        if node.name in found:
            continue
        for pattern, config in configs.items():
            if not _is_match(named, node, pattern):
                continue

            def record(inner: Any, part: Any) -> bool:
                return inner.name not in found

            nodes = matched_nodes(pattern, node, record)
            kinds = config._num_tensor_args_to_observation_type
            observation = config.observation_type
            if kinds:
                root = support.root(pattern, nodes)
                tensors = [
                    arg
                    for arg in root.args
                    if isinstance(arg, Node) and not have_no_tensors(arg, named, known)
                ]
                assert len(tensors) in kinds, (
                    f"Must provide observation_type config for tensor number {len(tensors)} in "
                    f"num_tensor_args_to_observation_type for {pattern}"
                )
                observation = kinds[len(tensors)]
            match = Match(node, nodes, pattern, observation)
            for inner in _all_nodes(nodes):
                found[inner.name] = match
            break
    return found


def _all_nodes(nodes: Any) -> list[Node]:
    if isinstance(nodes, Node):
        return [nodes]
    return [node for part in nodes for node in _all_nodes(part)]
