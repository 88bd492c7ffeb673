"""Modules made faster for inference."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable
from typing import Any

from ... import nn
from ...core.unavailable import refusal
from ...nn.utils.fusion import fuse_conv_bn_eval
from .._symbolic_trace import Tracer, symbolic_trace
from ..graph import Graph
from ..graph_module import GraphModule
from ..interpreter import Transformer
from ..node import Node

__all__ = [
    "MklSubgraph", "UnionFind", "extract_subgraph", "fuse", "gen_mkl_autotuner",
    "matches_module_pattern", "modules_to_mkldnn", "optimize_for_inference", "remove_dropout",
    "replace_node_module", "reset_modules", "use_mkl_length",
]  # fmt: skip


def _parent_name(target: str) -> tuple[str, str]:
    """The path of the module that has an attribute, and the attribute's name."""
    parent, _, name = target.rpartition(".")
    return parent, name


def matches_module_pattern(pattern: Iterable[type], node: Node, modules: dict[str, Any]) -> bool:
    """Whether a node calls a module of the second class on what one of the first gives."""
    pairs = zip(pattern, (*node.args[:1], node), strict=False)
    return bool(node.args) and all(_calls(at, kind, modules) for kind, at in pairs)


def _calls(node: Any, kind: type, modules: dict[str, Any]) -> bool:
    """Whether *node* calls a module of the class *kind*."""
    calls = isinstance(node, Node) and node.op == "call_module"
    return calls and type(modules.get(node.target)) is kind


def replace_node_module(node: Node, modules: dict[str, Any], new_module: nn.Module) -> None:
    """Let a node call another module."""
    assert isinstance(node.target, str)
    parent, name = _parent_name(node.target)
    modules[node.target] = new_module
    setattr(modules[parent], name, new_module)


def fuse(model: nn.Module, inplace: bool = False, no_trace: bool = False) -> nn.Module:
    """The model with each batch norm put into the convolution before it; for inference only."""
    patterns = [
        (nn.Conv1d, nn.BatchNorm1d), (nn.Conv2d, nn.BatchNorm2d), (nn.Conv3d, nn.BatchNorm3d),
    ]  # fmt: skip
    if not inplace:
        model = copy.deepcopy(model)
    traced: Any = model if no_trace and isinstance(model, GraphModule) else symbolic_trace(model)
    modules = dict(traced.named_modules())
    graph = copy.deepcopy(traced.graph)
    for pattern, node in itertools.product(patterns, list(graph.nodes)):
        if not matches_module_pattern(pattern, node, modules):
            continue
        given = node.args[0]
        conv, norm = modules[given.target], modules[node.target]
        if len(given.users) > 1 or not norm.track_running_stats:  # others use the convolution
            continue
        replace_node_module(given, modules, fuse_conv_bn_eval(conv, norm))
        node.replace_all_uses_with(given)
        graph.erase_node(node)
    return GraphModule(traced, graph)


def remove_dropout(model: nn.Module) -> nn.Module:
    """The model without its dropouts."""

    class DropoutRemover(Transformer):
        def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
            if isinstance(self.submodules[target], nn.Dropout):
                assert len(args) == 1
                return args[0]
            return super().call_module(target, args, kwargs)

    return DropoutRemover(symbolic_trace(model)).transform()


def extract_subgraph(
    orig_module: nn.Module, nodes: list[Node], inputs: list[Node], outputs: list[Node]
) -> GraphModule:
    """A module of some of a graph's nodes, with these inputs and outputs."""
    graph, env = Graph(), {}
    for each in inputs:
        env[each] = graph.placeholder(each.name)
    for node in nodes:
        env[node] = graph.node_copy(node, lambda x: env[x])
    graph.output([env[o] for o in outputs])
    graph.lint()
    return GraphModule(orig_module, graph)


class UnionFind:
    """Sets of numbers that can be joined."""

    def __init__(self, n: int) -> None:
        self.parent: list[int | None] = [None] * n
        self.size: list[int] = [0] * n

    def make_set(self, v: int) -> None:
        """A set of *v* alone."""
        self.parent[v] = v
        self.size[v] = 1

    def find(self, v: int) -> int:
        """The number that stands for the set of *v*."""
        above = self.parent[v]
        assert above is not None
        if v != above:
            above = self.parent[v] = self.find(above)
        return above

    def join(self, a: int, b: int) -> int | None:
        """Join the sets of *a* and *b*."""
        # The smaller joins the larger; of two of one size, the second.
        small, large = sorted((self.find(b), self.find(a)), key=self.size.__getitem__)
        if small == large:
            return large
        self.size[large] += self.size[small]
        self.parent[small] = large
        return None


class MklSubgraph:
    """Nodes that a layout of MKL-DNN could be kept through."""

    def __init__(self, fx_graph: Graph) -> None:
        self.fx_graph = fx_graph
        self.nodes: list[Node] = []
        self.start_nodes: list[Node] = []
        self.end_nodes: list[Node] = []


def use_mkl_length(graph: MklSubgraph) -> bool:
    """Whether a change of layout is worth its price: from three nodes on."""
    return len(graph.nodes) > 2


_NO_MKLDNN = "needs MKL-DNN, which mindtorch does not use: tensors have no layout of it"
modules_to_mkldnn = refusal("torch.fx.experimental.optimization.modules_to_mkldnn", _NO_MKLDNN)
gen_mkl_autotuner = refusal("torch.fx.experimental.optimization.gen_mkl_autotuner", _NO_MKLDNN)


def reset_modules(
    nodes: Iterable[Node], modules: dict[str, Any], old_modules: dict[nn.Module, nn.Module]
) -> None:
    """Let nodes call the modules again that they called before, by *old_modules*."""
    for node in nodes:
        if node.op == "call_module" and modules[node.target] in old_modules:
            replace_node_module(node, modules, old_modules[modules[node.target]])


def optimize_for_inference(
    model: nn.Module, pass_config: dict[str, Any] | None = None, tracer: type[Tracer] = Tracer
) -> nn.Module:
    """The model with batch norms fused and without dropouts.

    :param pass_config: which passes run: ``conv_bn_fuse`` and ``remove_dropout``.

    ``mkldnn_layout_optimize`` is accepted: layouts of MKL-DNN are none here, the CPU's own are
    always used. Raises RuntimeError where it is neither false nor has a heuristic.
    """
    config = {"conv_bn_fuse": True, "remove_dropout": True, **(pass_config or {})}
    for name, change in (("conv_bn_fuse", fuse), ("remove_dropout", remove_dropout)):
        if config[name]:
            model = change(model)
    layouts = config.get("mkldnn_layout_optimize", False)
    if layouts is not False and not isinstance(layouts, dict):
        raise RuntimeError("mkldnn_layout_optimize config is not a dict")
    if layouts is not False and "heuristic" not in layouts:
        raise RuntimeError("Heuristic not found in mkldnn_layout_optimize config")
    return model
