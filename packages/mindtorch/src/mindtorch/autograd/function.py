"""``torch.autograd.function``."""

from collections.abc import Callable
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

from ..aten.functions import typename
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


def _nested_map(
    condition: Callable[[Any], bool], fn: Callable[[Any], Any], condition_msg: str | None = None
) -> Callable[[Any], Any]:
    """A function that puts *fn* of it in the place of what meets the *condition*, in any nest.

    Of None, lists, tuples and dicts; what is made raises ValueError for anything else.
    """

    def mapped(obj: Any) -> Any:
        if condition(obj):
            return fn(obj)
        if obj is None:
            return None
        if isinstance(obj, (list, tuple)):
            inner = map(mapped, obj)
            return type(obj)(*inner) if hasattr(obj, "_fields") else type(obj)(inner)
        if isinstance(obj, dict):
            return {key: mapped(value) for key, value in obj.items()}
        accepted = f". Accepted types: {condition_msg}, or lists/tuples of them"
        raise ValueError(
            f"Auto nesting doesn't know how to process an input object of type {typename(obj)}"
            + (accepted if condition_msg else "")
        )

    return mapped


def _is_setup_context_defined(fn: Any) -> bool:
    """Whether *fn*, the ``setup_context`` of a Function, is a user's."""
    return fn is not _SingleLevelFunction.setup_context
