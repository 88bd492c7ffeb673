"""The few in-place ops of optimizers, called past the argument parser.

A step makes several calls per parameter with arguments that are known to be good, so each is the
entrance of its overload.
"""

from __future__ import annotations

from typing import Any

from ..call.overload_entrance import straight_named

__all__ = ["add", "add_", "add_number_", "addcdiv_", "addcmul_", "div_", "lerp_", "mul_", "own"]

_add = straight_named("aten::add.Tensor")
_add_ = straight_named("aten::add_.Tensor")
_addcdiv_ = straight_named("aten::addcdiv_")
_addcmul_ = straight_named("aten::addcmul_")
_div_ = straight_named("aten::div_.Tensor")
_lerp_ = straight_named("aten::lerp_.Scalar")
_mul_ = straight_named("aten::mul_.Tensor")


def own(a: Any) -> Any:
    """*a*, which nobody changes before the step is over."""
    return a


def add(a: Any, b: Any, alpha: float) -> Any:
    """``a + alpha * b``."""
    return _add(a, b, alpha=alpha)


def add_(a: Any, b: Any, alpha: float) -> Any:
    """``a += alpha * b``."""
    return _add_(a, b, alpha=alpha)


def addcdiv_(a: Any, b: Any, c: Any, value: float) -> Any:
    """``a += value * b / c``."""
    return _addcdiv_(a, b, c, value=value)


def addcmul_(a: Any, b: Any, c: Any, value: float) -> Any:
    """``a += value * b * c``."""
    return _addcmul_(a, b, c, value=value)


def lerp_(a: Any, b: Any, weight: float) -> Any:
    """``a += weight * (b - a)``."""
    return _lerp_(a, b, weight)


def mul_(a: Any, number: float) -> Any:
    """``a *= number``."""
    return _mul_(a, float(number))


def div_(a: Any, number: float) -> Any:
    """``a /= number``, of what only serves a step. Its result is to be used, as :mod:`.recorded`
    has another."""
    return _div_(a, float(number))


def add_number_(a: Any, number: float) -> Any:
    """``a += number``."""
    return _add_(a, float(number))
