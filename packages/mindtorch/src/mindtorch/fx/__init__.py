"""``torch.fx``: programs as graphs that can be printed, changed and run.

Graphs are captured with ``torch.fx.experimental.proxy_tensor.make_fx``. Symbolic tracing
(``symbolic_trace``, ``Tracer``, ``Proxy``) is not here.
"""

from .graph import Graph
from .graph_module import GraphModule
from .interpreter import Interpreter
from .node import Node, map_arg

__all__ = ["Graph", "GraphModule", "Interpreter", "Node", "map_arg"]
