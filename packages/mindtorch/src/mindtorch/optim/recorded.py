"""The few ops of optimizers again, for steps that are differentiated.

State is changed in place as by :mod:`.direct`, but nothing that a gradient is computed from is:
what is read is copied first, and what only serves a step comes back as a new tensor. Numbers may
be tensors, with gradients of their own.
"""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor

__all__ = ["add", "add_", "add_number_", "addcdiv_", "addcmul_", "div_", "lerp_", "mul_", "own"]


def own(a: Any) -> Any:
    """*a* as it is now, whatever becomes of the state."""
    return a.clone()


def add(a: Any, b: Any, alpha: Any) -> Any:
    """``a + alpha * b``."""
    return a + b * alpha if isinstance(alpha, Tensor) else a.add(b, alpha=alpha)


def add_(a: Any, b: Any, alpha: Any) -> Any:
    """``a += alpha * b``."""
    if isinstance(alpha, Tensor):
        return a.add_(own(b) * alpha)
    return a.add_(own(b), alpha=alpha)


def addcdiv_(a: Any, b: Any, c: Any, value: Any) -> Any:
    """``a += value * b / c``."""
    if isinstance(value, Tensor):
        return a.add_(own(b) / c * value)
    return a.addcdiv_(own(b), c, value=value)


def addcmul_(a: Any, b: Any, c: Any, value: Any) -> Any:
    """``a += value * b * c``."""
    if isinstance(value, Tensor):
        return a.add_(own(b) * own(c) * value)
    return a.addcmul_(own(b), own(c), value=value)


def lerp_(a: Any, b: Any, weight: Any) -> Any:
    """``a += weight * (b - a)``."""
    if isinstance(weight, Tensor):
        return a.copy_(own(a) + weight * (b - own(a)))
    return a.lerp_(b, weight)


def mul_(a: Any, number: Any) -> Any:
    """``a *= number``."""
    return a.copy_(own(a) * number) if isinstance(number, Tensor) else a.mul_(number)


def div_(a: Any, number: Any) -> Any:
    """``a / number``, of what only serves a step."""
    return a / number


def add_number_(a: Any, number: Any) -> Any:
    """``a + number``, of what only serves a step."""
    return a + number
