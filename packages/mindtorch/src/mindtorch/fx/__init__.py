"""``torch.fx``: programs as graphs that can be printed, changed and run.

``symbolic_trace`` runs a module's Python code on proxies: a graph of modules and functions.
``torch.fx.experimental.proxy_tensor.make_fx`` runs it on tensors: a graph of operators.
"""

from ..core.submodules import reached as _reached
from . import _lazy_graph_module, immutable_collections
from ._symbolic_trace import PH, ProxyableClassMeta, Tracer, symbolic_trace, wrap
from .graph import CodeGen, Graph
from .graph_module import GraphModule
from .interpreter import Interpreter, Transformer
from .node import Node, has_side_effect, map_arg
from .proxy import Proxy
from .subgraph_rewriter import replace_pattern

__all__ = [
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

__getattr__ = _reached(
    __name__, "_utils config experimental operator_schemas passes tensor_type traceback".split()
)


def __dir__() -> list[str]:
    return sorted([*__all__, "CodeGen", "PH", "ProxyableClassMeta", "immutable_collections"])
