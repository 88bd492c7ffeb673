"""Reverse-mode differentiation of any values: nodes, engine, saved values, hooks, ``Function``.

The values are described by a :class:`Space`; install it with :func:`set_space`.
"""

from mindtorch_autograd import (
    anomaly,
    engine,
    errors,
    function,
    grad_mode,
    graph,
    hooks,
    node,
    protocols,
    saved_variable,
)
from mindtorch_autograd.anomaly import detect_anomaly, set_detect_anomaly
from mindtorch_autograd.backward import backward, grad
from mindtorch_autograd.engine import execute
from mindtorch_autograd.function import Function, once_differentiable
from mindtorch_autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from mindtorch_autograd.graph import GradientEdge, get_gradient_edge, register_multi_grad_hook
from mindtorch_autograd.graph_task import queue_callback
from mindtorch_autograd.hooks import RemovableHandle, watch_leaf_order
from mindtorch_autograd.node import (
    RELEASED,
    AccumulateGrad,
    Edge,
    Error,
    Extras,
    Node,
    Output,
    extras_of,
    next_key,
    unwrap,
)
from mindtorch_autograd.protocols import Space, get_space, set_space
from mindtorch_autograd.saved_variable import (
    SavedVariable,
    VersionCounter,
    disable_saved_tensors_hooks,
    saved_tensors_hooks,
)

__all__ = [
    "AccumulateGrad",
    "Edge",
    "Error",
    "Extras",
    "Function",
    "GradientEdge",
    "Node",
    "Output",
    "RELEASED",
    "RemovableHandle",
    "SavedVariable",
    "Space",
    "VersionCounter",
    "anomaly",
    "backward",
    "detect_anomaly",
    "disable_saved_tensors_hooks",
    "enable_grad",
    "engine",
    "errors",
    "execute",
    "extras_of",
    "function",
    "get_gradient_edge",
    "get_space",
    "grad",
    "grad_mode",
    "graph",
    "hooks",
    "inference_mode",
    "is_grad_enabled",
    "next_key",
    "no_grad",
    "node",
    "once_differentiable",
    "protocols",
    "queue_callback",
    "register_multi_grad_hook",
    "saved_tensors_hooks",
    "saved_variable",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "set_space",
    "unwrap",
    "watch_leaf_order",
]
