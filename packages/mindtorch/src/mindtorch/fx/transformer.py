"""A graph made anew, node by node (torch/fx/interpreter.py, Transformer)."""

from __future__ import annotations

from typing import Any

from ._symbolic_trace import GraphAppendingTracer, Tracer
from .graph import Graph
from .graph_module import GraphModule
from .interpreter import Interpreter
from .node import map_aggregate
from .proxy import Proxy

__all__ = ["Transformer"]


class _Appending(GraphAppendingTracer, Tracer):
    """Appends; every module is a leaf."""

    def __init__(self, graph: Graph, root: Any) -> None:
        Tracer.__init__(self)
        self.graph = graph
        self.root = root
        self.tensor_attrs = {}

    def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
        """Every module is one node."""
        return True


class Transformer(Interpreter):
    """Override a method to put something else in the place of a kind of node."""

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)
        self.tracer = _Appending(self.new_graph, module)

    def placeholder(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Proxy:
        """An input of the new graph."""
        default = args[0] if args else ...
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Proxy:
        """An attribute, in the new graph."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a submodule, in the new graph."""
        return self.tracer.create_proxy("call_module", target, args, kwargs)

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function, in the new graph."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self) -> GraphModule:
        """The new module."""
        result = self.run(enable_io_processing=False)
        if result is not None:

            def strip(a: Any) -> Any:
                return a.node if isinstance(a, Proxy) else a

            self.new_graph.output(map_aggregate(result, strip))
        return GraphModule(self.module, self.new_graph)
