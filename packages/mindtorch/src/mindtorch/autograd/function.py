"""``torch.autograd.function``."""

from mindtorch_autograd.function import (
    BackwardCFunction,
    Function,
    FunctionCtx,
    once_differentiable,
)

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "once_differentiable"]
