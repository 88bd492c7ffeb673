# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import config as config
from . import experimental as experimental
from . import immutable_collections as immutable_collections
from . import operator_schemas as operator_schemas
from . import passes as passes
from . import tensor_type as tensor_type
from . import traceback as traceback
from mindtorch.fx._symbolic_trace import PH as PH
from mindtorch.fx._symbolic_trace import ProxyableClassMeta as ProxyableClassMeta
from mindtorch.fx._symbolic_trace import Tracer as Tracer
from mindtorch.fx._symbolic_trace import symbolic_trace as symbolic_trace
from mindtorch.fx._symbolic_trace import wrap as wrap
from mindtorch.fx.codegen import CodeGen as CodeGen
from mindtorch.fx.graph import Graph as Graph
from mindtorch.fx.graph_module import GraphModule as GraphModule
from mindtorch.fx.interpreter import Interpreter as Interpreter
from mindtorch.fx.interpreter import Transformer as Transformer
from mindtorch.fx.node import Node as Node
from mindtorch.fx.node import has_side_effect as has_side_effect
from mindtorch.fx.node import map_arg as map_arg
from mindtorch.fx.proxy import Proxy as Proxy
from mindtorch.fx.subgraph_rewriter import replace_pattern as replace_pattern

