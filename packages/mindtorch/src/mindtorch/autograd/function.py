"""``torch.autograd.function``."""

from typing import Any

from mindtorch_autograd.function import (
    BackwardCFunction,
    Function,
    FunctionCtx,
    FunctionMeta,
    _SingleLevelFunction,
    once_differentiable,
)
from mindtorch_autograd.legacy_function import InplaceFunction, NestedIOFunction

from ..core.module_names import living_in
from ..core.pickling import pickled_by_our_name

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]


_ContextMethodMixin = FunctionCtx

pickled_by_our_name(FunctionMeta)
living_in(__name__, FunctionMeta, once_differentiable)


def _is_setup_context_defined(fn: Any) -> bool:
    """Whether *fn*, the ``setup_context`` of a Function, is a user's."""
    return fn is not _SingleLevelFunction.setup_context
