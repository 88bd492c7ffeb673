"""Functions of the C library over arrays of float64, to its last digit.

numpy's own ``log`` and ``exp`` differ from it there. Of many numbers, other functions of numpy and
scipy that call the C library in a loop of theirs take a tenth of the time of Python's ``math``: a
product with a logarithm, and the exponential of complex numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .special import loaded

__all__ = ["each", "exps", "logs", "turns"]

Array = np.ndarray[Any, Any]
#: From so many numbers on that is worth what it takes to call.
_MANY: Final = 1024
#: Of what is larger the exponential of a complex number is a product of two.
_PLAIN: Final = 709.0


def each(rule: Callable[[float], float], x: Array) -> Array:
    """*rule* of Python's ``math`` over every element."""
    return np.fromiter(map(rule, x.tolist()), np.float64, x.size)


def logs(x: Array) -> Array:
    """Logarithms of numbers that are not negative."""
    if x.size >= _MANY:
        found: Array = loaded("xlogy")(1.0, x)
        return found
    try:
        return each(math.log, x)
    except ValueError:  # of zero
        return each(lambda u: math.log(u) if u else -math.inf, x)


def exps(x: Array) -> Array:
    """Exponentials."""
    if x.size >= _MANY and np.abs(x).max() < _PLAIN:
        return np.exp(x.astype(np.complex128)).real.copy()
    try:
        return each(math.exp, x)
    except OverflowError:
        return each(_exp, x)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def turns(angle: Array) -> tuple[Array, Array]:
    """Cosines and sines."""
    if angle.size < _MANY:
        return each(math.cos, angle), each(math.sin, angle)
    waves = np.zeros(angle.shape, np.complex128)
    waves.imag = angle
    np.exp(waves, waves)
    return waves.real, waves.imag
