"""``torch.ao.quantization.fx.fuse_handler``: how nodes of a pattern become one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from .... import nn
from ....fx.graph import Graph
from ....fx.node import Node
from ..fuser_method_mappings import get_fuser_method_new
from ..utils import MatchAllNode
from .custom_config import FuseCustomConfig
from .utils import parent_and_name

__all__ = ["DefaultFuseHandler", "FuseHandler"]


class FuseHandler(ABC):
    """What makes one node of those of a pattern."""

    @abstractmethod
    def __init__(self, node: Node) -> None: ...

    @abstractmethod
    def fuse(
        self,
        load_arg: Callable[..., Any],
        named_modules: dict[str, Any],
        fused_graph: Graph,
        root_node: Node,
        extra_inputs: list[Any],
        matched_node_pattern: Any,
        fuse_custom_config: FuseCustomConfig,
        fuser_method_mapping: dict[Any, Any],
        is_qat: bool,
    ) -> Node:
        """The node, in the graph of what is fused."""


def _modules(pattern: Any, modules: dict[str, Any], training: bool) -> Any:
    """The modules of a pattern of nodes; functions and methods as they are."""
    if isinstance(pattern, tuple):
        return tuple(_modules(part, modules, training) for part in pattern)
    if pattern.op == "call_module":
        return modules[str(pattern.target)]
    if pattern.op == "call_function" and pattern.target is nn.functional.relu:
        made = nn.ReLU()
        made.training = training
        return made
    if pattern.op in ("call_function", "call_method"):
        return pattern.target
    return MatchAllNode


def _kinds(modules: Any) -> Any:
    if isinstance(modules, tuple):
        return tuple(_kinds(part) for part in modules)
    return type_before_parametrizations(modules) if isinstance(modules, nn.Module) else modules


class DefaultFuseHandler(FuseHandler):
    """What puts one module in the place of the pattern's root."""

    def __init__(self, node: Node) -> None:
        super().__init__(node)

    def fuse(
        self,
        load_arg: Callable[..., Any],
        named_modules: dict[str, Any],
        fused_graph: Graph,
        root_node: Node,
        extra_inputs: list[Any],
        matched_node_pattern: Any,
        fuse_custom_config: FuseCustomConfig,
        fuser_method_mapping: dict[Any, Any],
        is_qat: bool,
    ) -> Node:
        """The node of the one module. Raises AssertionError for a root that is no module."""
        assert root_node.op == "call_module", "Expecting module node to be a call_module Node"
        training = named_modules[str(root_node.target)].training
        modules = _modules(matched_node_pattern, named_modules, training)
        method = get_fuser_method_new(_kinds(modules), fuser_method_mapping)
        fused = method(is_qat, *modules)
        parent, name = parent_and_name(str(root_node.target))
        setattr(named_modules[parent], name, fused)
        made = fused_graph.node_copy(root_node, load_arg)
        made.args = (*made.args, *(load_arg(extra) for extra in extra_inputs))
        return made
