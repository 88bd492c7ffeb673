"""Formulas of divergences by the classes of distributions, and how one is found."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from .. import special
from ..aten import torch
from ..aten.torch import Tensor, inf
from ..core.warning import warn
from .distribution import Distribution

__all__ = [
    "kl_divergence",
    "register_kl",
]


Rule = Callable[[Any, Any], Tensor]
_R = TypeVar("_R", bound=Rule)

#: The formulas by the classes that they were registered for.
_KL_REGISTRY: dict[tuple[type, type], Rule] = {}
#: What was found for classes that were asked for.
_KL_MEMOIZE: dict[tuple[type, type], Rule] = {}


def register_kl(type_p: Any, type_q: Any) -> Callable[[_R], _R]:
    """Decorator of a formula for the divergence of *type_q* from *type_p*.

    Subclasses use it, too, unless there is a more particular one. Where two are, and neither is
    more particular than the other, using them warns.
    """
    for kind in (type_p, type_q):
        issubclass(kind, Distribution)  # refuses what is no class; torch takes any class

    def decorator(fun: _R) -> _R:
        _KL_REGISTRY[type_p, type_q] = fun
        _KL_MEMOIZE.clear()
        return fun

    return decorator


class _Match:
    """Classes in an order: the first two that differ decide, and a subclass is the smaller."""

    __slots__ = ("types",)

    def __init__(self, *types: type) -> None:
        self.types = types

    def __lt__(self, other: _Match) -> bool:
        pairs = zip(self.types, other.types, strict=True)
        different = next((pair for pair in pairs if pair[0] is not pair[1]), None)
        return different is not None and issubclass(*different)


def _dispatch_kl(type_p: type, type_q: type) -> Any:
    """The most particular formula for two classes, NotImplemented if there is none."""
    fitting = [
        pair for pair in _KL_REGISTRY if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])
    ]
    if not fitting:
        return NotImplemented
    by_p = min(fitting, key=lambda pair: _Match(*pair))
    by_q = min(fitting, key=lambda pair: _Match(*reversed(pair)))
    if _KL_REGISTRY[by_p] is not _KL_REGISTRY[by_q]:
        warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). "
            f"Please register_kl({by_p[0].__name__}, {by_q[1].__name__})",
            RuntimeWarning,
        )
    return _KL_REGISTRY[by_p]


def _infinite_like(tensor: Tensor) -> Tensor:
    """Infinities in the shape of *tensor*."""
    return torch.full_like(tensor, inf)


def _infinite_where(condition: Tensor, result: Tensor) -> Tensor:
    """*result*, infinite where *q* has no weight and *p* has some: there *condition* is true."""
    result[condition] = inf
    return result


def _x_log_x(tensor: Tensor) -> Tensor:
    """``x * log(x)``, 0 at 0."""
    return special.xlogy(tensor, tensor)


def _batch_trace_XXT(bmat: Tensor) -> Tensor:
    """The trace of ``X @ X.T``: the sum of all squares."""
    return bmat.reshape(-1, math.prod(bmat.shape[-2:])).pow(2).sum(-1).reshape(bmat.shape[:-2])


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence ``E_p[log p - log q]``, by batch.

    Raises NotImplementedError if no formula was registered for the classes of *p* and *q*.
    """
    kinds = type(p), type(q)
    if kinds not in _KL_MEMOIZE:
        _KL_MEMOIZE[kinds] = _dispatch_kl(*kinds)
    formula: Any = _KL_MEMOIZE[kinds]
    if formula is NotImplemented:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type "
            f"{q.__class__.__name__}"
        )
    found: Tensor = formula(p, q)
    return found
