"""``at._subclasses.functional_tensor``: functions without changes in place.

torch wraps tensors in a class of Python; here a functional tensor is an ordinary Tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from mindtorch_dispatch import DispatchKey, DispatchKeySet

from .._C._masks import _ExcludeDispatchKeyGuard
from ..core.unavailable import COMPILER, offer
from ..func import functional_tensors as at
from ..func import functionalize
from ..tensor import Tensor
from ..utils._pytree import tree_map_only

__all__ = [
    "BaseFunctionalizeAPI",
    "CppFunctionalizeAPI",
    "PythonFunctionalizeAPI",
    "dispatch_functionalize",
]


def _to_functional(t: Tensor) -> Tensor:
    return t if at._is_functional_tensor(t) else at._to_functional_tensor(t)


def _from_functional(t: Tensor) -> Tensor:
    if not at._is_functional_tensor(t):
        return t
    at._sync(t)
    return at._from_functional_tensor(t)


def dispatch_functionalize(func: Callable[..., Any], mode: Any = None) -> Callable[..., Any]:
    """*func*, in which changes and views are functional ops; arguments are not changed.

    :param mode: torch's mode of functionalization, which there is none of: None.
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        at._enable_functionalization(reapply_views=True)
        try:
            given = tree_map_only(Tensor, _to_functional, (args, kwargs))
            found = func(*given[0], **given[1])
        finally:
            at._disable_functionalization()
        return tree_map_only(Tensor, _from_functional, found)

    return inner


class BaseFunctionalizeAPI:
    """What an operator that takes functions needs to be functionalized: wraps, and the way on."""

    def wrap_tensors(self, args: Any) -> Any:
        """*args*, whose tensors are functional ones."""
        return tree_map_only(Tensor, _to_functional, args)

    def unwrap_tensors(self, args: Any) -> Any:
        """*args*, whose functional tensors are what they stand for."""
        return tree_map_only(Tensor, _from_functional, args)

    def functionalize(self, inner_f: Callable[..., Any]) -> Callable[..., Any]:
        """*inner_f*, in which changes and views are functional ops."""
        raise NotImplementedError

    def redispatch_to_next(self) -> AbstractContextManager[Any]:
        """Inside, calls go past functionalization."""
        raise NotImplementedError

    def sync(self, tensor: Tensor) -> None:
        """Bring a functional tensor up to date with its base."""
        at._sync(tensor)


class PythonFunctionalizeAPI(BaseFunctionalizeAPI):
    """The one of torch's mode of functionalization.

    :param mode: that mode, which there is none of: None.
    :param pre_dispatch: whether operators are seen before autograd.
    """

    def __init__(self, mode: Any = None, pre_dispatch: bool = False) -> None:
        self.mode = mode
        self.pre_dispatch = pre_dispatch

    def functionalize(self, inner_f: Callable[..., Any]) -> Callable[..., Any]:
        """*inner_f*, whose arguments are not changed (:func:`dispatch_functionalize`)."""
        return dispatch_functionalize(inner_f, self.mode)

    def redispatch_to_next(self) -> AbstractContextManager[Any]:
        """Nothing: whoever asks has left the mode."""
        return nullcontext()


class CppFunctionalizeAPI(BaseFunctionalizeAPI):
    """The one of the dispatch key Functionalize."""

    def functionalize(self, inner_f: Callable[..., Any]) -> Callable[..., Any]:
        """:func:`torch.func.functionalize` of *inner_f*."""
        return functionalize(inner_f)

    def redispatch_to_next(self) -> AbstractContextManager[Any]:
        """Inside, the key is excluded."""
        return _ExcludeDispatchKeyGuard(DispatchKeySet(DispatchKey.Functionalize))


offer(globals(), COMPILER, "", "FunctionalTensor FunctionalTensorMode", public=" ")
