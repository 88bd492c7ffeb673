"""The few ops of optimizers again, for steps that may be captured: numbers may be tensors.

They are tensors of the device, which the host does not read.
"""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor

__all__ = ["add", "add_", "add_number_", "addcdiv_", "addcmul_", "div_", "lerp_", "mul_", "own"]


def own(a: Any) -> Any:
    """*a*, which nobody changes before the step is over."""
    return a


def add(a: Any, b: Any, alpha: Any) -> Any:
    """``a + alpha * b``."""
    return a + b * alpha if isinstance(alpha, Tensor) else a.add(b, alpha=alpha)


def add_(a: Any, b: Any, alpha: Any) -> Any:
    """``a += alpha * b``."""
    return a.add_(b * alpha) if isinstance(alpha, Tensor) else a.add_(b, alpha=alpha)


def addcdiv_(a: Any, b: Any, c: Any, value: Any) -> Any:
    """``a += value * b / c``."""
    if isinstance(value, Tensor):
        return a.add_((b / c).mul_(value))
    return a.addcdiv_(b, c, value=value)


def addcmul_(a: Any, b: Any, c: Any, value: Any) -> Any:
    """``a += value * b * c``."""
    if isinstance(value, Tensor):
        return a.add_((b * c).mul_(value))
    return a.addcmul_(b, c, value=value)


def lerp_(a: Any, b: Any, weight: Any) -> Any:
    """``a += weight * (b - a)``."""
    return a.lerp_(b, weight)


def mul_(a: Any, number: Any) -> Any:
    """``a *= number``."""
    return a.mul_(number)


def div_(a: Any, number: Any) -> Any:
    """``a /= number``, of what only serves a step."""
    return a.div_(number)


def add_number_(a: Any, number: Any) -> Any:
    """``a += number``."""
    return a.add_(number)
