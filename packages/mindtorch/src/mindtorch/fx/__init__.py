"""``torch.fx``: programs as graphs that can be printed, changed and run.

``symbolic_trace`` runs a module's Python code on proxies: a graph of modules and functions.
``torch.fx.experimental.proxy_tensor.make_fx`` runs it on tensors: a graph of operators.
"""

from ._symbolic_trace import PH, Tracer, symbolic_trace, wrap
from .graph import Graph
from .graph_module import GraphModule
from .interpreter import Interpreter
from .node import Node, has_side_effect, map_arg
from .proxy import Proxy
from .subgraph_rewriter import replace_pattern
from .transformer import Transformer

__all__ = [
    "PH",
    "Graph",
    "GraphModule",
    "Interpreter",
    "Node",
    "Proxy",
    "Tracer",
    "Transformer",
    "has_side_effect",
    "map_arg",
    "replace_pattern",
    "symbolic_trace",
    "wrap",
]


def __dir__() -> list[str]:
    return sorted(__all__)
