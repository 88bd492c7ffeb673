"""``torch.fx``: programs as graphs that can be printed, changed and run.

``symbolic_trace`` runs a module's Python code on proxies: a graph of modules and functions.
``torch.fx.experimental.proxy_tensor.make_fx`` runs it on tensors: a graph of operators.
"""

from importlib import import_module as _import_module

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

_SUBMODULES = ("annotate config experimental operator_schemas passes tensor_type traceback").split()


def __getattr__(name: str) -> object:
    """Modules that programs reach without importing them."""
    if name in _SUBMODULES and name != "annotate":
        return _import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.fx' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "CodeGen", "PH", "ProxyableClassMeta", "immutable_collections"])
