"""``torch.autograd``: differentiation. The engine is the package ``mindtorch_autograd``."""

from __future__ import annotations

from mindtorch_autograd import (
    Function,
    backward,
    detect_anomaly,
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)
from mindtorch_autograd import grad as _grad
from mindtorch_autograd.grad_mode import is_inference_mode_enabled

from ..intercept import overridable
from ..tensor import Tensor as Variable
from . import function, grad_mode, graph

__all__ = [
    "Function",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "grad",
    "grad_mode",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

grad = overridable(_grad)
