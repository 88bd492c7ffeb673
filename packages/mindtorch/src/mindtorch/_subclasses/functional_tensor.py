"""``at._subclasses.functional_tensor``: functions without changes in place.

torch wraps tensors in a class of Python; here a functional tensor is an ordinary Tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.unavailable import COMPILER, offer
from ..func import functional_tensors as at
from ..tensor import Tensor
from ..utils._pytree import tree_map_only

__all__ = ["dispatch_functionalize"]


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


offer(globals(), COMPILER, "", "FunctionalTensor FunctionalTensorMode", public=" ")
