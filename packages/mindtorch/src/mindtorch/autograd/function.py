"""``torch.autograd.function``."""

from mindtorch_autograd.function import (
    BackwardFunction,
    Function,
    FunctionCtx,
    once_differentiable,
)

__all__ = ["BackwardFunction", "Function", "FunctionCtx", "once_differentiable"]
