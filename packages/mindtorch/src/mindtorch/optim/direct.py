"""The few in-place ops of optimizers, called past the argument parser.

A step makes several calls per parameter with arguments that are known to be good, so each goes
straight to the op's call table: half a microsecond instead of three.
"""

from __future__ import annotations

from typing import Any

from ..call.dispatch_entry import OVERLOADS
from ..core.key_sets import grad_state, tls_state
from ..core.signature import NUMBER_FLOAT

__all__ = ["add", "add_", "add_number_", "addcdiv_", "addcmul_", "div_", "lerp_", "mul_", "own"]

_add = OVERLOADS["aten::add.Tensor"].table
_add_ = OVERLOADS["aten::add_.Tensor"].table
_addcdiv_ = OVERLOADS["aten::addcdiv_"].table
_addcmul_ = OVERLOADS["aten::addcmul_"].table
_div_ = OVERLOADS["aten::div_.Tensor"].table
_lerp_ = OVERLOADS["aten::lerp_.Scalar"].table
_mul_ = OVERLOADS["aten::mul_.Tensor"].table


def own(a: Any) -> Any:
    """*a*, which nobody changes before the step is over."""
    return a


def add(a: Any, b: Any, alpha: float) -> Any:
    """``a + alpha * b``."""
    return _add[a._sig | b._sig | grad_state() | tls_state()](a, b, alpha)


def add_(a: Any, b: Any, alpha: float) -> Any:
    """``a += alpha * b``."""
    return _add_[a._sig | b._sig | grad_state() | tls_state()](a, b, alpha)


def addcdiv_(a: Any, b: Any, c: Any, value: float) -> Any:
    """``a += value * b / c``."""
    return _addcdiv_[a._sig | b._sig | c._sig | grad_state() | tls_state()](a, b, c, value)


def addcmul_(a: Any, b: Any, c: Any, value: float) -> Any:
    """``a += value * b * c``."""
    return _addcmul_[a._sig | b._sig | c._sig | grad_state() | tls_state()](a, b, c, value)


def lerp_(a: Any, b: Any, weight: float) -> Any:
    """``a += weight * (b - a)``."""
    return _lerp_[a._sig | b._sig | grad_state() | tls_state()](a, b, weight)


def mul_(a: Any, number: float) -> Any:
    """``a *= number``."""
    return _mul_[a._sig | NUMBER_FLOAT | grad_state() | tls_state()](a, float(number))


def div_(a: Any, number: float) -> Any:
    """``a /= number``, of what only serves a step. Its result is to be used, as :mod:`.recorded`
    has another."""
    return _div_[a._sig | NUMBER_FLOAT | grad_state() | tls_state()](a, float(number))


def add_number_(a: Any, number: float) -> Any:
    """``a += number``."""
    return _add_[a._sig | NUMBER_FLOAT | grad_state() | tls_state()](a, float(number), 1)
